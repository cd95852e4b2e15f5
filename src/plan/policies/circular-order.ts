// Steps that wait for each other, and of which none can be detached.

import { compareText } from '../../core/json.ts';
import type { PolicyViolation } from '../plan.ts';
import type { PolicyInput } from './policy.ts';

/** One violation for each cycle of steps in which no object can be detached. */
export function circularOrder({ cycles }: Pick<PolicyInput, 'cycles'>): PolicyViolation[] {
  return cycles.map((cycle) => {
    const addresses = [...new Set(cycle.map((draft) => draft.address))].sort(compareText);
    const message = `${addresses.join(', ')} claim values of each other, and none of them can be detached; remove the value from one of them, apply, and add it again`;
    return { rule: 'circular-order', message, addresses, flag: null };
  });
}
