// Plans many stacks from one read of each service, each with what the others do, and says which wait for which: importers for what
// they import, and stacks that claim a unique value for the one that gives it up. Writes nothing.
//
// Six stages, each with a result of its own type:
//
//   1. open         reads each service once                                                  OpenFleet
//   2. link         who imports what from whom, and who waits for whom                       LinkedStacks
//   3. plan         every stack after those that it waits for, with what their plans say     Analyses
//   4. give         unique values and objects that one plan gives up and another needs       Given[]
//   5. plan again   only the stacks that claim such a one, knowing that it will be free      Analyses
//   6. compare      saved plans with those, and problems of files                            PlannedFleet
//
// Example: `shop` imports an address of `network` and claims the host name that `blog` gives up. The text links network to shop, so
// network is planned first, and what it is about to create is known to the plan of shop as "known after apply". Then the plans show
// that the host name leaves blog: shop is planned again without the conflict, and waits for blog, too.

import { hasErrors } from '../core/diagnostic.ts';
import { Failure, requireValue } from '../core/failure.ts';
import { components } from '../core/graph.ts';
import { groupBy, partition } from '../core/group.ts';
import { withDeadline } from '../reconcile/stop.ts';
import { lostAccounts } from './accounts.ts';
import { resultOf, type FleetRun, type FleetStack, type StackResult, type FailedStack } from './fleet.ts';
import { afterRelease, givenBetween, type Given } from './given.ts';
import { liveJudgesIn } from './live-judges.ts';
import { linksInto, linkStacks, type KnownImport, type Link, type TextLinks } from './order.ts';
import { openFleet, type OpenFleet } from './open.ts';
import { readShard } from './select.ts';
import {
  analyseAmong,
  analyseStack,
  plannedIn,
  stepsToDo,
  withItsPlan,
  type AnalysedStack,
  type Importer,
  type OtherStacks,
  type StackPlan,
} from './plan-stack.ts';
import { serviceKey, type OpenStack, type SharedServices } from './service.ts';
import { withWaves } from './waves.ts';
import { forgottenIn } from './forgotten.ts';
import type { ForgottenTransfer, GivenUpLater } from '../plan/plan-options.ts';

/** What `applyFleet` would do, for each stack. */
export async function planFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  const { stacks } = await planStacks(fleet, false);
  return stacks.map(planResult);
}

export function planResult(planned: StackPlan): StackResult {
  return 'failure' in planned ? planned : resultOf(planned.stack, { is: 'planned', plan: planned.plan });
}

/** A fleet whose stacks are planned. */
export interface PlannedFleet<Fleet extends FleetRun = FleetRun> {
  /** With the stacks that this run takes. */
  readonly fleet: Fleet;
  /** In the order of the fleet. */
  readonly stacks: readonly StackPlan[];
  /** Names of the stacks that must be done before one. */
  readonly before: (name: string) => readonly string[];
}

/**
 * The plan of each stack; with `destroy`, plans that delete everything, importers first. The deadline of the fleet begins now;
 * `services` are those in use already.
 */
export async function planStacks<Fleet extends FleetRun>(
  given: Fleet,
  destroy: boolean,
  services?: SharedServices,
): Promise<PlannedFleet<Fleet>> {
  const whole = untilDeadline(given);
  const opened = await openFleet(whole, linksByText(whole), services);
  const linked = linkOpened(opened, destroy);
  const analyses = analyseInOrder(linked);
  const analysed = [...analyses.values()].flatMap((one) => plannedIn(one));
  const exchanged = withWaves(givenBetween(analysed), destroy ? [] : opened.fleet.stacks);
  const order = new Set<Link>(withoutCircles([...linked.links, ...exchanged.inOrder], linked.stacks.keys()));
  // What is given within a circle of stacks is held by another stack, as without a fleet.
  const [inTime, inCircles] = partition(exchanged.inOrder, (one) => order.has(one));
  analyseAgain(analyses, {
    inTime,
    late: [...exchanged.tooLate, ...inCircles.map(({ from, to, key }) => ({ from, to, key }))],
    forgotten: destroy ? new Map() : forgottenIn(analysed),
  });
  const found = [...linked.stacks.keys()].flatMap((name) => analyses.get(name) ?? []);
  const stacks = found.map((one) => ('failure' in one ? one : withItsPlan(one)));
  return { fleet: opened.fleet, stacks, before: linksInto([...order]) };
}

