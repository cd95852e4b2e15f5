// Which items of a list go, which come, and which stay. Plans ask it of values before anything is masked; everything else that shows or
// compares a changed list reads the answer. Patches of a manifest ask where an item that stays was before.

import { groupBy } from './group.ts';
import { sequenceDiff, type SequenceEntry } from './text/sequence.ts';

/** Places of the items that only the list before has, and of those that only the list after has. All others are in both. */
export interface ListDifference {
  readonly removed: readonly number[];
  readonly added: readonly number[];
}

/** The same, seen from the list after. */
export function swappedDifference({ removed, added }: ListDifference): ListDifference {
  return { removed: added, added: removed };
}

/** Whether the order of a list matters; if not, an item that is there twice counts twice. */
export type ListOrder = 'kept' | 'ignored';

/** For each item after, the place before of an equal one; an item that is there twice has two places. Undefined for a new item. */
export function placesBefore(before: readonly string[], after: readonly string[]): readonly (number | undefined)[] {
  const places = groupBy(before.keys(), (at) => before[at] ?? '');
  const used = new Map<string, number>();
  return after.map((text) => {
    const count = used.get(text) ?? 0;
    used.set(text, count + 1);
    return places.get(text)?.[count];
  });
}

/** The difference of two lists, of each item the text that is equal for equal items. */
export function listDifference(before: readonly string[], after: readonly string[], order: ListOrder): ListDifference {
  if (order === 'ignored') return { removed: newItems(after, before), added: newItems(before, after) };
  const entries = sequenceDiff(before, after);
  return { removed: placesOf(entries, '-', '+'), added: placesOf(entries, '+', '-') };
}

/** Places of the items after that the list before does not have, or has fewer times. */
function newItems(before: readonly string[], after: readonly string[]): number[] {
  return placesBefore(before, after).flatMap((place, at) => (place === undefined ? [at] : []));
}

/** Places in the list that has all entries but those with the mark `other`. */
function placesOf(entries: readonly SequenceEntry[], mark: '-' | '+', other: '-' | '+'): number[] {
  return entries.filter((entry) => entry.mark !== other).flatMap((entry, at) => (entry.mark === mark ? [at] : []));
}

/** An item of both lists (at its place before), of the list before, or of the list after. */
interface MergedItem {
  readonly mark: SequenceEntry['mark'];
  readonly at: number;
}

/** The items of both lists in order; what goes stands before what comes in its place. */
export function mergedItems(before: number, after: number, { removed, added }: ListDifference): MergedItem[] {
  const gone = new Set(removed);
  const isNew = new Set(added);
  const merged: MergedItem[] = [];
  let next = 0;
  for (let at = 0; at < before; at++) {
    if (gone.has(at)) merged.push({ mark: '-', at });
    else {
      for (; isNew.has(next); next++) merged.push({ mark: '+', at: next });
      merged.push({ mark: ' ', at });
      next++;
    }
  }
  for (; next < after; next++) merged.push({ mark: '+', at: next });
  return merged;
}
