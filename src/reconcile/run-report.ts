// The report of a run: its result, outcome and diagnostics, derived from step results and plans.

import type { StepResult } from '../apply/event.ts';
import { identityOf, type Diagnostic } from '../core/diagnostic.ts';
import { diagnosticOf, placesOf } from '../core/diagnostic-json.ts';
import type { EndedRun } from '../core/run-record.ts';
import type { Code } from '../core/codes.ts';
import type { RunOutcome, RunResult } from '../core/run-outcome.ts';
import type { Plan } from '../plan/plan.ts';
import { hasPlanErrors } from '../plan/count-steps.ts';
import { explainEarlyStop, type Stop } from './stop.ts';
import type { TokenPlace } from './execution/token-files.ts';

/** How an apply or destroy ended. Values are exact, and a plain one may repeat a secret: show it with `renderReportAs`. */
export interface RunReport {
  /** The plan, with the outputs known by now. */
  readonly plan: Plan;
  readonly results: readonly StepResult[];
  readonly result: RunResult;
  readonly outcome: RunOutcome;
  /** The diagnostics of the run, without `lost`. */
  readonly diagnostics: readonly Diagnostic[];
  /** Output that could not be written: the caller's own, and entries of the journal. */
  readonly lost: readonly Diagnostic[];
  /** Where returned-once values were stored. */
  readonly tokens: readonly TokenPlace[];
  readonly run: EndedRun;
}

export type RunStatus = Pick<RunReport, 'result' | 'outcome' | 'diagnostics'>;

/** Why a plan is not applied at all. */
export function whyNotExecuted(plan: Plan): { readonly result: RunResult; readonly outcome: RunOutcome } | undefined {
  if (hasPlanErrors(plan)) return { result: 'error', outcome: 'error' };
  if (plan.refusals.length > 0) return { result: 'refused', outcome: 'refused' };
  return undefined;
}

/** How a command ends that only shows a plan: as apply would without a write, else as given. */
export function outcomeOfShown(plan: Plan, otherwise: RunOutcome): RunOutcome {
  const isStuck = plan.steps.length === 0 && plan.blocked.length > 0;
  return whyNotExecuted(plan)?.outcome ?? (isStuck ? 'error' : otherwise);
}

export function problemsOfPlan(plan: Plan): Diagnostic[] {
  const refusals = plan.refusals.map(({ rule, message, fix, flag, ...places }): Diagnostic => {
    const ways = [...(fix === undefined ? [] : [fix]), ...(flag === null ? [] : [`allow it with ${flag}`])];
    const way = ways.length === 0 ? {} : { fix: ways.join('; or ') };
    return { code: rule, severity: 'error', message, ...way, ...placesOf(places) };
  });
  return [...plan.diagnostics.map(diagnosticOf), ...refusals];
}

export function withWarnings({ plan, diagnostics }: Pick<RunReport, 'plan' | 'diagnostics'>): readonly Diagnostic[] {
  const known = new Set(diagnostics.map(identityOf));
  const warnings = problemsOfPlan(plan).filter(({ severity }) => severity === 'warning');
  return [...warnings.filter((warning) => !known.has(identityOf(warning))), ...diagnostics];
}

/** `found` are problems of the run; remaining differences are named with them. */
export function notConverged(after: Plan, results: readonly StepResult[], found: readonly Diagnostic[]): RunStatus {
  const left = [
    ...after.steps.map((step) => step.address),
    ...after.blocked.map(({ address, path, message }) => `${address}${path === '' ? '' : `.${path}`} (${message})`),
    ...after.refusals.flatMap((one) => one.addresses),
  ];
  const names = [...new Set(left)].join(', ');
  const start =
    results.length === 0
      ? 'the service cannot change'
      : 'all steps succeeded, but these still differ from the manifest:';
  const why: Diagnostic = {
    code: 'not-converged',
    severity: 'error',
    message: `${start} ${names}`,
    fix: `run plan to see what differs${aboutSecrets(after, results)}`,
  };
  const problems = problemsOfPlan({ ...after, refusals: [] }).filter((one) => one.severity === 'error');
  const diagnostics = [...found, ...problems, ...(names === '' ? [] : [why])];
  return results.length === 0
    ? { result: 'error', outcome: 'error', diagnostics }
    : { result: 'partial', outcome: 'partial', diagnostics };
}

/** Secrets that were sent although the service returns something else in their place: no rule knows every mask. */
function aboutSecrets({ steps }: Plan, results: readonly StepResult[]): string {
  const sent = steps.filter((step) => results.some(({ address }) => address === step.address));
  const changes = sent.flatMap((step) => step.changes.filter(({ sensitive, cause }) => sensitive && cause === 'drift'));
  const paths = [...new Set(changes.map(({ path }) => path))];
  const fields = [...new Set(paths.map((path) => path.split('.')[0]))];
  if (paths.length === 0) return '';
  return `; if the service returns ${paths.join(', ')} in another form, add ${fields.join(', ')} to \`ignore_changes\``;
}

/** True for a step of which the service accepted a request. */
export function isWritten({ status, requests_done: done }: Pick<StepResult, 'status' | 'requests_done'>): boolean {
  return status === 'done' || done > 0;
}

/** The outcome of steps that were not all done, or undefined when they were. */
export function judgeResults(results: readonly StepResult[], stop: Stop): RunStatus | undefined {
  const has = (status: StepResult['status']) => results.some((one) => one.status === status);
  if (results.every((one) => one.status === 'done')) return undefined;
  const changed = results.some(isWritten);
  const result = has('unknown') ? 'unknown' : changed ? 'partial' : 'error';
  return judgeEnd(result, stop, [...results.flatMap(changedInPart), ...results.flatMap(stoppedByRule)]);
}

/** What to do about a step that was stopped right before it was sent. */
const FIXES: Readonly<Partial<Record<Code, string>>> = {
  'still-referenced': 'change what uses it, or keep the object, then plan and apply again',
  'import-changed': 'plan again: the plan shows what the import has now, or why it cannot be used',
  'api-key-refused': 'set EDGEFORM_API_KEY to the token of a valid API key of this service',
};

/** A step that a rule of the plan stopped when it was asked again, or that the service did not let in. */
function stoppedByRule({ address, error, code }: StepResult): Diagnostic[] {
  if (code === undefined) return [];
  const fix = FIXES[code];
  return [{ code, severity: 'error', address, message: error ?? '', ...(fix !== undefined && { fix }) }];
}

/** Reports a step that ended between two of its requests: its object, if any is left, is in neither its old nor its planned state. */
function changedInPart({ address, live_id: id, status, error, requests_done: done }: StepResult): Diagnostic[] {
  if (status === 'done' || done === 0 || id === null) return [];
  const message = `${address} was changed only in part: ${error ?? ''}`;
  const fix = 'fix what stopped the step, then run apply again at once; it continues from here';
  return [{ code: 'changed-in-part', severity: 'error', address, message, fix }];
}

/** The outcome of an incomplete run, explained by its stop if there was one. */
export function judgeEnd(result: 'unknown' | 'partial' | 'error', stop: Stop, found: readonly Diagnostic[]): RunStatus {
  if (!stop.signal.aborted) return { result, outcome: result, diagnostics: found };
  const { outcome, why } = explainEarlyStop(stop, result);
  return { result: outcome === result ? result : 'interrupted', outcome, diagnostics: [...found, why] };
}
