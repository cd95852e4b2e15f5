// Objects that are known by id, whether or not a list shows them.

import type { StepResult } from '../../apply/event.ts';
import type { Plan } from '../../plan/plan.ts';
import { isRemoval } from '../../plan/fingerprint.ts';

/** An object that must be there, or, once deleted, must not; lists may lag behind. */
export interface ExpectedObject {
  readonly kind: string;
  readonly id: string;
  readonly address: string;
  readonly isDeleted?: boolean;
}

/** Effects of the run that lists may not show yet: objects it created, and ids of objects it deleted. */
export function effectsOf(plan: Plan, results: readonly StepResult[]) {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const made: ExpectedObject[] = [];
  const removed = new Set<string>();
  for (const { id, address, live_id: liveId } of results) {
    const step = steps.get(id);
    if (step === undefined || liveId === null) continue;
    if (isRemoval(step)) removed.add(liveId);
    else made.push({ kind: step.kind, id: liveId, address });
  }
  return { made, removed };
}
