// Parses a plan file: its format, shape and fingerprint are checked before anything in it is trusted.

import type { Result } from '../core/diagnostic.ts';
import { isObject, MAX_LEVELS, readJson, type Json } from '../core/json.ts';
import { fingerprintPlan } from './build.ts';
import { PLAN_FORMAT, type Plan } from './plan.ts';

/** The requests of a plan hold values of a manifest some levels deeper than the manifest. */
const PLAN_LEVELS = MAX_LEVELS + 16;

const NAME_A_PLAN = 'name a file that `edgeform plan --out` wrote';

/** Returns what is wrong with the shape of a plan document, if anything. */
type CheckShape = (document: Json) => string | undefined;

export function parsePlan(text: string, checkShape: CheckShape): Result<Plan> {
  const reading = readJson(text, PLAN_LEVELS);
  if (reading.problem !== undefined) return unusablePlan(`it ${reading.why}`, NAME_A_PLAN);
  const { json } = reading;
  if (!isObject(json)) return unusablePlan('it is not a JSON object', NAME_A_PLAN);
  const { format } = json;
  if (format !== PLAN_FORMAT)
    return unusablePlan(formatProblem(format), 'make a new plan with this version of edgeform');
  const problem = checkShape(json);
  if (problem !== undefined) return unusablePlan(problem, 'make a new plan with this version of edgeform');
  const plan = json as unknown as Plan;
  if (fingerprintPlan(plan) !== plan.fingerprint)
    return unusablePlan('it was edited: its fingerprint does not match its content', 'make a new plan');
  return { value: plan, diagnostics: [] };
}

function formatProblem(format: Json | undefined): string {
  const found = typeof format === 'string' ? JSON.stringify(format.slice(0, 40)) : 'none';
  const isLater = typeof format === 'string' && /^edgeform-plan\/(?:[2-9]|[1-9]\d+)$/.test(format);
  return isLater
    ? `it has the format ${found}, which is newer than ${PLAN_FORMAT}`
    : `its format is ${found}, not ${PLAN_FORMAT}`;
}

function unusablePlan(problem: string, fix: string): Result<Plan> {
  const message = `the saved plan cannot be used: ${problem}`;
  return { diagnostics: [{ code: 'bad-plan-file', severity: 'error', message, fix }] };
}
