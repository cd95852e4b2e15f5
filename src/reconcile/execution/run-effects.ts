// Objects that are known by id, whether or not a list shows them.

import type { StepResult } from '../../apply/event.ts';
import type { Plan } from '../../plan/plan.ts';
import { isRemoval } from '../../plan/fingerprint.ts';

/** An object that must be there, or, once deleted, must not; lists may lag behind. */
export interface ExpectedObject {
  readonly kind: string;
  readonly id: string;
  readonly address: string;
  /** The stack that deleted it, or gave it up. */
  readonly deletedBy?: string;
  /** Of a journal with several accounts: which of them knows it. */
  readonly account?: { readonly journal: string; readonly number: number };
}

/** Objects that the run made, which lists may not show yet. */
export function effectsOf(plan: Plan, results: readonly StepResult[]) {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const made = results.flatMap(({ id, address, live_id }): ExpectedObject[] => {
    const step = steps.get(id);
    return step === undefined || live_id === null || isRemoval(step) ? [] : [{ kind: step.kind, id: live_id, address }];
  });
  return { made };
}
