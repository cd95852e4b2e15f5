// Groups values by key and keeps their order.

/** The items grouped by key, with at least one item per key. Items whose key is undefined are left out. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K | undefined): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) addTo(groups, key, item);
  }
  return groups;
}

/** Like `new Map(entries)`, but keeps all values of a key. */
export function groupEntries<K, V>(entries: Iterable<readonly [K, V]>): Map<K, [V, ...V[]]> {
  const groups = new Map<K, [V, ...V[]]>();
  for (const [key, value] of entries) addTo(groups, key, value);
  return groups;
}

/** The items that the condition holds for, and the others. */
export function partition<T>(items: readonly T[], condition: (item: T) => boolean): readonly [T[], T[]] {
  return [items.filter(condition), items.filter((item) => !condition(item))];
}

/** Adds one value to those of its key. */
export function addTo<K, V>(groups: Map<K, [V, ...V[]]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
