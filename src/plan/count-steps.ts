// The counts of a plan.

import type { Decision } from './decide/decision.ts';
import type { Cause, Plan, Step } from './plan.ts';

/** Counts a replacement once, and a detached object together with its update. */
export function countSteps(steps: readonly Step[], decisions: readonly Decision[], blocked: number): Plan['summary'] {
  const count = (action: Step['action']) =>
    steps.filter((step) => step.action === action && (step.phase === undefined || step.phase === 'create')).length;
  const drifted = new Set(steps.filter(isDrifted).map((step) => step.address));
  return {
    create: count('create'),
    update: count('update'),
    replace: count('replace'),
    delete: count('delete'),
    adopt: count('adopt'),
    release: count('release'),
    unchanged: decisions.filter((decision) => decision.drafts.length === 0 && decision.blocked.length === 0).length,
    blocked,
    drifted: drifted.size,
  };
}

function isDrifted({ changes, deleted_outside: deleted }: Step): boolean {
  return deleted !== undefined || changes.some((change) => change.cause === 'drift' || change.cause === 'both');
}

export function hasPlanErrors({ diagnostics }: Plan): boolean {
  return diagnostics.some(({ severity }) => severity === 'error');
}

/** The cause of a difference that was not made outside, as far as is known. */
export function isOwnDoing(cause: Cause): boolean {
  return cause === 'config' || cause === 'not-taken';
}

/** True when the live state does not match the manifest. */
export function isPending({ steps, blocked, refusals }: Plan): boolean {
  return steps.length > 0 || blocked.length > 0 || refusals.length > 0;
}