/** Opened stacks and what links them. */
interface LinkedStacks {
  readonly destroy: boolean;
  /** By name, in the order of the fleet. */
  readonly stacks: ReadonlyMap<string, OpenStack | FailedStack>;
  /** Who waits for whom, as far as imports say it. */
  readonly links: readonly Link[];
  readonly importsOf: (name: string) => readonly KnownImport[];
  /** Imports of a stack's objects that stay. */
  readonly importersOf: (name: string) => readonly Importer[];
  readonly neighboursOf: (open: OpenStack) => Pick<OtherStacks, 'siblings' | 'takers' | 'lostTogether' | 'liveJudges'>;
}

function linkOpened({ fleet, stacks: list, imports }: OpenFleet, destroy: boolean): LinkedStacks {
  const stacks = new Map(list.map((open) => [open.name, open]));
  const between = imports.filter(({ from, to }) => stacks.has(from) && stacks.has(to));
  const staying = destroy ? imports.filter(({ to }) => !stacks.has(to)) : imports;
  const byImporter = groupBy(imports, ({ to }) => to);
  const byOwner = groupBy(staying, ({ from }) => from);
  const unplaced = importsById(fleet);
  const neighboursOf = neighboursIn(fleet);
  const judges = liveJudgesIn(fleet, list);
  const lost = lostAccounts(fleet, list);
  return {
    destroy,
    stacks,
    links: destroy
      ? between.map((link) => ({ ...link, from: link.to, to: link.from }))
      : withWaves(between, fleet.stacks).inOrder,
    importsOf: (name) => byImporter.get(name) ?? [],
    importersOf: (name) => [...unplaced, ...(byOwner.get(name) ?? [])],
    neighboursOf: (open) => {
      const key = serviceKey(open.run.connection);
      return { ...neighboursOf(open), lostTogether: lost.get(key), liveJudges: judges.get(key) };
    },
  };
}

/** What stacks import by id whose service is not known: an id names the same object wherever it is. */
function importsById({ unplaced = [] }: FleetRun): readonly Importer[] {
  return unplaced.flatMap(({ name: to, manifest: { imports } }) =>
    imports.flatMap(({ from }): Importer[] => ('id' in from ? [{ to, address: from.id }] : [])),
  );
}

type Analyses = Map<string, AnalysedStack | FailedStack>;

/** The plan of every stack, after those that it waits for. */
function analyseInOrder(linked: LinkedStacks): Analyses {
  const { stacks, links, destroy } = linked;
  const analyses: Analyses = new Map();
  const before = linksInto(withoutCircles(links, stacks.keys()));
  const toDo = (name: string) => plannedIn(analyses.get(name)).map((one) => [name, stepsToDo(one)] as const);
  for (const name of components(stacks.keys(), before).flat()) {
    const open = stacks.get(name);
    if (open === undefined) continue;
    analyses.set(
      name,
      'failure' in open
        ? open
        : analyseAmong(open, {
            destroy,
            before: new Map(before(name).flatMap(toDo)),
            imports: linked.importsOf(name),
            importers: linked.importersOf(name),
            ...linked.neighboursOf(open),
          }),
    );
  }
  return analyses;
}

/** What the plans of stacks show of each other. */
interface Shown {
  /** What stacks give to each other, as far as it is put in order. */
  readonly inTime: readonly Given[];
  /** What would come too late. */
  readonly late: readonly (GivenUpLater & Pick<Given, 'key'>)[];
  /** By the name of the entry. */
  readonly forgotten: ReadonlyMap<string, readonly ForgottenTransfer[]>;
}

