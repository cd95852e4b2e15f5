// The difference between two sequences of text (longest common subsequence).

import { diffArrays } from 'diff/lib/diff/array.js';

/** One entry of the merged sequence: in both (' '), only in the first ('-') or only in the second ('+'). */
export interface SequenceEntry {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Time and memory are quadratic in the number of edits; this limit keeps them proportional to the texts. */
const mostEdits = (length: number): number => Math.max(200, Math.floor(4 * Math.sqrt(length)));

/**
 * The shortest edit script from `before` to `after`, removed entries before added ones. If it needs too many edits, everything is
 * removed and added, which is correct but less precise.
 */
export function sequenceDiff(before: readonly string[], after: readonly string[]): SequenceEntry[] {
  const limits = { maxEditLength: mostEdits(before.length + after.length) };
  const changes = diffArrays([...before], [...after], limits);
  if (changes === undefined) return [...itemsOf('-', before), ...itemsOf('+', after)];
  return changes.flatMap(({ value, added, removed }) => itemsOf(added ? '+' : removed ? '-' : ' ', value));
}

function itemsOf(mark: SequenceEntry['mark'], texts: readonly string[]): SequenceEntry[] {
  return texts.map((text) => ({ mark, text }));
}
