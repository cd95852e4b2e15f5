// What a step loses, in words, what allows it, and the objects that it deletes, with their values; and whether a plan loses nothing.

import type { Plan, Step } from '../../plan/plan.ts';
import type { DeletedObject, Loss } from '../../plan/step-facts.ts';
import type { RenderOptions } from '../render-options.ts';
import { layoutOf } from './values/changes.ts';
import { valueLines, type Line } from './values/value.ts';
import { isDangerous, type Item } from './view.ts';

/** What is lost, as the end of a sentence about the object. */
export function lossText(cost: string, children: readonly string[]): string {
  return children.length === 0 ? cost : `${cost}; its children are deleted, too: ${children.join(', ')}`;
}

/** What is lost, as a sentence of its own. */
export function lossSentence({ live_id: id, cost, children }: Loss): string {
  return `${id} is deleted: ${lossText(cost, children)}`;
}

/**
 * A plan of targets, or what is left of one that was carried out in part, is not all: nothing is said of the rest. Nor of a plan after
 * which somebody else may get in, or something is no longer reached.
 */
export function isCalm({ complete, steps, exposures, already_done: done = [] }: Plan, items: readonly Item[]): boolean {
  if (!complete || steps.length === 0 || done.length > 0 || items.some(isDangerous)) return false;
  return exposures.every(({ effect, after }) => effect === 'closes' && after !== null);
}

/** The flags of the run that allow the steps of one resource; both halves of a replacement have them. */
export function flagsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => step.allowed_by ?? []).filter((flag, at, all) => all.indexOf(flag) === at);
}

const GONE: Line = { mark: '-', depth: 0, text: '' };

/**
 * The objects that a step deletes: those of a deletion's own object from the left margin, all others below their names. Without
 * details, only the names of the others are left.
 */
export function deletedLines({ action, deletes = [] }: Step, style: RenderOptions): Line[] {
  const [own, ...children] = deletes;
  if (own === undefined) return [];
  if (style.detail === 'names') return children.map(nameLine);
  // The head of a deletion names its object; that of a replacement is about both objects.
  const first = action === 'delete' ? linesOf(own, GONE, style) : namedLines(own, style);
  return [...first, ...children.flatMap((child) => namedLines(child, style))];
}

function namedLines(object: DeletedObject, style: RenderOptions): Line[] {
  const name = nameLine(object);
  const below = linesOf(object, { ...GONE, depth: 1 }, style);
  return [below.length === 0 ? name : { ...name, text: `${name.text}:` }, ...below];
}

function nameLine({ address, live_id: id }: DeletedObject): Line {
  return { ...GONE, text: address === id ? id : `${address} (${id})` };
}

function linesOf({ kind, values }: DeletedObject, at: Line, style: RenderOptions): Line[] {
  return Object.entries(values).flatMap(([name, value]) => valueLines(name, value, at, layoutOf(kind, name, style)));
}
