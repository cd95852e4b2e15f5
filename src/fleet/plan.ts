// Plans many stacks from one read of each service, each with what the others do. Writes nothing.

import { hasErrors } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { analyse } from '../plan/build.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import { importsIn } from '../plan/match/imports.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import type { Plan } from '../plan/plan.ts';
import { driftOf, withFileProblems } from '../reconcile/plan.ts';
import type { Elsewhere } from '../reconcile/run.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { FleetRun, FleetStack, StackResult } from './fleet.ts';
import { importsBetween, type ImportLink, inOrder, linksInto, movesBetween, orderMoves, type Linked } from './links.ts';
import { linkStacks } from './order.ts';
import { failureIn, openStacks, serviceKey, untilDeadline, type FailedStack, type OpenStack } from './open.ts';

export interface PlannedStack extends OpenStack {
  readonly plan: Plan;
  readonly drafts: readonly StepDraft[];
}

interface FleetPlan {
  /** In the order of the fleet. */
  readonly stacks: readonly (PlannedStack | FailedStack)[];
  /** Names of the stacks that must be done before the one of a name. */
  readonly before: (name: string) => readonly string[];
}

/** What `applyFleet` would do, for each stack. */
export async function planFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  const { stacks } = await planStacks(untilDeadline(fleet), false);
  return stacks.map(planResult);
}

export function planResult(one: PlannedStack | FailedStack): StackResult {
  if ('failure' in one) return failed(one.stack, one.failure);
  return { ...identityOf(one.stack), is: 'planned', plan: one.plan };
}

export function identityOf({ name, run }: FleetStack): Pick<StackResult, 'name' | 'stack' | 'service'> {
  return { name, stack: run.manifest.stack, service: run.connection.baseUrl.href };
}

export function failed(stack: FleetStack, failure: Failure): StackResult {
  return { ...identityOf(stack), is: 'failed', failure };
}

/** The drift of each stack. What another stack has yet to create cannot be judged. */
export async function driftFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  const { stacks } = await planStacks(untilDeadline(fleet), false);
  return stacks.map((one) => {
    if ('failure' in one) return planResult(one);
    const { input, ...rest } = one.preview;
    const { pendingImports: _, ...options } = input.options;
    try {
      const drift = driftOf(one.run, { ...rest, input: { ...input, options } });
      return { ...identityOf(one.stack), is: 'drift', drift };
    } catch (error) {
      return failed(one.stack, failureIn(error));
    }
  });
}

/** The plan of each stack; with `destroy`, those that delete everything, importers first. */
export async function planStacks(fleet: FleetRun, destroy: boolean): Promise<FleetPlan> {
  checkFleet(fleet);
  const opened = await openStacks(fleet);
  const imports = importsBetween([...fleet.stacks, ...(fleet.others ?? [])].map(memberOf));
  const names = new Set(fleet.stacks.map(({ name }) => name));
  const between = imports.filter(({ from, to }) => names.has(from) && names.has(to));
  const links = destroy ? between.map((link) => ({ ...link, from: link.to, to: link.from })) : between;
  const found = new Map<string, PlannedStack | FailedStack>();
  const openedByName = new Map(opened.map((one) => [one.stack.name, one]));
  const staying = destroy ? imports.filter(({ to }) => !names.has(to)) : imports;
  for (const name of inOrder(names, links)) {
    const one = openedByName.get(name);
    if (one === undefined) continue;
    const before = linksInto(links)(name).flatMap((other) => plannedIn(found.get(other)));
    found.set(name, 'failure' in one ? one : planWith(one, destroy, { before, imports: staying }));
  }
  const planned = [...found.values()].flatMap(plannedIn);
  const moves = movesBetween(planned.map((one) => ({ ...memberOf(one.stack), drafts: one.drafts })));
  const order = orderMoves(links, moves);
  for (const one of planned) {
    const releasedElsewhere = order.released.get(one.stack.name);
    if (releasedElsewhere !== undefined) found.set(one.stack.name, planStack(one, { releasedElsewhere }));
  }
  const stacks = fleet.stacks.flatMap(({ name }) => found.get(name) ?? []);
  return { stacks, before: linksInto(order.links) };
}

interface Surroundings {
  /** Plans of the stacks that must be done before. */
  readonly before: readonly PlannedStack[];
  /** Imports that stay. */
  readonly imports: readonly ImportLink[];
}

function planWith(one: OpenStack, destroy: boolean, { before, imports }: Surroundings): PlannedStack | FailedStack {
  const { name } = one.stack;
  const importedBy = new Map(imports.flatMap(({ from, to, address }) => (from === name ? [[address, to]] : [])));
  const creators = new Map(before.map((other) => [other.stack.name, other]));
  const { known } = importsIn(one.run.manifest, one.preview.snapshot);
  const isPending = (link: ImportLink) =>
    link.to === name && !known.has(link.as) && isMade(link.address, creators.get(link.from));
  const pendingImports = new Set(imports.filter(isPending).map(({ as }) => as));
  const { input } = one.preview;
  // Stacks that are destroyed before this one no longer use its objects.
  const gone = new Set(destroy ? before.flatMap(({ plan }) => plan.steps.flatMap((step) => step.live_id ?? [])) : []);
  const isGone = ({ id, parentId }: LiveResource) => gone.has(id) || gone.has(parentId ?? '');
  const resources =
    gone.size === 0 ? input.snapshot.resources : input.snapshot.resources.filter((live) => !isGone(live));
  const snapshot = { ...input.snapshot, resources };
  const preview = { ...one.preview, input: { ...input, snapshot, options: { ...input.options, destroy } } };
  return planStack({ ...one, preview }, { importedBy, pendingImports });
}

/** True for an address whose object a plan is about to create or take over. */
function isMade(address: string, creator: PlannedStack | undefined): boolean {
  return creator?.plan.steps.some((step) => step.address === address && !isRemoval(step)) === true;
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
    return { stack, failure: failureIn(error) };
  }
}

function plannedIn(one: PlannedStack | FailedStack | undefined): PlannedStack[] {
  return one === undefined || 'failure' in one ? [] : [one];
}

function memberOf({ name, run }: FleetStack): Linked {
  return { name, service: serviceKey(run.connection), manifest: run.manifest };
}

/** Fails for stacks that cannot be together: equal names or stacks, circles of imports, and values claimed twice. */
function checkFleet({ stacks, others = [] }: Pick<FleetRun, 'stacks' | 'others'>): void {
  const all = [...stacks, ...others];
  const names = all.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw Failure.of('invalid', 'bad-fleet', `two stacks have the name ${twice}`, 'give each a name of its own');
  const { diagnostics } = linkStacks(all.map(memberOf));
  if (hasErrors(diagnostics)) throw new Failure('invalid', diagnostics);
}