/** Plans the stacks again that need what another one gives up first, or too late. */
function analyseAgain(analyses: Analyses, { inTime, late, forgotten }: Shown): void {
  const givenTo = groupBy(inTime, ({ to }) => to);
  const lateFor = groupBy(late, ({ to }) => to);
  for (const name of new Set([...givenTo.keys(), ...lateFor.keys(), ...forgotten.keys()])) {
    const given = givenTo.get(name) ?? [];
    const forgottenTransfers = forgotten.get(name) ?? [];
    const givenUpLater = new Map(lateFor.get(name)?.map((one) => [one.key, one]));
    const releasedElsewhere = new Map(
      given.flatMap(({ what, key, stack }) => (what === 'value' ? [[key, stack]] : [])),
    );
    for (const { preview, ...analysed } of plannedIn(analyses.get(name))) {
      const { input } = preview;
      const known = { ...preview, input: { ...input, snapshot: afterRelease(input.snapshot, given) } };
      analyses.set(
        name,
        analyseStack({ ...analysed, preview: known }, { releasedElsewhere, givenUpLater, forgottenTransfers }),
      );
    }
  }
}

type Neighbours = Pick<OtherStacks, 'siblings' | 'takers'>;

/** The stacks at the service of one, and those of them that take objects of others, also when they are destroyed in this run. */
function neighboursIn({ stacks, others = [] }: FleetRun): (open: OpenStack) => Neighbours {
  const all = [...stacks, ...others].map(atService);
  const takers = groupBy(
    all.filter(({ manifest }) => manifest.transfers.length > 0),
    ({ service }) => service,
  );
  // The stacks of a service share one set: there may be thousands of them.
  const names = new Map(
    [...groupBy(all, ({ service }) => service)].map(([service, list]) => [
      service,
      new Set(list.map(({ manifest }) => manifest.stack)),
    ]),
  );
  return (open) => {
    const { service, manifest: own } = atService(open);
    const taking = (takers.get(service) ?? []).map(({ manifest }) => manifest);
    return { siblings: names.get(service) ?? new Set(), takers: taking.filter(({ stack }) => stack !== own.stack) };
  };
}

function atService({ run: { connection, manifest } }: Pick<FleetStack, 'run'>) {
  return { service: serviceKey(connection), manifest };
}

/** What only the live state shows may be a circle, which orders nothing. */
function withoutCircles(links: readonly Link[], names: Iterable<string>): Link[] {
  const groups = components(names, linksInto(links));
  const groupOf = new Map(groups.flatMap((group, at) => group.map((name) => [name, at] as const)));
  return links.filter(({ from, to }) => groupOf.get(from) !== groupOf.get(to));
}

/** The fleet with a deadline, the earliest of its stacks, that begins now. */
function untilDeadline<Fleet extends FleetRun>(fleet: Fleet): Fleet {
  const limits = fleet.stacks.flatMap(({ run }) => run.options.deadlineMs ?? []);
  return withDeadline(fleet, limits.length === 0 ? undefined : Math.min(...limits), fleet.platform.clock);
}

/**
 * Imports and moves between all stacks. Fails for stacks that cannot be together: equal names or stacks, circles, values claimed twice; and
 * for any whose links are not known, also one that is left out: unknown is not none.
 */
function linksByText({ stacks, others = [], shard }: FleetRun): TextLinks {
  const all = [...stacks, ...others];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw Failure.of('invalid', 'bad-fleet', `two stacks have the name ${twice}`, 'give each a name of its own');
  if (shard !== undefined) requireValue(readShard(`${shard.index}/${shard.of}`, {}));
  const { diagnostics, ...linked } = linkStacks(
    all.map(({ name, wave, run: { connection, manifest, options } }) => {
      return { name, service: serviceKey(connection), journal: options.journal, stack: manifest.stack, manifest, wave };
    }),
  );
  const unknown = all.flatMap(({ run: { manifest } }) => manifest.lacksInLinks ?? []);
  if (hasErrors([...unknown, ...diagnostics])) throw new Failure('invalid', [...unknown, ...diagnostics]);
  return linked;
}
