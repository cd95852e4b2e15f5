// Problems in addition to a command's output: they go to standard error, even next to a document; and a plan with such problems.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { withDiagnostics } from '../../plan/build.ts';
import type { Plan } from '../../plan/plan.ts';
import { logOf, problemsBesidePlan, renderDiagnosticsAs, renderPlanAs } from '../../render/formats.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const text = renderDiagnosticsAs(logOf(run.settings.format), { diagnostics }, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}

/** Prints a plan with a warning about lost output, which does not affect what it plans. */
export function printPlan(plan: Plan, run: Invocation, lost: readonly Diagnostic[] = []): void {
  const { settings, stdout, stderr } = run;
  sayProblems(lost, run);
  const warnings = lost.map(({ code, message }) => ({ code, severity: 'warning', message }) as const);
  const told = withDiagnostics(plan, warnings);
  const problems = problemsBesidePlan(settings.format, told, renderOptionsOf(run, stderr));
  if (problems !== '') stderr.write(`${problems}\n`);
  stdout.write(`${renderPlanAs(settings.format, told, renderOptionsOf(run, stdout))}\n`);
}
