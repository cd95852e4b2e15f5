// Events of applying a plan, as values: renderers and reports read them; this folder prints nothing.

import type { Code } from '../core/codes.ts';
import type { Json } from '../core/json.ts';
import type { Plan, Step } from '../plan/plan.ts';

/** How a step ended; every step of the plan ends in exactly one of these. */
export type StepStatus =
  /** Every request was carried out. */
  | 'done'
  /** A request was rejected, or a rule stopped it. What was accepted before it stays. */
  | 'failed'
  /** A step that it depends on did not end well. */
  | 'blocked'
  /** The run ended before its first request was sent. */
  | 'not_attempted'
  /** A request may have been carried out, and that could not be found out. */
  | 'unknown';

export interface StepResult extends Pick<Step, 'id' | 'address' | 'action' | 'live_id'> {
  readonly status: StepStatus;
  /** A sentence for people, without secrets; null when done. */
  readonly error: string | null;
  /** Requests of the step that the service accepted before it ended. */
  readonly requests_done: number;
  /** The rule of the plan that stopped it when it was asked again, or `api-key-refused`. */
  readonly code?: Code;
}

export type ApplyEvent =
  /** Before the first step. */
  | { readonly type: 'started'; readonly plan: Plan }
  /** A step has everything that it waited for. */
  | { readonly type: 'step-started'; readonly step: Step }
  /** A step has its result. `ms`: duration on the run's clock. */
  | { readonly type: 'step-ended'; readonly step: Step; readonly result: StepResult; readonly ms: number }
  /** Every step has its result. */
  | {
      readonly type: 'finished';
      readonly results: readonly StepResult[];
      readonly outputs: Readonly<Record<string, Json>>;
    };
