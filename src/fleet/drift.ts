// The drift of a fleet: that of each stack, and what the services hold of stacks that no entry names. Its clients do not write.

import { groupBy } from '../core/group.ts';
import type { MatchedDrift } from '../drift/drift.ts';
import { matchedDriftOf } from '../reconcile/plan.ts';
import { failed, resultOf, type FleetRun, type StackResult } from './fleet.ts';
import { outsideFleet, type OutsideFleet, type ReadService } from './outside.ts';
import { planStacks } from './plan.ts';
import { plannedIn, type StackPlan } from './plan-stack.ts';
import { serviceKey } from './service.ts';

/** The drift of each stack. What another stack has yet to create cannot be judged. */
export async function driftFleet(fleet: FleetRun): Promise<readonly StackResult[]> {
  const { stacks } = await compareFleet(fleet);
  return stacks.map((one): StackResult => {
    if (one.is !== 'drift') return one;
    const { pairs: _, ...drift } = one.drift;
    return { ...one, drift };
  });
}

/** What became of one stack, with the objects that were compared. */
export type ComparedStack =
  | Exclude<StackResult, { readonly is: 'drift' }>
  | (Extract<StackResult, { readonly is: 'drift' }> & { readonly drift: MatchedDrift });

/** The drift of each stack, and what the services hold of stacks that no entry names. */
export async function compareFleet(
  fleet: FleetRun,
): Promise<{ readonly stacks: readonly ComparedStack[]; readonly outside: OutsideFleet }> {
  const { stacks } = await planStacks(fleet, false);
  return { stacks: driftOfEach(stacks), outside: outsideFleet(servicesIn(fleet, stacks)) };
}

/** Each service that was read, with the stacks of the whole fleet that are there, or may be. */
function servicesIn({ stacks, others = [], unplaced = [] }: FleetRun, planned: readonly StackPlan[]): ReadService[] {
  const named = groupBy([...stacks, ...others], ({ run }) => serviceKey(run.connection));
  const found = new Map<string, ReadService>();
  for (const { run, read } of planned.flatMap(plannedIn)) {
    const key = serviceKey(run.connection);
    const there = (named.get(key) ?? []).map((stack) => stack.run.manifest);
    const names = [...there, ...unplaced.map(({ manifest }) => manifest)].map(({ stack }) => stack);
    if (read !== undefined)
      found.set(key, { service: run.connection.baseUrl.href, snapshot: read.snapshot, stacks: new Set(names) });
  }
  return [...found.values()];
}

function driftOfEach(stacks: readonly StackPlan[]): ComparedStack[] {
  return stacks.map((planned) => {
    if ('failure' in planned) return planned;
    const { input, ...rest } = planned.preview;
    const { pendingImports: _, ...options } = input.options;
    try {
      const drift = matchedDriftOf(planned.run, { ...rest, input: { ...input, options } });
      return resultOf(planned.stack, { is: 'drift', drift });
    } catch (error) {
      return failed(planned.stack, error);
    }
  });
}
