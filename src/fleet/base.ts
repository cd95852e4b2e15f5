// Compares the plans of a fleet with what the fleet of a revision would do, on the same reads of the services. Writes nothing.

import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { comparableOf, type Comparison } from '../plan/compare.ts';
import { comparedPlan, comparedTo, unreadable, withKnownTargets, type Base } from '../reconcile/base.ts';
import type { FleetRun, FleetStack, StackResult } from './fleet.ts';
import { ownerKey } from './member.ts';
import { planResult, planStacks } from './plan.ts';
import type { PlannedStack, StackPlan } from './plan-stack.ts';
import { alreadyRead, serviceKey, type SharedServices } from './service.ts';

/** An entry of the revision that cannot be planned, and why. */
export interface UnreadableEntry {
  readonly name: string;
  /** The name of its stack, if it is known. */
  readonly stack: string | undefined;
  readonly problems: readonly Diagnostic[];
}

/** The fleet of a revision. */
export type FleetBase = Base<FormerFleet>;

interface FormerFleet {
  readonly is: 'fleet';
  readonly stacks: readonly FleetStack[];
  readonly unreadable: readonly UnreadableEntry[];
}

interface ComparedFleet {
  readonly stacks: readonly StackResult[];
  /** Entries that only the revision has. */
  readonly gone: readonly string[];
}

/** The plans of a fleet, and which of their steps only the change since a revision causes. Nothing more is asked of a service. */
export async function planComparedFleet(given: FleetRun, base: FleetBase): Promise<ComparedFleet> {
  const { fleet, stacks } = await planStacks(given, false);
  const foundFor = await findEach(base, fleet, stacks);
  const compare = (planned: StackPlan): StackResult => {
    const result = planResult(planned);
    if ('failure' in planned || result.is !== 'planned') return result;
    const { rev, commit } = base;
    return {
      ...result,
      plan: comparedPlan(result.plan, planned.run.manifest, { rev, commit, found: foundFor(planned) }),
    };
  };
  return { stacks: stacks.map(compare), gone: goneEntries(base, given) };
}

type FoundFor = (planned: PlannedStack) => Comparison['found'];

async function findEach(base: FleetBase, fleet: FleetRun, stacks: readonly StackPlan[]): Promise<FoundFor> {
  const { rev, found } = base;
  if (found.is !== 'fleet') return () => found;
  const planned = stacks.filter((one) => 'plan' in one);
  const counterpartOf = counterpartsIn(found.stacks);
  const services = alreadyRead(planned);
  try {
    const plans = await planCounterparts(
      planned.flatMap((one) => counterpartOf(one) ?? []),
      { found, fleet, services },
    );
    return (one) => {
      const former = counterpartOf(one);
      const wrong = found.unreadable.find(({ name, stack }) => name === one.name || stack === one.run.manifest.stack);
      if (former === undefined) return wrong === undefined ? { is: 'no-manifest' } : unreadable(rev, wrong.problems);
      return comparisonWith(former, plans.get(former.name), rev);
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const problem = unreadable(rev, error.diagnostics);
    return () => problem;
  }
}

/** What a stack of the revision would do; one at a service that was not read is another one. */
function comparisonWith({ run }: FleetStack, planned: StackPlan | undefined, rev: string): Comparison['found'] {
  if (planned === undefined) return { is: 'no-manifest' };
  if ('failure' in planned) return unreadable(rev, planned.failure.diagnostics);
  return comparedTo(run, planned.drafts.map(comparableOf));
}

interface Planning {
  readonly found: FormerFleet;
  readonly fleet: FleetRun;
  readonly services: SharedServices;
}

/** The plans of these stacks of the revision, among the others that it has. */
async function planCounterparts(
  chosen: readonly FleetStack[],
  { found, fleet, services }: Planning,
): Promise<ReadonlyMap<string, StackPlan>> {
  const isRead = ({ run }: FleetStack) => services.has(serviceKey(run.connection));
  const taken = new Set(chosen.filter(isRead));
  const others = found.stacks.filter((one) => !taken.has(one));
  const stacks = [...taken].map((one) => ({ ...one, run: withKnownTargets(one.run) }));
  const { shard: _, unplaced: _unplaced, ...whole } = fleet;
  const plans = await planStacks({ ...whole, stacks, others }, false, services);
  return new Map(plans.stacks.map((one) => [one.name, one]));
}

/** Finds the stack of the revision: that of the same stack at the same service, or else the entry of the same name. */
function counterpartsIn(
  stacks: readonly FleetStack[],
): (one: Pick<FleetStack, 'name' | 'run'>) => FleetStack | undefined {
  const byName = new Map(stacks.map((stack) => [stack.name, stack]));
  const byOwner = new Map(stacks.map((stack) => [ownerOf(stack), stack]));
  return (one) => byOwner.get(ownerOf(one)) ?? byName.get(one.name);
}

function ownerOf({ run: { connection, manifest } }: Pick<FleetStack, 'run'>): string {
  return ownerKey(serviceKey(connection), manifest.stack);
}

/** Entries of the revision that the fleet has no more, under their names or as the stack of another entry. */
function goneEntries({ found }: FleetBase, { stacks, others = [], unplaced = [] }: FleetRun): string[] {
  if (found.is !== 'fleet') return [];
  const all = [...stacks, ...others];
  const names = new Set([...all, ...unplaced].map(({ name }) => name));
  const owned = new Set(
    [...all.map(({ run }) => run.manifest), ...unplaced.map(({ manifest }) => manifest)].map(({ stack }) => stack),
  );
  const former = [...found.stacks.map(({ name, run }) => ({ name, stack: run.manifest.stack })), ...found.unreadable];
  const gone = former.filter(({ name, stack }) => !names.has(name) && !(stack !== undefined && owned.has(stack)));
  return gone.map(({ name }) => name);
}
