// The differences of a step or a finding as lines, each with who changed it.

import { swappedDifference } from '../../../core/list-difference.ts';
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
  'not-taken': 'not taken by the service, as far as known',
};

/** Every difference of a step, from the left margin; a note of several in a row is below the last. */
export function changeLines(step: Step, style: RenderOptions): Line[] {
  return step.changes.flatMap((change, index) => {
    const { path, after, note } = change;
    const place = layoutOf(step.kind, path, style);
    const isSaid = note !== undefined && note !== step.changes[index + 1]?.note;
    return [
      ...(isNew(step) ? valueLines(path, after, NEW, place) : oneChange(change, place)),
      ...(isSaid ? [{ ...NEW, mark: ' ', depth: 1, text: `note: ${note}` } as const] : []),
    ];
  });
}

/** A change made outside: the manifest's value is the old one, the live value the new one. */
export function outsideLines(kind: string, change: Change, style: RenderOptions): Line[] {
  const { path: label, before, after, items } = change;
  const swapped = items && swappedDifference(items);
  const shown = { label, before: after, after: before, items: swapped, depth: 0 };
  return labelled(differenceLines(shown, layoutOf(kind, change.path, style)), [`[${CAUSES[change.cause]}]`]);
}

/** True for a step that creates an object which replaces nothing. */
export function isNew(step: Step): boolean {
  return step.live_id === null && step.action === 'create';
}

const NEW: Line = { mark: '+', depth: 0, text: '' };

function oneChange({ path, before, after, items, effect, cause }: Change, place: ValueLayout): Line[] {
  const isNamed = cause !== 'config' && cause !== 'unknown';
  return labelled(differenceLines({ label: path, before, after, items, depth: 0 }, place), [
    ...(effect === 'replace-resource' ? ['[forces replacement]'] : []),
    ...(isNamed ? [`[${CAUSES[cause]}]`] : []),
  ]);
}

/** The lines, with words after the first. */
function labelled([first, ...rest]: readonly Line[], words: readonly string[]): Line[] {
  if (first === undefined) return [];
  const gap = words.length === 0 ? '' : first.text.endsWith(':') ? ' ' : '  ';
  return [{ ...first, text: `${first.text}${gap}${words.join(' ')}` }, ...rest];
}

/** The columns before the lines in text. */
const MARGIN = 4;

/** The layout of the value at a dotted path of a kind. The order of a list matters unless the catalogue says otherwise. */
export function layoutOf(kind: string, path: string, style: RenderOptions): ValueLayout {
  const field = fieldAt(findKind(kind)?.fields ?? {}, path.split('.'));
  const isSet = field?.type === 'list' && field.order === 'ignored';
  return { width: style.width - MARGIN, full: style.detail === 'full', ordered: !isSet };
}
