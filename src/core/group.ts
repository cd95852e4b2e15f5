// Maps that keep every value of a key, in order.

/** The items by what `keyOf` says of each, at least one for each key; those of which it says undefined are left out. */
export function groupBy<K, T>(items: Iterable<T>, keyOf: (item: T) => K | undefined): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) addTo(groups, key, item);
  }
  return groups;
}

/** Like `new Map(entries)`, but with all values of a key. */
export function groupEntries<K, V>(entries: Iterable<readonly [K, V]>): Map<K, [V, ...V[]]> {
  const groups = new Map<K, [V, ...V[]]>();
  for (const [key, value] of entries) addTo(groups, key, value);
  return groups;
}

function addTo<K, V>(groups: Map<K, [V, ...V[]]>, key: K, value: V): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}
