// Graphs of keys: finds cycles and shortest paths. Linear in keys and links, and not recursive, because a chain may be longer
// than the call stack.

/** The keys that each key links to. Links to keys outside the graph are ignored. */
type LinksOf<K> = (key: K) => readonly K[];

interface Visit<K> {
  readonly key: K;
  readonly index: number;
  readonly links: readonly K[];
  /** The earliest key on the current path that this one links back to. */
  low: number;
  next: number;
}

/**
 * Tarjan's strongly connected components in topological order: each comes after everything it links to. Without cycles, each
 * component is one key. Ties keep the order of the keys.
 */
export function components<K>(keys: Iterable<K>, linksOf: LinksOf<K>): K[][] {
  const all = new Set(keys);
  const visits = new Map<K, Visit<K>>();
  const open: K[] = [];
  const isOpen = new Set<K>();
  const groups: K[][] = [];
  const enter = (key: K, way: Visit<K>[]) => {
    const visit = { key, index: visits.size, links: linksOf(key), low: visits.size, next: 0 };
    visits.set(key, visit);
    open.push(key);
    isOpen.add(key);
    way.push(visit);
  };
  const leave = ({ key, index, low }: Visit<K>, above: Visit<K> | undefined) => {
    if (above !== undefined) above.low = Math.min(above.low, low);
    if (low !== index) return;
    const group = open.splice(open.lastIndexOf(key));
    group.forEach((one) => isOpen.delete(one));
    groups.push(group);
  };
  const step = (top: Visit<K>, way: Visit<K>[]) => {
    const next = top.links[top.next];
    top.next += 1;
    const seen = next === undefined ? undefined : visits.get(next);
    if (next === undefined) {
      way.pop();
      leave(top, way.at(-1));
    } else if (seen !== undefined && isOpen.has(next)) top.low = Math.min(top.low, seen.index);
    else if (seen === undefined && all.has(next)) enter(next, way);
  };
  for (const start of all) {
    const way: Visit<K>[] = [];
    if (!visits.has(start)) enter(start, way);
    for (let top = way.at(-1); top !== undefined; top = way.at(-1)) step(top, way);
  }
  return groups;
}

/** The keys that form cycles, including links to themselves, one group per cycle. */
export function cycles<K>(keys: Iterable<K>, linksOf: LinksOf<K>): K[][] {
  const groups = components(keys, linksOf);
  return groups.filter((group) => group.length > 1 || group.some((key) => linksOf(key).includes(key)));
}

/** The shortest path between two keys, both included; undefined when there is none. */
export function shortestPath<K>(from: K, to: K, linksOf: LinksOf<K>): K[] | undefined {
  const cameFrom = new Map<K, K | undefined>([[from, undefined]]);
  const queue = [from];
  for (const key of queue) {
    if (cameFrom.has(to)) break;
    for (const next of linksOf(key)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, key);
      queue.push(next);
    }
  }
  if (!cameFrom.has(to)) return undefined;
  const path: K[] = [];
  for (let key: K | undefined = to; key !== undefined; key = cameFrom.get(key)) path.push(key);
  return path.reverse();
}
