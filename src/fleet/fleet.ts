// The input and the results of a run over many stacks. Types only.

import type { DriftResult } from '../drift/drift.ts';
import type { Failure } from '../core/failure.ts';
import type { Plan } from '../plan/plan.ts';
import type { Platform } from '../reconcile/platform.ts';
import type { RunInput, RunEvent } from '../reconcile/run.ts';
import type { RunReport } from '../reconcile/run-report.ts';
import type { Stop } from '../reconcile/stop.ts';

/** One stack, under its name in the fleet. Its run is stopped by the fleet's signals. */
export interface FleetStack {
  readonly name: string;
  readonly run: RunInput;
  /** A saved plan to apply instead of a new one. */
  readonly saved?: Plan | undefined;
}

export interface FleetRun extends Stop {
  readonly stacks: readonly FleetStack[];
  /** Stacks of the fleet that this run leaves out; what they import stays. */
  readonly others?: readonly FleetStack[];
  readonly platform: Platform;
  /** Requests a second to each service; undefined for no limit but the service's own. */
  readonly rate?: number | undefined;
  /** Reads and waits that the stacks share; everything else is told to the stack's own `emit`. */
  readonly emit: (event: RunEvent) => void;
}

type Ended =
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'drift'; readonly drift: DriftResult }
  | { readonly is: 'applied'; readonly report: RunReport }
  /** Its predecessor of that name was not done. */
  | { readonly is: 'blocked'; readonly by: string }
  | { readonly is: 'not-attempted' }
  | { readonly is: 'failed'; readonly failure: Failure };

/** What became of one stack; `service` is its base URL. */
export type StackResult = { readonly name: string; readonly stack: string; readonly service: string } & Ended;
