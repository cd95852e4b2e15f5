// What plans, runs, drift and problems are for programs: the content of each JSON document.

import type { ApplyEvent, StepResult, StepStatus } from '../../apply/event.ts';
import { listed } from '../../core/bounds.ts';
import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import type { RunResult } from '../../core/run-outcome.ts';
import type { Drift, Finding } from '../../drift/drift.ts';
import type { Plan, Step } from '../../plan/plan.ts';

const REPORT_FORMAT = 'edgeform-report/1';
const DIAGNOSTICS_FORMAT = 'edgeform-diagnostics/1';
const EVENTS_FORMAT = 'edgeform-events/1';
/** What programs look for in the log of events, beside words of the report. */
export const EVENT_WORDS: readonly string[] = [EVENTS_FORMAT, 'started', 'step-started', 'step-ended', 'finished'];
export const ERROR_FORMAT = 'edgeform-error/1';

/** How an apply or destroy ended, for every format. */
export interface ReportView {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
  readonly result: RunResult;
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Findings that count, and those that an entry of the ignore file accepts. */
export interface DriftView {
  readonly drift: Drift;
  readonly ignored: readonly {
    readonly finding: Finding;
    readonly ignore: { readonly reason: string; readonly expires: string };
  }[];
  readonly diagnostics: readonly Diagnostic[];
  /** What the findings were made of; with it, each is told what apply would do about it. */
  readonly plan?: Plan;
  /** All that the manifest has; asked for by few. */
  readonly resources?: () => readonly {
    readonly address: string;
    readonly parent?: string | undefined;
    readonly range: () => SourceRange;
  }[];
}

/** The report of a run; totals add up to the steps of the plan. */
export function reportDocument({ plan, results: ended, result, exitCode, diagnostics }: ReportView): object {
  const results = ended.length > 0 ? ended : plan.steps.map(notBegun);
  return {
    format: REPORT_FORMAT,
    result,
    exit_code: exitCode,
    stack: plan.stack,
    totals: totalsOf(results),
    steps: results.map(({ id, address, action, status, live_id, error }) => ({
      id,
      address,
      action,
      status,
      live_id,
      error,
    })),
    converged: exitCode === 0 && !diagnostics.some(({ code }) => code === 'not-converged'),
    outputs: plan.outputs,
    diagnostics: rows(diagnostics),
  };
}

/** Of a run that ended before its first step: one that was refused, for example. */
function notBegun({ id, address, action, live_id }: Step): StepResult {
  const error = 'not started, because the run ended before its first step';
  return { id, address, action, status: 'not_attempted', live_id, error, requests_done: 0 };
}

/** Results of a run by status. */
export function totalsOf(results: readonly StepResult[]): Readonly<Record<StepStatus, number>> {
  const count = (status: StepStatus) => results.filter((result) => result.status === status).length;
  return {
    done: count('done'),
    failed: count('failed'),
    blocked: count('blocked'),
    not_attempted: count('not_attempted'),
    unknown: count('unknown'),
  };
}

export function driftDocument({ drift, ignored, diagnostics, plan }: DriftView): object {
  const errors = (plan?.diagnostics ?? []).flatMap(({ code, severity, message, address }) =>
    severity === 'error' ? [{ code, severity, message, ...(address !== null && { address }) }] : [],
  );
  return {
    ...drift,
    ignored: ignored.map(({ finding, ignore }) => ({
      fingerprint: finding.fingerprint,
      address: finding.address,
      live_id: finding.live_id,
      reason: ignore.reason,
      expires: ignore.expires,
    })),
    refusals: plan?.refusals ?? [],
    diagnostics: rows([...errors, ...diagnostics]),
  };
}

/** What validation found. */
export function problemsDocument(diagnostics: readonly Diagnostic[]): object {
  return { format: DIAGNOSTICS_FORMAT, ok: !hasErrors(diagnostics), diagnostics: rows(diagnostics) };
}

/** Problems as rows of a document. */
export function rows(diagnostics: readonly Diagnostic[]): object[] {
  return listed(diagnostics).map(({ code, severity, message, range, address, expected, got, fix, related = [] }) => ({
    code,
    severity,
    message,
    file: range?.file ?? null,
    line: range?.line ?? null,
    column: range?.column ?? null,
    address: address ?? null,
    expected: expected ?? null,
    got: got ?? null,
    fix: fix ?? null,
    ...(related.length > 0 && {
      related: related.map((other) => ({
        message: other.message,
        file: other.range.file,
        line: other.range.line,
        column: other.range.column,
      })),
    }),
  }));
}

/** What happens during a run, as one line of its log. */
export function eventDocument(event: ApplyEvent): object {
  switch (event.type) {
    case 'started':
      return { type: event.type, format: EVENTS_FORMAT, stack: event.plan.stack, steps: event.plan.steps.length };
    case 'step-started':
      return { type: event.type, id: event.step.id, address: event.step.address, action: event.step.action };
    case 'step-ended': {
      const { id, address, action, status, live_id, error } = event.result;
      return { type: event.type, id, address, action, status, live_id, error, ms: Math.round(event.ms) };
    }
    case 'finished':
      return { type: event.type, totals: totalsOf(event.results) };
    default:
      return event satisfies never;
  }
}
