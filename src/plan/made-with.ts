// The user's options that a plan keeps: what they allowed stays allowed when it is carried out.

import type { Plan } from './plan.ts';
import type { PlanOptions } from './plan-options.ts';
import type { UserPolicies } from './policies/user-policies.ts';

export function madeWith(
  { allowDeletes, allowLoss, allowTakeover = [], refusesOpenings, allowOpening = [], recreate, targets }: PlanOptions,
  policies: UserPolicies | undefined,
): Pick<Plan, 'made_with'> {
  const given = {
    ...(allowDeletes !== undefined && { allow_deletes: allowDeletes }),
    ...(allowLoss.length > 0 && { allow_loss: allowLoss }),
    ...(allowTakeover.length > 0 && { allow_takeover: allowTakeover }),
    ...(refusesOpenings === true && { refuses_openings: true }),
    ...(allowOpening.length > 0 && { allow_opening: allowOpening }),
    ...(recreate === true && { recreate }),
    ...(targets.length > 0 && { targets }),
    ...(policies && { policies: policies.digest }),
  };
  return Object.keys(given).length === 0 ? {} : { made_with: given };
}
