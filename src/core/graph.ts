// Graphs of keys: which of them lead back to each other, and the shortest way from one to another. Linear in keys and links,
// and without recursion, because a chain may be longer than the stack.

/** What each key leads to. Keys that are not asked about are no part of the graph. */
type LinksOf<K> = (key: K) => readonly K[];

interface Visit<K> {
  readonly key: K;
  readonly index: number;
  readonly links: readonly K[];
  /** The earliest key on the way that this one leads back to. */
  low: number;
  next: number;
}

/**
 * Tarjan's strongly connected components, each after all it leads to. Without cycles each is one key, so this is the
 * order in which nothing comes before what it leads to; the order of the keys decides between equals.
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

/** The keys that lead back to each other, or to themselves, by groups. */
export function cycles<K>(keys: Iterable<K>, linksOf: LinksOf<K>): K[][] {
  const groups = components(keys, linksOf);
  return groups.filter((group) => group.length > 1 || group.some((key) => linksOf(key).includes(key)));
}

/** The shortest way from one key to another, both included; undefined when there is none. */
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
