// Plans many stacks from one read of each service, each with what the others do, and says which wait for which: importers for what
// they import, and stacks that claim a unique value for the one that gives it up. Writes nothing.

import { hasErrors } from '../core/diagnostic.ts';
import { Failure, requireValue } from '../core/failure.ts';
import { components } from '../core/graph.ts';
import { groupBy } from '../core/group.ts';
import { analyse } from '../plan/build.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { importsIn } from '../plan/match/imports.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import { driftOf, withFileProblems } from '../reconcile/plan.ts';
import type { RunInput } from '../reconcile/run.ts';
import { recheckSavedPlan } from '../reconcile/saved-plan.ts';
import { withDeadline } from '../reconcile/stop.ts';
import { failed, resultOf, type FleetRun, type FleetStack, type StackResult } from './fleet.ts';
import { linksInto, linkStacks, type Link } from './order.ts';
import { openFleet } from './open.ts';
import { outsideFleet, type OutsideFleet, type ReadService } from './outside.ts';
import { readShard } from './select.ts';
import { serviceKey, type FailedStack, type OpenStack } from './service.ts';
import { transferredFrom } from './transfers.ts';

export interface PlannedStack extends OpenStack {
  readonly plan: Plan;
  readonly drafts: readonly StepDraft[];
}

/** What `applyFleet` would do, for each stack. */
export async function planFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  const { stacks } = await planStacks(fleet, false);
  return stacks.map(planResult);
}

export function planResult(one: PlannedStack | FailedStack): StackResult {
  return 'failure' in one ? one : resultOf(one.stack, { is: 'planned', plan: one.plan });
}

/** The drift of each stack. What another stack has yet to create cannot be judged. */
export async function driftFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  return (await compareFleet(fleet)).stacks;
}

/** The drift of each stack, and what the services hold of stacks that no entry names. */
export async function compareFleet(
  fleet: FleetRun,
): Promise<{ readonly stacks: readonly StackResult[]; readonly outside: OutsideFleet }> {
  const { stacks } = await planStacks(fleet, false);
  return { stacks: driftOfEach(stacks), outside: outsideFleet(servicesIn(fleet, stacks)) };
}

/** Each service that was read, with the stacks of the whole fleet there. */
function servicesIn(
  { stacks, others = [] }: FleetRun,
  planned: readonly (PlannedStack | FailedStack)[],
): ReadService[] {
  const named = groupBy([...stacks, ...others], ({ run }) => serviceKey(run.connection));
  const found = new Map<string, ReadService>();
  for (const { run, read } of planned.flatMap(plannedIn)) {
    const key = serviceKey(run.connection);
    const names = (named.get(key) ?? []).map((one) => one.run.manifest.stack);
    if (read !== undefined)
      found.set(key, { service: run.connection.baseUrl.href, snapshot: read.snapshot, stacks: new Set(names) });
  }
  return [...found.values()];
}

function driftOfEach(stacks: readonly (PlannedStack | FailedStack)[]): StackResult[] {
  return stacks.map((one) => {
    if ('failure' in one) return one;
    const { input, ...rest } = one.preview;
    const { pendingImports: _, ...options } = input.options;
    try {
      const drift = driftOf(one.run, { ...rest, input: { ...input, options } });
      return resultOf(one.stack, { is: 'drift', drift });
    } catch (error) {
      return failed(one.stack, error);
    }
  });
}

/**
 * The plan of each stack, in the order of the fleet, and the names of the stacks that must be done before one. With `destroy`,
 * those that delete everything, importers first. The deadline of the fleet begins now.
 */
export async function planStacks<Fleet extends FleetRun>(given: Fleet, destroy: boolean) {
  const whole = untilDeadline(given);
  const { fleet, found: read, imports } = await openFleet(whole, linksIn(whole));
  const opened = new Map(read.map((one) => [one.name, one]));
  const between = imports.filter(({ from, to }) => opened.has(from) && opened.has(to));
  const links = destroy ? between.map((link) => ({ ...link, from: link.to, to: link.from })) : between;
  const staying = destroy ? imports.filter(({ to }) => !opened.has(to)) : imports;
  const [importsOf, importersOf] = [groupBy(imports, ({ to }) => to), groupBy(staying, ({ from }) => from)];
  const neighboursOf = neighboursIn(fleet, destroy);
  const found = new Map<string, PlannedStack | FailedStack>();
  const before = linksInto(withoutCircles(links, opened.keys()));
  for (const name of components(opened.keys(), before).flat()) {
    const one = opened.get(name);
    if (one === undefined) continue;
    const around = {
      destroy,
      before: new Map(before(name).flatMap((other) => plannedIn(found.get(other)).map((done) => [other, done.plan]))),
      imports: importsOf.get(name) ?? [],
      importers: importersOf.get(name) ?? [],
      ...neighboursOf(one),
    };
    found.set(name, 'failure' in one ? one : planWith(one, around));
  }
  const moves = movesBetween([...found.values()].flatMap(plannedIn));
  const ordered = withoutCircles([...links, ...moves], opened.keys());
  // A value that moves within a circle of stacks is held by another stack, as without a fleet.
  const moving = moves.filter((one) => ordered.includes(one));
  for (const [name, claimed] of groupBy(moving, ({ to }) => to)) {
    const releasedElsewhere = new Map(claimed.map(({ key, stack }) => [key, stack]));
    for (const one of plannedIn(found.get(name))) found.set(name, planStack(one, { releasedElsewhere }));
  }
  const stacks = [...opened.keys()].flatMap((name) => found.get(name) ?? []);
  return { fleet, stacks, before: linksInto(ordered) };
}

