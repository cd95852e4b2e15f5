// Which stacks of a fleet wait for which: importers for what they import, and stacks that claim a unique value for the one that
// gives it up. Stacks are ordered, not their steps. Pure.

import { components, shortestPath } from '../core/graph.ts';
import { groupBy, groupEntries } from '../core/group.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { ReleaseElsewhere } from '../plan/plan-options.ts';
import { describeClaim } from '../plan/policies/policy.ts';
import type { Link, Member } from './order.ts';

/** A stack as links see it. */
export type Linked = Pick<Member, 'name' | 'service' | 'manifest'>;

/** An importer and the address that it imports from another member. */
export interface ImportLink extends Link {
  /** `imports.NAME` in the importer. */
  readonly as: string;
  /** In the stack that it is imported from. */
  readonly address: string;
}

/** Every import of another member's object. */
export function importsBetween(members: readonly Linked[]): ImportLink[] {
  const byStack = groupBy(members, ({ service, manifest }) => `${service} ${manifest.stack}`);
  return members.flatMap(({ name: to, service, manifest }) =>
    manifest.imports.flatMap(({ from: source, address: as }) => {
      if ('id' in source) return [];
      const { stack, address } = source;
      return (byStack.get(`${service} ${stack}`) ?? []).map(({ name: from }): ImportLink => {
        return { from, to, as, address, why: `${to} imports ${address} of ${from}` };
      });
    }),
  );
}

/** The names in an order in which each comes after everything that it waits for. */
export function inOrder(names: Iterable<string>, links: readonly Link[]): string[] {
  return components(names, linksInto(links)).flat();
}

/** What each name waits for. */
export function linksInto(links: readonly Link[]): (name: string) => readonly string[] {
  const before = groupEntries(links.map(({ from, to }) => [to, from] as const));
  return (name) => before.get(name) ?? [];
}

/** What a planned stack claims and gives up. */
interface Planned extends Linked {
  readonly drafts: readonly StepDraft[];
}

/** A unique value that one stack gives up and another claims. */
interface MovingValue extends Link {
  readonly key: string;
  readonly stack: string;
}

export function movesBetween(planned: readonly Planned[]): MovingValue[] {
  const givenUp = new Map<string, Planned>();
  const scoped = ({ service }: Planned, key: string) => `${service} ${key}`;
  for (const one of planned)
    for (const { releases } of one.drafts) for (const key of releases) givenUp.set(scoped(one, key), one);
  return planned.flatMap((one) =>
    one.drafts.flatMap((draft) =>
      draft.claims.flatMap((key): MovingValue[] => {
        const holder = givenUp.get(scoped(one, key));
        if (holder === undefined || holder === one) return [];
        const why = `${one.name} claims ${describeClaim(draft, key)}, which ${holder.name} gives up`;
        return [{ from: holder.name, to: one.name, why, key, stack: holder.manifest.stack }];
      }),
    ),
  );
}

/** The order with moving values; a value that moves within a circle of stacks orders nothing, and is named by its claimant. */
export function orderMoves(imports: readonly Link[], moves: readonly MovingValue[]) {
  const all = [...imports, ...moves];
  const groups = components(new Set(all.flatMap(({ from, to }) => [from, to])), linksInto(all));
  const groupOf = new Map(groups.flatMap((group, at) => group.map((name) => [name, at] as const)));
  const isCircular = ({ from, to }: Link) => groupOf.get(from) === groupOf.get(to);
  const released = groupEntries(
    moves.map((move): readonly [string, readonly [string, ReleaseElsewhere]] => {
      const { to, key, stack } = move;
      return [to, [key, { stack, ...(isCircular(move) && { circle: circleOf(move, all) }) }]];
    }),
  );
  return {
    links: all.filter((link) => imports.includes(link) || !isCircular(link)),
    /** By the claimant's name: the values that it gets from others, by key. */
    released: new Map([...released].map(([name, entries]) => [name, new Map(entries)])),
  };
}

/** Every link of the circle that a link closes, in words. */
function circleOf(closing: Link, links: readonly Link[]): string {
  const path = shortestPath(closing.from, closing.to, linksInto(links)) ?? [];
  const others = path
    .slice(1)
    .flatMap((before, at) => links.find(({ from, to }) => from === before && to === path[at]) ?? []);
  return [closing, ...others].map(({ why }) => why).join('; ');
}
