// A run over many stacks with defaults for all optional input, for programs that embed the engine.

import type { Plan } from '../plan/plan.ts';
import { createRun, type NewRun } from '../reconcile/create-run.ts';
import { platformOf } from '../reconcile/platform.ts';
import { afterGrace, NEVER, type Stop } from '../reconcile/stop.ts';
import type { FleetRun, FleetStack } from './fleet.ts';

/** One stack; signals are those of the fleet. */
export interface NewFleetStack extends Omit<NewRun, keyof Stop | 'platform' | 'service' | 'elsewhere'> {
  readonly name: string;
  readonly saved?: Plan | undefined;
}

/** The stacks, and changes to the defaults. */
export interface NewFleet extends Partial<Omit<FleetRun, 'stacks' | 'others'>> {
  readonly stacks: readonly NewFleetStack[];
  /** Stacks that are left out now: what they import stays. */
  readonly others?: readonly NewFleetStack[];
}

/**
 * The input of `planFleet`, `driftFleet`, `applyFleet` and `destroyFleet`; it can be reused. Throws a `Failure` for an invalid
 * connection. Those functions throw one, before any request, for stacks that cannot be together.
 */
export function createFleetRun({ stacks, others = [], ...world }: NewFleet): FleetRun {
  const { platform = platformOf() } = world;
  const stackOf = ({ name, saved, ...given }: NewFleetStack): FleetStack => {
    return { name, run: createRun({ ...given, platform }), saved };
  };
  return {
    ...NEVER,
    ...(world.signal && { hardCancel: afterGrace(world.signal) }),
    emit: () => undefined,
    ...world,
    platform,
    stacks: stacks.map(stackOf),
    others: others.map(stackOf),
  };
}
