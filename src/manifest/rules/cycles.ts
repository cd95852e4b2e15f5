// Cycles: resources that could never be created, because each waits for the next. Every link in a cycle is part of a reported
// cycle.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { cycles, shortestPath } from '../../core/graph.ts';
import { eachLeaf, Expression, holdsUnknown } from '../../core/value.ts';
import type { StackInput, Located } from '../resources.ts';

/** One resource waits for another: it refers to it, or is its child. */
interface Link {
  readonly to: string;
  readonly path: readonly string[];
  readonly text: string;
}

type Links = ReadonlyMap<string, readonly Link[]>;

/** Maximum number of cycles reported for the same resources. */
const MAX_CYCLES = 100;

/** Every cycle of references, once, at the reference that is its first link. */
export function checkCycles({ resources, sourceMap }: StackInput): Diagnostic[] {
  const links = linksBetween(resources);
  const reported = new Set<string>();
  const found: Diagnostic[] = [];
  for (const group of cycles(links.keys(), (from) => targets(links, from))) {
    const inGroup = new Set(group);
    let count = 0;
    const steps = [...group]
      .sort()
      .flatMap((from) => (links.get(from) ?? []).map((link): CycleStep => ({ from, link })));
    for (const { from, link } of steps) {
      if (count >= MAX_CYCLES || !inGroup.has(link.to) || reported.has(`${from} ${link.to}`)) continue;
      const cycle = cycleThrough(from, link, links, inGroup);
      cycle.forEach((one) => reported.add(`${one.from} ${one.link.to}`));
      count += 1;
      found.push(problemOf(cycle, sourceMap, count === MAX_CYCLES));
    }
  }
  return found;
}

interface CycleStep {
  readonly from: string;
  readonly link: Link;
}

function problemOf(cycle: readonly CycleStep[], places: StackInput['sourceMap'], isLast: boolean): Diagnostic {
  const [first, ...rest] = cycle;
  const names = [...cycle, ...cycle.slice(0, 1)].map(({ from }) => from);
  return {
    ...places.error(
      'reference-cycle',
      first?.link.path ?? [],
      {
        message: `references form a cycle: ${names.join(' → ')}${isLast ? '; there may be more among these resources' : ''}`,
        fix: 'remove one of the references',
      },
      first?.from,
    ),
    ...(rest.length > 0 && {
      related: rest.map(({ from, link }) => ({
        message: `${from} ${link.text} ${link.to} here`,
        range: places.value(link.path),
      })),
    }),
  };
}

function linksBetween(resources: readonly Located[]): Links {
  return new Map(
    resources.map(({ resource, path }) => {
      const { address, parent, spec } = resource;
      const links = new Map<string, Link>();
      if (parent !== undefined) links.set(parent, { to: parent, path, text: 'is a child of' });
      if (holdsUnknown(spec))
        eachLeaf(spec, (leaf, inner) => {
          if (!(leaf instanceof Expression)) return;
          for (const { address: to } of leaf.references())
            if (!links.has(to)) links.set(to, { to, path: [...path, ...inner], text: 'refers to' });
        });
      return [address, [...links.values()]] as const;
    }),
  );
}

/** The shortest cycle through a link within one group, starting with the link. */
function cycleThrough(from: string, link: Link, links: Links, group: ReadonlySet<string>): CycleStep[] {
  const back = shortestPath(link.to, from, (at) => targets(links, at).filter((to) => group.has(to))) ?? [];
  const steps = back.slice(1).flatMap((to, index): CycleStep[] => {
    const at = back[index] ?? '';
    return (links.get(at) ?? []).filter((one) => one.to === to).map((one) => ({ from: at, link: one }));
  });
  return [{ from, link }, ...steps];
}

function targets(links: Links, from: string): string[] {
  return (links.get(from) ?? []).map(({ to }) => to);
}
