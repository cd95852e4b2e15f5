// Differences between two sequences of text, in order (longest common subsequence) or as sets.

import { diffArrays } from 'diff/lib/diff/array.js';

/** One entry of the merged sequence: in both (' '), only in the first ('-') or only in the second ('+'). */
interface Entry {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** Time and memory are quadratic in the number of edits; this limit keeps them proportional to the texts. */
const mostEdits = (length: number): number => Math.max(200, Math.floor(4 * Math.sqrt(length)));

/**
 * The shortest edit script from `before` to `after`, removed entries before added ones. Texts that occur on one side only are
 * not searched for. If the rest needs too many edits, everything is removed and added, which is correct but less precise.
 */
export function sequenceDiff(before: readonly string[], after: readonly string[]): Entry[] {
  const [inBefore, inAfter] = [new Set(before), new Set(after)];
  const old = before.filter((text) => inAfter.has(text));
  const now = after.filter((text) => inBefore.has(text));
  const [olds, nows] = [before.values(), after.values()];
  const [removed, added]: [string[], string[]] = [[], []];
  const entries: Entry[] = [];
  const flush = () => entries.push(...itemsOf('-', removed.splice(0)), ...itemsOf('+', added.splice(0)));
  for (const { mark, text } of commonDiff(old, now)) {
    if (mark !== '+') removed.push(...upTo(olds, inAfter));
    if (mark !== '-') added.push(...upTo(nows, inBefore));
    if (mark !== ' ') continue;
    // Both sides end with the common text.
    removed.pop();
    added.pop();
    flush();
    entries.push({ mark, text });
  }
  removed.push(...olds);
  added.push(...nows);
  flush();
  return entries;
}

/** The same for sequences of texts that occur on both sides. */
function commonDiff(before: readonly string[], after: readonly string[]): Entry[] {
  const limits = { maxEditLength: mostEdits(before.length + after.length) };
  const changes = diffArrays([...before], [...after], limits);
  if (changes === undefined) return [...itemsOf('-', before), ...itemsOf('+', after)];
  return changes.flatMap(({ value, added, removed }) => itemsOf(added ? '+' : removed ? '-' : ' ', value));
}

/** The texts up to and including the next one that the other side has. */
function upTo(texts: Iterator<string, undefined>, others: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (let next = texts.next(); next.done !== true; next = texts.next()) {
    found.push(next.value);
    if (others.has(next.value)) break;
  }
  return found;
}

function itemsOf(mark: Entry['mark'], texts: readonly string[]): Entry[] {
  return texts.map((text) => ({ mark, text }));
}

/** Texts that only one side has, removed ones first, and how many both have. Order does not matter. */
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
