// What the documents of a run say, of one stack or of all stacks of a fleet.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';

/** The documents inside a fleet's, or the one itself. */
function parts(document: JsonObject | undefined, key: string): JsonObject[] {
  if (document === undefined) return [];
  const stacks = document['stacks'];
  if (!isList(stacks ?? null)) return [document];
  return (stacks as readonly Json[]).flatMap((one) => {
    const inner = isObject(one) ? one[key] : undefined;
    return inner !== undefined && isObject(inner) ? [inner] : [];
  });
}

export function plansIn(document: JsonObject | undefined): Plan[] {
  return parts(document, 'plan').filter(({ format }) => format === 'edgeform-plan/1') as unknown as Plan[];
}

export interface ReportStep {
  readonly address: string;
  readonly action: string;
  readonly status: string;
}

export function reportStepsIn(document: JsonObject | undefined): ReportStep[] {
  const reports = parts(document, 'report').filter(({ format }) => format === 'edgeform-report/1');
  return reports.flatMap(({ steps }) => steps as unknown as ReportStep[]);
}

/** Everything in a document, at any depth, under a key. */
export function allUnder(value: Json | undefined, key: string): Json[] {
  if (value === undefined || value === null || typeof value !== 'object') return [];
  if (isList(value)) return value.flatMap((one) => allUnder(one, key));
  return Object.entries(value).flatMap(([name, inner]) => [...(name === key ? [inner] : []), ...allUnder(inner, key)]);
}
