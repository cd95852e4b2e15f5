// Steps that wait for each other, and of which none can be detached.

import { compareText } from '../../core/json.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { PolicyViolation } from '../plan.ts';
import { describeClaim, type PolicyInput } from './policy.ts';

/** One violation for each cycle of steps in which no object can be detached; it says who needs which value. */
export function circularOrder({ cycles }: Pick<PolicyInput, 'cycles'>): PolicyViolation[] {
  return cycles.map((cycle) => {
    const addresses = [...new Set(cycle.map((draft) => draft.address))].sort(compareText);
    const contested = contestedClaims(cycle);
    const who = contested.length === 0 ? addresses.join(', ') : contested.join('; ');
    return {
      rule: 'circular-order',
      message: `these steps wait for each other, and none of them can be detached: ${who}; remove the value from one of them, apply, and add it again`,
      addresses,
      flag: null,
    };
  });
}

/** Which step claims which value of which other one. */
function contestedClaims(cycle: readonly StepDraft[]): string[] {
  const holders = new Map(cycle.flatMap((draft) => draft.releases.map((key) => [key, draft] as const)));
  const said = cycle.flatMap((draft) =>
    draft.claims.flatMap((key) => {
      const holder = holders.get(key);
      if (holder === undefined || holder === draft) return [];
      return [`${draft.address} claims ${describeClaim(draft, key)}, which ${holder.address} holds`];
    }),
  );
  return said.sort(compareText);
}
