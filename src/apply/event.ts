// Events of applying a plan, as values: renderers and reports read them; this folder prints nothing.

import type { Json } from '../core/json.ts';
import type { Plan, Step } from '../plan/plan.ts';

/** How a step ended; every step of the plan ends in exactly one of these. */
export type StepStatus = 'done' | 'failed' | 'blocked' | 'not_attempted' | 'unknown';

export interface StepResult extends Pick<Step, 'id' | 'address' | 'action' | 'live_id'> {
  readonly status: StepStatus;
  /** A sentence for people, without secrets; null when done. */
  readonly error: string | null;
  /** Requests of the step that the service accepted before it ended. */
  readonly requests_done: number;
}

export type ApplyEvent =
  | { readonly type: 'started'; readonly plan: Plan }
  | { readonly type: 'step-started'; readonly step: Step }
  /** `ms`: duration on the run's clock. */
  | { readonly type: 'step-ended'; readonly step: Step; readonly result: StepResult; readonly ms: number }
  | {
      readonly type: 'finished';
      readonly results: readonly StepResult[];
      readonly outputs: Readonly<Record<string, Json>>;
    };
