// Plans many stacks from one read of each service, each with what the others do, and says which wait for which: importers for what
// they import, and stacks that claim a unique value for the one that gives it up. Writes nothing.

import { hasErrors } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { components } from '../core/graph.ts';
import { groupEntries } from '../core/group.ts';
import { analyse } from '../plan/build.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { importsIn } from '../plan/match/imports.ts';
import type { Plan } from '../plan/plan.ts';
import type { ReleaseElsewhere } from '../plan/plan-options.ts';
import { describeClaim } from '../plan/policies/policy.ts';
import { driftOf, withFileProblems } from '../reconcile/plan.ts';
import type { Elsewhere } from '../reconcile/run.ts';
import { withDeadline } from '../reconcile/stop.ts';
import { failed, resultOf, type FleetRun, type StackResult } from './fleet.ts';
import { circleOf, linksInto, linkStacks, type ImportLink, type Link } from './order.ts';
import { openStacks, serviceKey, type FailedStack, type OpenStack } from './service.ts';

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
  const { stacks } = await planStacks(fleet, false);
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
  const fleet = untilDeadline(given);
  const imports = linksIn(fleet);
  const opened = new Map((await openStacks(fleet)).map((one) => [one.name, one]));
  const between = imports.filter(({ from, to }) => opened.has(from) && opened.has(to));
  const links = destroy ? between.map((link) => ({ ...link, from: link.to, to: link.from })) : between;
  const staying = destroy ? imports.filter(({ to }) => !opened.has(to)) : imports;
  const found = new Map<string, PlannedStack | FailedStack>();
  const before = linksInto(links);
  for (const one of components(opened.keys(), before)
    .flat()
    .flatMap((name) => opened.get(name) ?? [])) {
    const earlier = before(one.name).flatMap((name) => plannedIn(found.get(name)));
    found.set(one.name, 'failure' in one ? one : planWith(one, destroy, earlier, staying));
  }
  const planned = [...found.values()].flatMap(plannedIn);
  const order = withMoves(links, planned);
  for (const one of planned) {
    const releasedElsewhere = order.released.get(one.name);
    if (releasedElsewhere !== undefined)
      found.set(one.name, planStack(one, { releasedElsewhere: new Map(releasedElsewhere) }));
  }
  return { fleet, stacks: [...opened.keys()].flatMap((name) => found.get(name) ?? []), before: linksInto(order.links) };
}

/** The fleet with a deadline, the earliest of its stacks, that begins now. */
function untilDeadline<Fleet extends FleetRun>(fleet: Fleet): Fleet {
  const limits = fleet.stacks.flatMap(({ run }) => run.options.deadlineMs ?? []);
  return withDeadline(fleet, limits.length === 0 ? undefined : Math.min(...limits), fleet.platform.clock);
}

/** Imports between all stacks. Fails for stacks that cannot be together: equal names or stacks, circles, values claimed twice. */
function linksIn({ stacks, others = [] }: FleetRun): readonly ImportLink[] {
  const all = [...stacks, ...others];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw Failure.of('invalid', 'bad-fleet', `two stacks have the name ${twice}`, 'give each a name of its own');
  const { links, diagnostics } = linkStacks(
    all.map(({ name, run }) => ({ name, service: serviceKey(run.connection), manifest: run.manifest })),
  );
  if (hasErrors(diagnostics)) throw new Failure('invalid', diagnostics);
  return links;
}

