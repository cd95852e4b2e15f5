// The name that was probably meant. A manifest may hold thousands of wrong names beside thousands of right ones, so the
// cost of each word is bounded.

import { distance } from 'fastest-levenshtein';

/** No name of ours is longer, so a longer word is no typo of one. */
const MAX_WORD = 300;
/** Names that a word is compared with at most. What lies behind them is not suggested. */
const MAX_NAMES = 2_000;

/** The candidate nearest to the word by edit distance, when near enough to be a likely typo; the first of several. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const sought = word.toLowerCase();
  let limit = Math.max(1, Math.floor(word.length / 3));
  let best: string | undefined;
  let seen = 0;
  for (const name of candidates) {
    if (++seen > MAX_NAMES || limit < 0) break;
    if (Math.abs(name.length - word.length) > limit) continue;
    const edits = editsBetween(sought, name.toLowerCase());
    if (edits <= limit) [best, limit] = [name, edits - 1];
  }
  return best;
}

/** The edit distance; two neighbours that changed places are one edit. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && a.length === b.length && sorted(a) === sorted(b) ? 1 : edits;
}

function sorted(text: string): string {
  return text.split('').sort().join('');
}
