// Runs and drift before they are drawn, and what the JSON documents share.

import type { StepResult, StepStatus } from '../../apply/event.ts';
import { listed } from '../../core/bounds.ts';
import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { EndedRun } from '../../core/run-record.ts';
import type { RunResult } from '../../core/run-outcome.ts';
import type { DriftResult } from '../../drift/drift.ts';
import type { Plan } from '../../plan/plan.ts';

/** How an apply or destroy ended, for every format. */
export interface ReportView {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
  readonly result: RunResult;
  readonly exitCode: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined for a run without a journal. */
  readonly run?: EndedRun;
}

/** The findings; the plan behind them says what apply would do about each. */
export interface DriftView extends DriftResult {
  /** Problems besides those of the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** All resources of the manifest; few formats need them. */
  readonly resources?: () => readonly {
    readonly address: string;
    readonly parent?: string | undefined;
    readonly range: () => SourceRange;
  }[];
}

export function totalsOf(results: readonly StepResult[]): Readonly<Record<StepStatus, number>> {
  const count = (status: StepStatus) => results.filter((result) => result.status === status).length;
  const [done, failed, blocked] = [count('done'), count('failed'), count('blocked')];
  return { done, failed, blocked, not_attempted: count('not_attempted'), unknown: count('unknown') };
}

/** Problems as a document's rows. */
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
      related: related.map((other) => {
        const { file, line, column } = other.range;
        return { message: other.message, file, line, column };
      }),
    }),
  }));
}

/** A document as text without a final line break; anything that a terminal would act on is escaped. */
export function documentJson(value: object): string {
  return escapeControlsInJson(JSON.stringify(value, null, 2));
}

/** Replaces a command's document when that could not be made. */
export function errorJson(exitCode: number, diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: 'edgeform-error/1', exit_code: exitCode, diagnostics: rows(diagnostics) });
}
