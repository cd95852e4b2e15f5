// A run may delete the very key that it uses: then the service refuses it, and the report says why.

import type { StepResult } from '../../apply/event.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { isRemoval } from '../../plan/fingerprint.ts';
import type { Plan } from '../../plan/plan.ts';

/** Diagnostics in which a refusal of the key after this run deleted keys is explained by that. */
export function explainRefusedKey(
  { steps }: Pick<Plan, 'steps'>,
  results: readonly StepResult[],
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const refusal = diagnostics.find(({ code }) => code === 'api-key-refused');
  const deleted = deletedKeys(steps, results);
  if (refusal === undefined || deleted.length === 0) return diagnostics;
  const names = deleted.map(({ address, live_id: id }) => `${address} (${id ?? ''})`).join(', ');
  const explained: Diagnostic = {
    code: 'own-key-deleted',
    severity: 'error',
    message: `this run deleted ${names}, and since then the service refuses the API key that the run uses: ${refusal.message}`,
    fix: 'set EDGEFORM_API_KEY to the token of another valid key, then run plan to see whether anything is left',
  };
  return [...diagnostics.filter(({ code }) => code !== 'api-key-refused'), explained];
}

/** What the run deleted, or may have deleted, of what authenticates requests. */
function deletedKeys(steps: Plan['steps'], results: readonly StepResult[]): readonly StepResult[] {
  const keys = new Set(
    steps.filter((step) => isRemoval(step) && kindByName(step.kind).authenticates === true).map(({ id }) => id),
  );
  return results.filter(({ id, status }) => keys.has(id) && (status === 'done' || status === 'unknown'));
}
