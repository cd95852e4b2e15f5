// Circles: resources that could never be created, because each waits for the next. Every link that is part of a circle is
// in one that is told.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { eachLeaf, Expression } from '../../core/value.ts';
import type { Facts, Located } from '../resources.ts';

/** One resource waits for another: it refers to it, or lies inside it. */
interface Link {
  readonly to: string;
  /** Where the reference stands. */
  readonly path: readonly string[];
  readonly words: string;
}

type Links = ReadonlyMap<string, readonly Link[]>;

/** More among the same resources are not worth telling at once. */
const MOST = 100;

/** Every circle of references, each once, at the reference that its first link is. */
export function checkCircles({ resources, places }: Facts): Diagnostic[] {
  const links = linksBetween(resources);
  const told = new Set<string>();
  const found: Diagnostic[] = [];
  for (const group of groupsOf(links)) {
    const inGroup = new Set(group);
    let count = 0;
    const steps = [...group].sort().flatMap((from) => (links.get(from) ?? []).map((link): Step => ({ from, link })));
    for (const { from, link } of steps) {
      if (count >= MOST || !inGroup.has(link.to) || told.has(`${from} ${link.to}`)) continue;
      const circle = circleThrough(from, link, links, inGroup);
      circle.forEach((one) => told.add(`${one.from} ${one.link.to}`));
      count += 1;
      found.push(problemOf(circle, places, count === MOST));
    }
  }
  return found;
}

interface Step {
  readonly from: string;
  readonly link: Link;
}

function problemOf(circle: readonly Step[], places: Facts['places'], isLast: boolean): Diagnostic {
  const [first, ...rest] = circle;
  const names = [...circle, ...circle.slice(0, 1)].map(({ from }) => from);
  return {
    ...places.error(
      'reference-cycle',
      first?.link.path ?? [],
      {
        message: `references form a circle: ${names.join(' → ')}${isLast ? '; there may be more among these resources' : ''}`,
        fix: 'remove one of the links',
      },
      first?.from,
    ),
    ...(rest.length > 0 && {
      related: rest.map(({ from, link }) => ({
        message: `${from} ${link.words} ${link.to} here`,
        range: places.value(link.path),
      })),
    }),
  };
}

/** For each resource what it waits for, each once. */
function linksBetween(resources: readonly Located[]): Links {
  return new Map(
    resources.map(({ resource, path }) => {
      const { address, parent, spec } = resource;
      const links = new Map<string, Link>();
      if (parent !== undefined) links.set(parent, { to: parent, path, words: 'lies inside' });
      eachLeaf(spec, (leaf, inner) => {
        if (!(leaf instanceof Expression)) return;
        for (const { address: to } of leaf.references())
          if (!links.has(to)) links.set(to, { to, path: [...path, ...inner], words: 'refers to' });
      });
      return [address, [...links.values()]] as const;
    }),
  );
}

/** The shortest way back over a link, within one group; it begins with the link. */
function circleThrough(from: string, link: Link, links: Links, group: ReadonlySet<string>): Step[] {
  const cameBy = new Map<string, Step>();
  const queue = [link.to];
  for (let index = 0; index < queue.length && !cameBy.has(from) && link.to !== from; index++) {
    const at = queue[index] ?? '';
    for (const next of links.get(at) ?? []) {
      if (!group.has(next.to) || cameBy.has(next.to) || next.to === link.to) continue;
      cameBy.set(next.to, { from: at, link: next });
      queue.push(next.to);
    }
  }
  const back: Step[] = [];
  for (let at = from; at !== link.to;) {
    const step = cameBy.get(at);
    if (step === undefined) break;
    back.unshift(step);
    at = step.from;
  }
  return [{ from, link }, ...back];
}

interface Visit {
  readonly address: string;
  next: number;
}

/** Addresses that can all reach each other, by groups; one alone only when it refers to itself (Tarjan, without recursion). */
function groupsOf(links: Links): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  const enter = (address: string, path: Visit[]) => {
    low.set(address, order.size);
    order.set(address, order.size);
    open.push(address);
    isOpen.add(address);
    path.push({ address, next: 0 });
  };
  const lower = (address: string, to: number | undefined) => {
    low.set(address, Math.min(low.get(address) ?? 0, to ?? Infinity));
  };
  const leave = (address: string) => {
    if (low.get(address) !== order.get(address)) return;
    const group = open.splice(open.lastIndexOf(address));
    group.forEach((one) => isOpen.delete(one));
    const isCircle = group.length > 1 || (links.get(address) ?? []).some(({ to }) => to === address);
    if (isCircle) groups.push(group);
  };
  const step = (path: Visit[], top: Visit) => {
    const { address } = top;
    const next = links.get(address)?.[top.next]?.to;
    top.next += 1;
    if (next === undefined) {
      path.pop();
      leave(address);
      const above = path.at(-1)?.address;
      if (above !== undefined) lower(above, low.get(address));
    } else if (!order.has(next) && links.has(next)) enter(next, path);
    else if (isOpen.has(next)) lower(address, order.get(next));
  };
  for (const start of links.keys()) {
    const path: Visit[] = [];
    if (!order.has(start)) enter(start, path);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) step(path, top);
  }
  return groups;
}
