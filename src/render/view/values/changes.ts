// The differences of a step or a finding as lines: by field, with who changed it.

import { groupBy } from '../../../core/group.ts';
import { findKind } from '../../../catalog/lookup.ts';
import { fieldAt } from '../../../catalog/walk.ts';
import type { Cause, Change, Step } from '../../../plan/plan.ts';
import type { RenderOptions } from '../../render-options.ts';
import { differenceLines, valueLines, type Line, type ValueLayout } from './value.ts';

/** Who caused a difference, relative to the manifest. */
export const CAUSES: Readonly<Record<Cause, string>> = {
  config: 'changed in the manifest',
  drift: 'changed outside',
  both: 'changed outside and in the manifest',
  unknown: 'changed, cause unknown',
};

/** Every difference of a step, from the left margin. */
export function changeLines(step: Step, style: RenderOptions): Line[] {
  const lines = isNew(step)
    ? step.changes.flatMap(({ path, after }) => valueLines(path, after, NEW, layoutOf(step.kind, path, style)))
    : [...groupBy(step.changes, ({ path }) => path.split('.')[0]).values()].flatMap((group) =>
        fieldLines(step, group, style),
      );
  return fromMargin(lines);
}

/** A change made outside: the manifest's value is the old one, the live value the new one. */
export function outsideLines(kind: string, change: Change, style: RenderOptions): Line[] {
  const shown = { label: change.path, before: change.after, after: change.before, depth: DEPTH };
  const [first, ...rest] = differenceLines(shown, layoutOf(kind, change.path, style));
  return first === undefined
    ? []
    : fromMargin([{ ...first, text: `${first.text}  [${CAUSES[change.cause]}]` }, ...rest]);
}

/** Lines are wrapped for the depth at which text shows them. */
function fromMargin(lines: readonly Line[]): Line[] {
  const margin = lines.reduce((least, line) => Math.min(least, line.depth), Infinity);
  return lines.map((line) => ({ ...line, depth: line.depth - margin }));
}

/** True for a step that creates an object which replaces nothing. */
export function isNew(step: Step): boolean {
  return step.live_id === null && step.action === 'create';
}

const DEPTH = 2;

const NEW: Line = { mark: '+', depth: 1, text: '' };

/** Changes below one top-level field are shown together. */
function fieldLines(step: Step, changes: readonly [Change, ...Change[]], style: RenderOptions): Line[] {
  const [only] = changes;
  const place = (change: Change) => layoutOf(step.kind, change.path, style);
  const notes = [...new Set(changes.flatMap((change) => change.note ?? []))].map((note): Line => {
    return { mark: ' ', depth: DEPTH + 1, text: `note: ${note}` };
  });
  if (changes.length === 1)
    return [...oneChange(only, { label: only.path, depth: DEPTH, saidLabels: [] }, place(only)), ...notes];
  const [name = ''] = only.path.split('.');
  const said = sharedLabels(changes);
  const header: Line = { mark: '~', depth: DEPTH, text: withLabels(`${name}:`, said) };
  const lines = changes.flatMap((change) => {
    const label = change.path === name ? name : change.path.slice(name.length + 1);
    return oneChange(change, { label, depth: DEPTH + 1, saidLabels: said }, place(change));
  });
  return [header, ...lines, ...notes];
}

/** How one change is shown; `said` are words already shown for its group. */
interface Showing {
  readonly label: string;
  readonly depth: number;
  readonly saidLabels: readonly string[];
}

function oneChange(change: Change, { label, depth, saidLabels }: Showing, place: ValueLayout): Line[] {
  const words = changeLabels(change).filter((word) => !saidLabels.includes(word));
  const { before, after } = change;
  const [first, ...rest] = differenceLines({ label: label, before, after, depth }, place);
  return first === undefined ? [] : [{ ...first, text: withLabels(first.text, words) }, ...rest];
}

function changeLabels(change: Change): string[] {
  const isOutside = change.cause === 'drift' || change.cause === 'both';
  return [
    ...(change.effect === 'replace-resource' ? ['[forces replacement]'] : []),
    ...(isOutside ? [`[${CAUSES[change.cause]}]`] : []),
  ];
}

/** Words shared by all changes of the group, shown once. */
function sharedLabels(changes: readonly Change[]): string[] {
  const [first, ...others] = changes.map(changeLabels);
  return (first ?? []).filter((word) => others.every((words) => words.includes(word)));
}

function withLabels(text: string, words: readonly string[]): string {
  return words.length === 0 ? text : `${text}${text.endsWith(':') ? ' ' : '  '}${words.join(' ')}`;
}

/** The layout of the value at a dotted path of a kind. The order of a list matters unless the catalogue says otherwise. */
function layoutOf(kind: string, path: string, style: RenderOptions): ValueLayout {
  const field = fieldAt(findKind(kind)?.fields ?? {}, path.split('.'));
  const isSet = field?.type === 'list' && field.order === 'ignored';
  return { width: style.width, full: style.detail === 'full', ordered: !isSet };
}