/** The stacks at the service of one, and those of them that may take its objects: of a run that destroys, only those that stay. */
function neighboursIn({ stacks, others = [] }: FleetRun, destroy: boolean) {
  const atService = ({ run }: Pick<FleetStack, 'run'>) => serviceKey(run.connection);
  const all = groupBy([...stacks, ...others], atService);
  const takers = groupBy(destroy ? others : [...stacks, ...others], atService);
  return (one: OpenStack | FailedStack): Pick<Around, 'siblings' | 'takers'> => {
    if ('failure' in one) return { siblings: new Set(), takers: [] };
    const manifestsIn = (list: readonly FleetStack[] = []) =>
      list.map(({ run }) => run.manifest).filter(({ stack }) => stack !== one.run.manifest.stack);
    const service = atService(one);
    return {
      siblings: new Set(manifestsIn(all.get(service)).map(({ stack }) => stack)),
      takers: manifestsIn(takers.get(service)).filter(({ transfers }) => transfers.length > 0),
    };
  };
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
 * Imports between all stacks. Fails for stacks that cannot be together: equal names or stacks, circles, values claimed twice; and
 * for any whose links are not known, also one that is left out: unknown is not none.
 */
function linksIn({ stacks, others = [], shard }: FleetRun): ReturnType<typeof linkStacks>['links'] {
  const all = [...stacks, ...others];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw Failure.of('invalid', 'bad-fleet', `two stacks have the name ${twice}`, 'give each a name of its own');
  if (shard !== undefined) requireValue(readShard(`${shard.index}/${shard.of}`, {}));
  const { links, diagnostics } = linkStacks(
    all.map(({ name, run: { connection, manifest, options } }) => {
      return { name, service: serviceKey(connection), journal: options.journal, stack: manifest.stack, manifest };
    }),
  );
  const unknown = all.flatMap(({ run: { manifest } }) => manifest.lacksInLinks ?? []);
  if (hasErrors([...unknown, ...diagnostics])) throw new Failure('invalid', [...unknown, ...diagnostics]);
  return links;
}

type Import = Awaited<ReturnType<typeof openFleet>>['imports'][number];

/** What a plan has to know of others. */
interface Around {
  readonly destroy: boolean;
  /** Plans of the stacks that must be done before, by their names. */
  readonly before: ReadonlyMap<string, Plan>;
  readonly imports: readonly Import[];
  /** Imports of its own objects that stay. */
  readonly importers: readonly Import[];
  /** The other stacks of the fleet at its service, and the manifests of those that take objects from others. */
  readonly siblings: ReadonlySet<string>;
  readonly takers: readonly Manifest[];
}

function planWith(one: OpenStack, around: Around): PlannedStack | FailedStack {
  const { destroy, before, imports, importers, siblings, takers } = around;
  const importedBy = new Map(importers.map(({ to, address }) => [address, to]));
  const { known } = importsIn(one.run.manifest, one.preview.snapshot);
  // What a plan before this one is about to create or take over.
  const isMade = ({ from, address }: Import) =>
    before.get(from)?.steps.some((step) => step.address === address && !isRemoval(step)) === true;
  const pendingImports = new Set(imports.filter((link) => !known.has(link.as) && isMade(link)).map(({ as }) => as));
  const { input } = one.preview;
  // Stacks that are destroyed before this one no longer use its objects.
  const ended = destroy ? [...before.values()] : [];
  const gone = new Set(ended.flatMap(({ steps }) => steps.flatMap((step) => step.live_id ?? [])));
  const resources = input.snapshot.resources.filter(({ id, parentId }) => !gone.has(id) && !gone.has(parentId ?? ''));
  const snapshot = { ...input.snapshot, resources };
  const preview = { ...one.preview, input: { ...input, snapshot, options: { ...input.options, destroy } } };
  const transferredElsewhere = transferredFrom(one.run.manifest, snapshot, takers);
  return planStack({ ...one, preview }, { importedBy, pendingImports, transferredElsewhere, siblings });
}

/** The plan, knowing more of what the other stacks do. */
function planStack(one: OpenStack, more: RunInput['elsewhere']): PlannedStack | FailedStack {
  const { stack, run, preview } = one;
  const elsewhere = { ...run.elsewhere, ...more };
  const input = { ...preview.input, options: { ...preview.input.options, ...elsewhere } };
  try {
    const { plan, drafts } = analyse(input);
    const shown =
      stack.saved === undefined ? withFileProblems(plan, run, preview.problem) : recheckSavedPlan(stack.saved, input);
    return { ...one, run: { ...run, elsewhere }, preview: { ...preview, input }, plan: shown, drafts };
  } catch (error) {
    return failed(stack, error);
  }
}

function plannedIn(one: PlannedStack | FailedStack | undefined): PlannedStack[] {
  return one === undefined || 'failure' in one ? [] : [one];
}

/** A unique value that one stack gives up, of this name in the service, and another claims. */
interface MovingValue extends Link {
  readonly key: string;
  readonly stack: string;
}

function movesBetween(planned: readonly PlannedStack[]): MovingValue[] {
  const scoped = ({ run }: PlannedStack, key: string) => `${serviceKey(run.connection)} ${key}`;
  const releases = (one: PlannedStack) => one.drafts.flatMap((draft) => draft.releases);
  const givenUp = new Map(planned.flatMap((one) => releases(one).map((key) => [scoped(one, key), one] as const)));
  return planned.flatMap((one) =>
    one.drafts.flatMap(({ claims }) =>
      claims.flatMap((key): MovingValue[] => {
        const holder = givenUp.get(scoped(one, key));
        if (holder === undefined || holder === one) return [];
        return [{ from: holder.name, to: one.name, key, stack: holder.run.manifest.stack }];
      }),
    ),
  );
}
