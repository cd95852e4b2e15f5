// The order in which a plan is carried out: what steps must wait for, and what they had better wait for.

import type { StepDraft } from '../decide/step-draft.ts';
import { isRemoval } from '../fingerprint.ts';
import { breakCycles } from './break-cycles.ts';
import { order, type Ordered } from './order.ts';

/**
 * The drafts in their order. What was replaced is deleted before the object that replaced it: with that one gone, no marker would say
 * which of the remaining objects of an address is the new one (ADR-0014). This matters to a run that stops between the two
 * deletions, and is not worth a cycle.
 */
export function orderSteps(drafts: readonly StepDraft[]): Ordered {
  const required = breakCycles(drafts);
  const preferred = order(replacedFirst(required.drafts));
  return preferred.cycles.length === 0 ? preferred : required;
}

/** The drafts, with each deletion after that of the object which the marker of the deleted one calls replaced. */
function replacedFirst(drafts: readonly StepDraft[]): readonly StepDraft[] {
  const removals = drafts.filter((draft) => isRemoval(draft));
  const keyById = new Map(removals.map(({ live, key }) => [live?.id ?? '', key]));
  return drafts.map((draft) => {
    const key = isRemoval(draft) ? keyById.get(draft.live?.marker?.replaces ?? '') : undefined;
    return key === undefined ? draft : { ...draft, after: [...draft.after, key] };
  });
}
