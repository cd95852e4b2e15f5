// Which items of two lists belong to each other. Knows no texts.

import { canonicalJson, type Json } from '../../core/json.ts';

export function sameValue(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** What a list becomes. */
interface Alignment {
  /** Indices of items that stay, or that are replaced at their place, and of what they become. */
  readonly pairs: readonly (readonly [now: number, next: number])[];
  /** Behind which item that stays they are added; -1 for the beginning. */
  readonly additions: readonly { readonly after: number; readonly value: Json }[];
}

/** Equal items stay, in their order; between two of them, items are replaced one by one, and the rest is added or removed. */
export function aligned(now: readonly Json[], next: readonly Json[]): Alignment {
  const pairs: [number, number][] = [];
  const additions: { readonly after: number; readonly value: Json }[] = [];
  let [from, to] = [0, 0];
  const closeGap = (endOfNow: number, endOfNext: number) => {
    for (; from < endOfNow && to < endOfNext; from++, to++) pairs.push([from, to]);
    const after = pairs.at(-1)?.[0] ?? -1;
    for (; to < endOfNext; to++) additions.push({ after, value: next[to] ?? null });
    from = endOfNow;
  };
  for (const [index, next_] of equalItems(now, next)) {
    closeGap(index, next_);
    pairs.push([index, next_]);
    [from, to] = [index + 1, next_ + 1];
  }
  closeGap(now.length, next.length);
  return { pairs, additions };
}

/** Each wanted item with the next equal one that is there. */
function equalItems(now: readonly Json[], next: readonly Json[]): (readonly [number, number])[] {
  const texts = now.map(canonicalJson);
  const found: (readonly [number, number])[] = [];
  let from = 0;
  for (const [index, item] of next.entries()) {
    const at = texts.indexOf(canonicalJson(item), from);
    if (at < 0) continue;
    found.push([at, index]);
    from = at + 1;
  }
  return found;
}
