// How a run ended: its result, exit code and what has to be said, from results and plans. Prints nothing.

import type { StepResult } from '../../apply/event.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Plan } from '../../plan/plan.ts';
import { concernsOf } from '../../plan/stale.ts';
import type { Ending, RunResult } from '../../render/view/documents.ts';
import type { ExitCode } from '../shell/exit.ts';
import { EXIT } from '../shell/exit.ts';
import type { Host } from '../shell/host.ts';
import { hasPlanErrors } from '../plan.ts';
import { earlyEnd } from './early-end.ts';
import { blockedPlace } from '../../render/view/place.ts';

export interface Outcome extends Ending {
  readonly exitCode: ExitCode;
}

export type Verdict = Pick<Outcome, 'result' | 'exitCode' | 'diagnostics'>;

/** Why a plan is not executed at all. */
export function stopsBefore(plan: Plan): { readonly result: RunResult; readonly exitCode: ExitCode } | undefined {
  if (hasPlanErrors(plan)) return { result: 'error', exitCode: EXIT.error };
  if (plan.refusals.length > 0) return { result: 'refused', exitCode: EXIT.refused };
  return undefined;
}

export function problemsOf(plan: Plan): Diagnostic[] {
  const refusals = plan.refusals.map(({ rule, message, flag }): Diagnostic => {
    const fix = flag === null ? {} : { fix: `allow it with ${flag}` };
    return { code: rule, severity: 'error', message, ...fix };
  });
  const found = plan.diagnostics.map(({ code, severity, message, address }): Diagnostic => ({
    code,
    severity,
    message,
    ...(address !== null && { address }),
  }));
  return [...found, ...refusals];
}

/** What a run has to say, with what its plan warned of. */
export function withWarnings({ plan, diagnostics }: Pick<Outcome, 'plan' | 'diagnostics'>): readonly Diagnostic[] {
  const told = new Set(diagnostics.map(({ code, message }) => `${code} ${message}`));
  const warnings = problemsOf(plan).filter(({ severity }) => severity === 'warning');
  return [...warnings.filter(({ code, message }) => !told.has(`${code} ${message}`)), ...diagnostics];
}

/** A saved plan answers for what it touches; that other objects have moved meanwhile is only told. */
export function leftOver(
  after: Plan,
  done: Plan,
  isSaved: boolean,
): { readonly left: Plan; readonly others: Diagnostic[] } {
  if (!isSaved) return { left: after, others: [] };
  const touched = new Set(done.steps.map((step) => step.address));
  const concerns = concernsOf(done);
  const steps = after.steps.filter((step) => touched.has(step.address));
  const errors = after.diagnostics.filter((one) => one.severity === 'error' && !concerns(one.address));
  const others = new Set([
    ...after.steps.flatMap((step) => (touched.has(step.address) ? [] : [step.address])),
    ...errors.flatMap((one) => one.address ?? []),
  ]);
  const left = {
    ...after,
    steps,
    blocked: after.blocked.filter((one) => touched.has(one.address)),
    refusals: [],
    diagnostics: after.diagnostics.filter((one) => concerns(one.address)),
  };
  if (others.size === 0) return { left, others: [] };
  const message = `outside the saved plan something is pending: ${[...others].sort().join(', ')}`;
  return {
    left,
    others: [{ code: 'not-converged', severity: 'warning', message, fix: 'run plan to see what differs' }],
  };
}

export function resultOf(exitCode: ExitCode): RunResult {
  return exitCode === EXIT.interrupted || exitCode === EXIT.terminated ? 'interrupted' : 'error';
}

/** `found` are problems of what was done; what is still different is named with them. */
export function notConverged(after: Plan, results: readonly StepResult[], found: readonly Diagnostic[] = []): Verdict {
  const left = [
    ...after.steps.map((step) => step.address),
    ...after.blocked.map((one) => `${blockedPlace(one, '.')} (${one.reason})`),
    ...after.refusals.flatMap((one) => one.addresses),
  ];
  const names = [...new Set(left)].join(', ');
  const start = results.length === 0 ? 'the service has no way to change' : 'every step was done, but still different:';
  const why: Diagnostic = {
    code: 'not-converged',
    severity: 'error',
    message: `${start} ${names}`,
    fix: `run plan to see what differs${aboutSecrets(after, results)}`,
  };
  const problems = problemsOf({ ...after, refusals: [] }).filter((one) => one.severity === 'error');
  const diagnostics = [...found, ...problems, ...(names === '' ? [] : [why])];
  return results.length === 0
    ? { result: 'error', exitCode: EXIT.error, diagnostics }
    : { result: 'partial', exitCode: EXIT.partial, diagnostics };
}

/** Secrets that were sent, and in whose place something else is shown: no rule knows every mask. */
function aboutSecrets({ steps }: Plan, results: readonly StepResult[]): string {
  const sent = steps.filter((step) => results.some(({ address }) => address === step.address));
  const changes = sent.flatMap((step) => step.changes.filter(({ sensitive, cause }) => sensitive && cause === 'drift'));
  const paths = [...new Set(changes.map(({ path }) => path))];
  const fields = [...new Set(paths.map((path) => path.split('.')[0]))];
  if (paths.length === 0) return '';
  return `; if the service shows ${paths.join(', ')} in a form of its own, put ${fields.join(', ')} into \`ignore_changes\``;
}

/** What the journal knows as the stack's and no marker does: everything is not destroyed while it is there. */
export function leftAlone({ diagnostics }: Plan): Diagnostic[] {
  return diagnostics.flatMap(({ code, address, message }) =>
    code === 'broken-marker' && address !== null ? [{ code, severity: 'error' as const, address, message }] : [],
  );
}

/** The verdict on steps that did not all end as done, or undefined when they did. */
export function judge(results: readonly StepResult[], host: Host): Verdict | undefined {
  const has = (status: StepResult['status']) => results.some((one) => one.status === status);
  if (results.every((one) => one.status === 'done')) return undefined;
  const changed = results.some((one) => one.status === 'done' || one.requests_done > 0);
  const late = has('unknown') ? EXIT.unknown : changed ? EXIT.partial : EXIT.error;
  const result = has('unknown') ? 'unknown' : changed ? 'partial' : 'error';
  if (!host.signal.aborted) return { result, exitCode: late, diagnostics: [] };
  const { exitCode, why } = earlyEnd(host, late);
  return { result: host.signalName() === undefined ? result : 'interrupted', exitCode, diagnostics: [why] };
}
