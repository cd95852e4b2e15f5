// Which items of two lists belong to each other. Knows no texts.

import { countWhile } from '../../core/bisect.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { placesBefore } from '../../core/list-difference.ts';

export function sameValue(one: Json, other: Json): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}

/** What a list becomes. */
interface Alignment {
  /** Indices of items that stay, or that are replaced at their place, and of what they become. */
  readonly pairs: readonly (readonly [now: number, next: number])[];
  readonly additions: readonly AddedItem[];
}

interface AddedItem {
  /** Behind which item that stays it is added; -1 for the beginning. */
  readonly after: number;
  readonly value: Json;
  /** The index that an item has now which moves. */
  readonly from: number | undefined;
}

/**
 * Of the equal items, as many as possible stay in their order, and the others move. Between two that stay, items are replaced one by
 * one, and the rest is added or removed.
 */
export function aligned(now: readonly Json[], next: readonly Json[]): Alignment {
  const origins = placesBefore(now.map(canonicalJson), next.map(canonicalJson));
  const used = new Set(origins);
  const pairs: [number, number][] = [];
  const additions: AddedItem[] = [];
  let [from, to] = [0, 0];
  const closeGap = (endOfNow: number, endOfNext: number) => {
    for (; to < endOfNext; to++) {
      while (from < endOfNow && used.has(from)) from++;
      const origin = origins[to];
      if (origin === undefined && from < endOfNow) pairs.push([from++, to]);
      else additions.push({ after: pairs.at(-1)?.[0] ?? -1, value: next[to] ?? null, from: origin });
    }
  };
  for (const [index, place] of longestRise(origins)) {
    closeGap(index, place);
    pairs.push([index, place]);
    [from, to] = [index + 1, place + 1];
  }
  closeGap(now.length, next.length);
  return { pairs, additions };
}

interface Rise {
  readonly origin: number;
  readonly place: number;
  readonly before: Rise | undefined;
}

/** The most origins that rise, with their places. */
function longestRise(origins: readonly (number | undefined)[]): (readonly [origin: number, place: number])[] {
  // For each length, the rise of that length with the lowest end.
  const ends: Rise[] = [];
  for (const [place, origin] of origins.entries()) {
    if (origin === undefined) continue;
    const length = countWhile(ends.length, (index) => (ends[index]?.origin ?? 0) < origin);
    ends[length] = { origin, place, before: ends[length - 1] };
  }
  const found: (readonly [number, number])[] = [];
  for (let rise = ends.at(-1); rise !== undefined; rise = rise.before) found.push([rise.origin, rise.place]);
  return found.reverse();
}
