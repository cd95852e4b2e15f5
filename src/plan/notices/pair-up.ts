// Pairs what left with what came by the keys that they share: one with one, or nothing. Pure and deterministic.

import { groupEntries } from '../../core/group.ts';

/** Two that belong together, or several of which that cannot be said; `words` is what they have in common. */
interface Shared<Left, Right> {
  readonly left: readonly Left[];
  readonly right: readonly Right[];
  readonly words: string;
}

/** A key, and what having it in common means. */
interface Key {
  readonly key: string;
  readonly words: string;
}

/**
 * Groups of left and right items with common keys, in the order of the left ones. A group of one and one is a pair; in a larger
 * group, each may belong to any.
 */
export function pairUp<Left, Right>(
  left: readonly Left[],
  right: readonly Right[],
  {
    keysOfLeft,
    keysOfRight,
  }: { keysOfLeft: (item: Left) => readonly Key[]; keysOfRight: (item: Right) => readonly Key[] },
): Shared<Left, Right>[] {
  const rightByKey = groupEntries(right.flatMap((item) => keysOfRight(item).map(({ key }) => [key, item] as const)));
  const leftByKey = groupEntries(left.flatMap((item) => keysOfLeft(item).map(({ key }) => [key, item] as const)));
  const seen = new Set<Left>();
  return left.flatMap((first): Shared<Left, Right>[] => {
    const common = keysOfLeft(first).find(({ key }) => rightByKey.has(key));
    if (common === undefined || seen.has(first)) return [];
    const group = connected(first, { keysOfLeft, keysOfRight, leftByKey, rightByKey });
    for (const one of group.left) seen.add(one);
    return [{ ...group, words: common.words }];
  });
}

interface Links<Left, Right> {
  readonly keysOfLeft: (item: Left) => readonly Key[];
  readonly keysOfRight: (item: Right) => readonly Key[];
  readonly leftByKey: ReadonlyMap<string, readonly Left[]>;
  readonly rightByKey: ReadonlyMap<string, readonly Right[]>;
}

/** Everything that common keys lead to from one item. */
function connected<Left, Right>(first: Left, links: Links<Left, Right>): Pick<Shared<Left, Right>, 'left' | 'right'> {
  const [left, right, keys] = [new Set([first]), new Set<Right>(), new Set<string>()];
  const queue = links.keysOfLeft(first).map(({ key }) => key);
  for (const key of queue) {
    if (keys.has(key)) continue;
    keys.add(key);
    for (const item of links.rightByKey.get(key) ?? []) {
      if (!right.has(item)) queue.push(...links.keysOfRight(item).map((one) => one.key));
      right.add(item);
    }
    for (const item of links.rightByKey.has(key) ? (links.leftByKey.get(key) ?? []) : []) {
      if (!left.has(item)) queue.push(...links.keysOfLeft(item).map((one) => one.key));
      left.add(item);
    }
  }
  return { left: [...left], right: [...right] };
}
