// The name that was probably meant, at a bounded cost for each word: a manifest may hold thousands of wrong ones beside
// thousands of right ones (ADR-0019).

import { compareText } from './json.ts';

/** How much was looked at so far, in cells of distance tables and names; for tests that hold the cost to its bound. */
export const effort = { spent: 0 };

/** Most effort for one word. What lies behind it is not suggested. */
const MAX_EFFORT = 20_000;
/** No name of ours is longer, so a longer word is no typo of one. */
const MAX_WORD = 300;
/** More names than this are put in order once, so that only likely ones are looked at. */
const FEW = 100;

/** The candidate nearest to the word by edit distance, when near enough to be a likely typo. Many are best given as one collection that stays the same. */
export function closest(word: string, candidates: readonly string[] | ReadonlySet<string>): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const sought = word.toLowerCase();
  const most = Math.max(1, Math.floor(word.length / 3));
  const end = effort.spent + MAX_EFFORT;
  // Nearly all typos are one edit away, and to look for no more is far cheaper.
  for (const limit of [...new Set([1, Math.min(2, most), most])]) {
    const found = nearest(sought, limit, { candidates, end });
    if (found !== undefined) return found;
  }
  return undefined;
}

interface Search {
  readonly candidates: readonly string[] | ReadonlySet<string>;
  /** Effort at which it is given up. */
  readonly end: number;
}

function nearest(sought: string, limit: number, { candidates, end }: Search): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const { name, lower } of likelyFirst(sought, limit, candidates)) {
    const most = best === undefined ? limit : best.distance - 1;
    if (most < 0 || effort.spent >= end) break;
    effort.spent += 1;
    const distance = distanceWithin(sought, lower, most);
    if (distance !== undefined) best = { name, distance };
  }
  return best?.name;
}

interface Name {
  readonly name: string;
  readonly lower: string;
  /** Backwards, so that names that end alike stand together. */
  readonly reversed: string;
}

/** Names of one length, in two orders. */
interface Shelf {
  readonly byStart: readonly Name[];
  readonly byEnd: readonly Name[];
}

interface Shelves {
  readonly size: number;
  readonly byLength: ReadonlyMap<number, Shelf>;
}

const shelves = new WeakMap<object, Shelves>();

/**
 * Names whose length allows them to be near enough. Of many only those that begin or end most like the word: an edit
 * leaves what is before it and what is behind it as it was, and one of both is long.
 */
function* likelyFirst(
  sought: string,
  limit: number,
  candidates: readonly string[] | ReadonlySet<string>,
): Generator<Pick<Name, 'name' | 'lower'>> {
  const size = Array.isArray(candidates) ? candidates.length : (candidates as ReadonlySet<string>).size;
  if (size <= FEW) {
    for (const name of candidates) {
      const lower = name.toLowerCase();
      if (Math.abs(lower.length - sought.length) <= limit) yield { name, lower };
    }
    return;
  }
  const { byLength } = shelvesOf(candidates, size);
  const reversed = backwards(sought);
  for (let difference = 0; difference <= limit; difference++) {
    for (const length of difference === 0
      ? [sought.length]
      : [sought.length - difference, sought.length + difference]) {
      const shelf = byLength.get(length);
      if (shelf === undefined) continue;
      yield* around(shelf.byStart, ({ lower }) => lower < sought);
      yield* around(shelf.byEnd, (one) => one.reversed < reversed);
    }
  }
}

function backwards(text: string): string {
  return text.split('').reverse().join('');
}

function shelvesOf(candidates: readonly string[] | ReadonlySet<string>, size: number): Shelves {
  const known = shelves.get(candidates);
  if (known?.size === size) return known;
  effort.spent += size;
  const names = new Map<number, Name[]>();
  for (const name of candidates) {
    const lower = name.toLowerCase();
    const one = { name, lower, reversed: backwards(lower) };
    const same = names.get(lower.length);
    if (same === undefined) names.set(lower.length, [one]);
    else same.push(one);
  }
  const inOrder = (list: readonly Name[], key: 'lower' | 'reversed') =>
    [...list].sort((a, b) => compareText(a[key], b[key]));
  const byLength = new Map(
    [...names].map(([length, list]) => [length, { byStart: inOrder(list, 'lower'), byEnd: inOrder(list, 'reversed') }]),
  );
  const made = { size, byLength };
  shelves.set(candidates, made);
  return made;
}

/** How many names to each side are looked at. */
const REACH = 40;

/** From where the word would stand to both sides. */
function* around(names: readonly Name[], isBefore: (one: Name) => boolean): Generator<Name> {
  let [from, to] = [0, names.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = names[middle];
    if (one !== undefined && isBefore(one)) from = middle + 1;
    else to = middle;
  }
  for (let step = 0; step < REACH; step++) {
    const [after, before] = [names[from + step], names[from - step - 1]];
    if (after !== undefined) yield after;
    if (before !== undefined) yield before;
  }
}

/** The distance with swaps of neighbours, or undefined when it is above the limit. */
function distanceWithin(first: string, second: string, limit: number): number | undefined {
  const { head, tail } = commonEnds(first, second);
  // What differs at both ends takes more than one edit, unless that is a swap.
  if (limit === 1 && Math.max(first.length, second.length) - head - tail > 2) return undefined;
  const [a, b] = [first.slice(head, first.length - tail), second.slice(head, second.length - tail)];
  let before: Row = [];
  let previous: Row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow({ a, b, i, limit }, previous, before);
    // A swap can still come from the row before, at one more than its least.
    if (leastOf(row) > limit && leastOf(previous) >= limit) return undefined;
    [before, previous] = [previous, row];
  }
  const distance = previous[b.length] ?? Infinity;
  return distance <= limit ? distance : undefined;
}

type Row = readonly number[];

/** One row of the table: only cells that could stay below the limit are looked at. */
function nextRow(
  { a, b, i, limit }: { readonly a: string; readonly b: string; readonly i: number; readonly limit: number },
  previous: Row,
  before: Row,
): Row {
  const row: number[] = [];
  const from = Math.max(1, i - limit);
  row[from - 1] = from === 1 ? i : Infinity;
  for (let j = from; j <= Math.min(b.length, i + limit); j++) {
    effort.spent += 1;
    const substitution = (previous[j - 1] ?? Infinity) + (a[i - 1] === b[j - 1] ? 0 : 1);
    const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swap = isSwap ? (before[j - 2] ?? Infinity) + 1 : Infinity;
    row[j] = Math.min(swap, substitution, (previous[j] ?? Infinity) + 1, (row[j - 1] ?? Infinity) + 1);
  }
  return row;
}

function leastOf(row: Row): number {
  return row.reduce((least, cell) => Math.min(least, cell), Infinity);
}

function commonEnds(a: string, b: string): { readonly head: number; readonly tail: number } {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail += 1;
  return { head, tail };
}