/** The plan after those of the stacks that must be done before; `imports` are those that stay. */
function planWith(
  one: OpenStack,
  destroy: boolean,
  before: readonly PlannedStack[],
  imports: readonly ImportLink[],
): PlannedStack | FailedStack {
  const importedBy = new Map(imports.flatMap(({ from, to, address }) => (from === one.name ? [[address, to]] : [])));
  const { known } = importsIn(one.run.manifest, one.preview.snapshot);
  // What a plan before this one is about to create or take over.
  const isMade = ({ from, address }: ImportLink) =>
    before.some(
      ({ name, plan }) => name === from && plan.steps.some((step) => step.address === address && !isRemoval(step)),
    );
  const pending = imports.filter((link) => link.to === one.name && !known.has(link.as) && isMade(link));
  const { input } = one.preview;
  // Stacks that are destroyed before this one no longer use its objects.
  const gone = new Set(destroy ? before.flatMap(({ plan }) => plan.steps.flatMap((step) => step.live_id ?? [])) : []);
  const resources = input.snapshot.resources.filter(({ id, parentId }) => !gone.has(id) && !gone.has(parentId ?? ''));
  const snapshot = { ...input.snapshot, resources };
  const preview = { ...one.preview, input: { ...input, snapshot, options: { ...input.options, destroy } } };
  return planStack({ ...one, preview }, { importedBy, pendingImports: new Set(pending.map(({ as }) => as)) });
}

/** The plan, knowing more of what the other stacks do. */
function planStack(one: OpenStack, more: Elsewhere): PlannedStack | FailedStack {
  const { stack, run, preview } = one;
  const elsewhere = { ...run.elsewhere, ...more };
  const input = { ...preview.input, options: { ...preview.input.options, ...elsewhere } };
  try {
    const { plan, drafts } = analyse(input);
    const shown = stack.saved ?? withFileProblems(plan, run, preview.problem);
    return { ...one, run: { ...run, elsewhere }, preview: { ...preview, input }, plan: shown, drafts };
  } catch (error) {
    return failed(stack, error);
  }
}

function plannedIn(one: PlannedStack | FailedStack | undefined): PlannedStack[] {
  return one === undefined || 'failure' in one ? [] : [one];
}

/** A unique value that one stack gives up and another claims. */
interface MovingValue extends Link {
  readonly why: string;
  readonly key: string;
  readonly stack: string;
}

function movesBetween(planned: readonly PlannedStack[]): MovingValue[] {
  const scoped = ({ run }: PlannedStack, key: string) => `${serviceKey(run.connection)} ${key}`;
  const releases = (one: PlannedStack) => one.drafts.flatMap((draft) => draft.releases);
  const givenUp = new Map(planned.flatMap((one) => releases(one).map((key) => [scoped(one, key), one] as const)));
  return planned.flatMap((one) =>
    one.drafts.flatMap((draft) =>
      draft.claims.flatMap((key): MovingValue[] => {
        const holder = givenUp.get(scoped(one, key));
        if (holder === undefined || holder === one) return [];
        const why = `${one.name} claims ${describeClaim(draft, key)}, which ${holder.name} gives up`;
        return [{ from: holder.name, to: one.name, why, key, stack: holder.run.manifest.stack }];
      }),
    ),
  );
}

/**
 * The order with moving values, and those that each claimant gets from others. A value that moves within a circle of stacks orders
 * nothing, and its claimant is told of the circle.
 */
function withMoves(imports: readonly ImportLink[], planned: readonly PlannedStack[]) {
  const moves = movesBetween(planned);
  const all = [...imports, ...moves];
  const groups = components(new Set(all.flatMap(({ from, to }) => [from, to])), linksInto(all));
  const groupOf = new Map(groups.flatMap((group, at) => group.map((name) => [name, at] as const)));
  const isCircular = ({ from, to }: Link) => groupOf.get(from) === groupOf.get(to);
  const circle = (move: MovingValue) =>
    circleOf<{ why: string } & Link>(move, all)
      .map(({ why }) => why)
      .join('; ');
  const released = moves.map((move): [string, [string, ReleaseElsewhere]] => {
    const { to, key, stack } = move;
    return [to, [key, { stack, ...(isCircular(move) && { circle: circle(move) }) }]];
  });
  return { links: [...imports, ...moves.filter((move) => !isCircular(move))], released: groupEntries(released) };
}
