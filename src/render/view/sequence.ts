// Differences between two sequences of text, in order (longest common subsequence) or as sets.

import { diffArrays } from 'diff/lib/diff/array.js';

/** One entry of the merged sequence: in both (' '), only in the first ('-') or only in the second ('+'). */
export interface Entry {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** With more edits than these all is shown as removed and added, which is correct but less precise. */
const MAX_EDITS = 2_000;

/** The shortest way from `before` to `after`, entry by entry, order kept. */
export function sequenceDiff(before: readonly string[], after: readonly string[]): Entry[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (changes === undefined) return [...itemsOf('-', before), ...itemsOf('+', after)];
  return changes.flatMap(({ value, added, removed }) => itemsOf(added ? '+' : removed ? '-' : ' ', value));
}

function itemsOf(mark: Entry['mark'], texts: readonly string[]): Entry[] {
  return texts.map((text) => ({ mark, text }));
}

/** What only one of the two has, removed first, and how many both have. Order has no meaning. */
export function setDiff(before: readonly string[], after: readonly string[]): { entries: Entry[]; equal: number } {
  const rest = [...after];
  const removed: string[] = [];
  for (const text of before) {
    const at = rest.indexOf(text);
    if (at === -1) removed.push(text);
    else rest.splice(at, 1);
  }
  return { entries: [...itemsOf('-', removed), ...itemsOf('+', rest)], equal: before.length - removed.length };
}
