// Suggests the names that were probably meant. A manifest may hold thousands of wrong names and thousands of right ones, so the
// cost is bounded for each word, and for all words together.

import { distance } from 'fastest-levenshtein';

/** No name of ours is longer, so a longer word is not a typo of one. */
const MAX_WORD = 300;
/** Maximum number of names to compare. Names after that are never suggested. */
const MAX_NAMES = 2_000;

/** Maximum number of comparisons with the names of one list, for all words together. */
const MAX_COMPARISONS = 100_000;

/** Maximum distance when some names were not compared, since a better match may be among those. */
const SURE_EDITS = 2;

/** Of more names that are equally near, none was meant. */
const MAX_EQUALLY_NEAR = 3;

/**
 * The candidates nearest to the word by edit distance: one, or up to three that are equally near, in their order; none if
 * nothing is near enough. Near enough is a third of the word, not counting the common part up to its last dot.
 */
export function nearest(word: string, candidates: Iterable<string>): readonly string[] {
  if (word.length > MAX_WORD) return [];
  const sought = word.toLowerCase();
  let best: string[] = [];
  let fewest = Infinity;
  let seen = 0;
  for (const name of candidates) {
    if (++seen > MAX_NAMES) {
      if (fewest > SURE_EDITS) return [];
      break;
    }
    const given = name.toLowerCase();
    const same = commonPrefix(sought, given);
    const own = word.length - sought.lastIndexOf('.', same - 1) - 1;
    const limit = Math.min(fewest, Math.max(1, Math.floor(own / 3)));
    if (fewest === 0 || Math.abs(name.length - word.length) > limit) continue;
    const edits = editsBetween(sought.slice(same), given.slice(same));
    if (edits > limit) continue;
    // Of two that are as near, the one in the same case.
    const score = edits < editsBetween(word, name) ? edits + 0.5 : edits;
    if (score < fewest) [best, fewest] = [[name], score];
    else if (score === fewest && best.length <= MAX_EQUALLY_NEAR && !best.includes(name)) best.push(name);
  }
  return best.length > MAX_EQUALLY_NEAR ? [] : best;
}

/** `did you mean "api" or "app"?`, naming all that are equally near; `write` says how a name is written. */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
  write = (name: string) => `"${name}"`,
): string | undefined {
  return questionOf(nearest(word, candidates).map(write));
}

/** The question that offers these names; undefined for none. */
export function questionOf(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `did you mean ${alternatives(names)}?`;
}

/** `a`, `a or b`, `a, b or c`; `link` is the word before the last. */
export function alternatives(names: readonly string[], link = 'or'): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(` ${link} `);
}

/** Suggestions from one list for many words: once enough names were compared, nothing more is suggested. */
export class Suggestions {
  readonly #names: readonly string[];
  #left = MAX_COMPARISONS;

  constructor(names: Iterable<string>) {
    this.#names = [...names];
  }

  didYouMean(word: string): string | undefined {
    if (this.#left <= 0) return undefined;
    this.#left -= Math.min(this.#names.length, MAX_NAMES);
    return didYouMean(word, this.#names);
  }
}

function commonPrefix(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** The edit distance; two swapped neighbours count as one edit. */
function editsBetween(a: string, b: string): number {
  const edits = distance(a, b);
  return edits === 2 && a.length === b.length && sorted(a) === sorted(b) ? 1 : edits;
}

function sorted(text: string): string {
  return text.split('').sort().join('');
}
