// The input and the results of a run over many stacks, and the input's defaults for programs that embed the engine.

import { Failure } from '../core/failure.ts';
import type { DriftResult } from '../drift/drift.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import { createRun, type NewRun } from '../reconcile/create-run.ts';
import { platformOf, type Platform } from '../reconcile/platform.ts';
import type { RunInput, RunEvent } from '../reconcile/run.ts';
import type { RunReport } from '../reconcile/run-report.ts';
import { afterGrace, NEVER, type Stop } from '../reconcile/stop.ts';
import type { Shard } from './select.ts';

/** One stack, under its name in the fleet. Its run is stopped by the fleet's signals. */
export interface FleetStack {
  readonly name: string;
  readonly run: RunInput;
  /** Its wave; undefined, which is the first one, in a fleet without waves. */
  readonly wave?: number | undefined;
  /** A saved plan to apply instead of a new one. */
  readonly saved?: Plan | undefined;
}

export interface FleetRun extends Stop {
  readonly stacks: readonly FleetStack[];
  /** Stacks of the fleet that this run leaves out; what they import stays. */
  readonly others?: readonly FleetStack[];
  /** Stacks of the fleet that this run leaves out, and whose service is not known: each may be at any. */
  readonly unplaced?: readonly { readonly name: string; readonly manifest: Manifest }[] | undefined;
  /** The part of the stacks that this run takes; undefined for all of them. */
  readonly shard?: Shard | undefined;
  readonly platform: Platform;
  /** Requests a second to each service; undefined for no limit but the service's own. */
  readonly rate?: number | undefined;
  /** Waves, and reads and waits that the stacks share; everything else is told to the stack's own `emit`. */
  readonly emit: (event: FleetEvent) => void;
}

export type FleetEvent =
  | RunEvent
  /** The stacks of a wave begin; those of the waves before it ended well. */
  | { readonly type: 'wave-started'; readonly wave: number; readonly stacks: readonly string[] };

type Ended =
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'drift'; readonly drift: DriftResult }
  | { readonly is: 'applied'; readonly report: RunReport }
  /** Its predecessor of that name was not done. */
  | { readonly is: 'blocked'; readonly by: string }
  /** Nothing of it was sent: the run was stopped, or `after`, a wave before its own, did not end well. */
  | { readonly is: 'not-attempted'; readonly after?: number }
  | { readonly is: 'failed'; readonly failure: Failure };

interface StackName {
  readonly name: string;
  readonly stack: string;
  /** Base URL. */
  readonly service: string;
  /** Undefined in a fleet without waves. */
  readonly wave: number | undefined;
}

/** What became of one stack. */
export type StackResult = StackName & Ended;

/** A stack that nothing can be done with. */
export type FailedStack = StackName & Extract<Ended, { readonly is: 'failed' }>;

export function resultOf<E extends Ended>({ name, run, wave }: FleetStack, ended: E): StackName & E {
  return { name, stack: run.manifest.stack, service: run.connection.baseUrl.href, wave, ...ended };
}

/** The failure of one stack; any other error is a bug, and ends the whole run. */
export function failed(stack: FleetStack, failure: unknown): FailedStack {
  if (failure instanceof Failure) return resultOf(stack, { is: 'failed', failure });
  throw failure;
}

/** One stack; signals are those of the fleet. */
interface NewFleetStack extends Omit<NewRun, keyof Stop | 'platform' | 'service' | 'elsewhere'> {
  readonly name: string;
  readonly wave?: number | undefined;
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
export function createFleetRun({ stacks, others = [], platform = platformOf(), ...world }: NewFleet): FleetRun {
  const stackOf = ({ name, saved, wave, ...given }: NewFleetStack): FleetStack => {
    return { name, run: createRun({ ...given, platform }), wave, saved };
  };
  const hardCancel = world.signal === undefined ? NEVER.hardCancel : afterGrace(world.signal);
  const defaults = { ...NEVER, hardCancel, emit: () => undefined };
  return { ...defaults, ...world, platform, stacks: stacks.map(stackOf), others: others.map(stackOf) };
}
