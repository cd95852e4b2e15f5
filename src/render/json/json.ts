// The JSON documents on standard output: one per command, each with its format name. Text without a final line break.

import type { ApplyEvent, StepResult } from '../../apply/event.ts';
import { listed } from '../../core/bounds.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import type { Json } from '../../core/json.ts';
import type { Plan } from '../../plan/plan.ts';
import { totalsOf } from '../text/report.ts';
import { visibleJson } from '../../core/visible.ts';

export const REPORT_FORMAT = 'edgeform-report/1';
export const DIAGNOSTICS_FORMAT = 'edgeform-diagnostics/1';
export const EVENTS_FORMAT = 'edgeform-events/1';
export const ERROR_FORMAT = 'edgeform-error/1';

export type RunResult = 'done' | 'partial' | 'refused' | 'unknown' | 'interrupted' | 'error';

/** Everything the report of an apply or destroy holds. */
export interface Report {
  readonly result: RunResult;
  readonly exitCode: number;
  readonly stack: string;
  readonly results: readonly StepResult[];
  readonly converged: boolean;
  readonly outputs: Readonly<Record<string, Json>>;
  readonly diagnostics: readonly Diagnostic[];
}

/** How an apply or destroy ended, for every format. */
export interface Ending {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
  readonly result: RunResult;
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** Any document as text; whatever a terminal would act on is made visible. */
export function documentJson(value: object): string {
  return visibleJson(JSON.stringify(value, null, 2));
}

/** The plan in its one format, the same that a plan file has. */
export function planJson(plan: Plan): string {
  return documentJson(plan);
}

/** The report of a run; totals add up to the steps of the plan. */
export function reportJson(report: Report): string {
  return documentJson({
    format: REPORT_FORMAT,
    result: report.result,
    exit_code: report.exitCode,
    stack: report.stack,
    totals: totalsOf(report.results),
    steps: report.results.map(({ id, address, action, status, live_id, error }) => ({
      id,
      address,
      action,
      status,
      live_id,
      error,
    })),
    converged: report.converged,
    outputs: report.outputs,
    diagnostics: rows(report.diagnostics),
  });
}

/** What validation found. */
export function diagnosticsJson(diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: DIAGNOSTICS_FORMAT, ok: !hasErrors(diagnostics), diagnostics: rows(diagnostics) });
}

/** What stands in place of a command's document when that could not be made. */
export function errorJson(exitCode: number, diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: ERROR_FORMAT, exit_code: exitCode, diagnostics: rows(diagnostics) });
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

/** One event as one line. */
export function eventJson(event: ApplyEvent): string {
  return visibleJson(JSON.stringify(eventContent(event)));
}

function eventContent(event: ApplyEvent): object {
  switch (event.type) {
    case 'started':
      return { type: event.type, format: EVENTS_FORMAT, stack: event.plan.stack, steps: event.plan.steps.length };
    case 'step-started':
      return { type: event.type, id: event.step.id, address: event.step.address, action: event.step.action };
    case 'step-ended': {
      const { id, address, action, status, live_id, error } = event.result;
      return { type: event.type, id, address, action, status, live_id, error };
    }
    case 'finished':
      return { type: event.type, totals: totalsOf(event.results) };
    default:
      return event satisfies never;
  }
}
