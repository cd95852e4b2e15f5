// A plan on standard output, with problems of its files. Apart from other problems, because it needs the planner.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { withDiagnostics } from '../../plan/build.ts';
import type { Plan } from '../../plan/plan.ts';
import { renderPlanAs } from '../../render/formats.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';
import { sayProblems } from './problems.ts';

/** Prints a plan with a warning about lost output, which does not affect what it plans. */
export function printPlan(plan: Plan, run: Invocation, lost: readonly Diagnostic[] = []): void {
  const { settings, stdout } = run;
  sayProblems(lost, run);
  const warnings = lost.map(({ code, message }) => ({ code, severity: 'warning', message }) as const);
  const shown = withDiagnostics(plan, warnings);
  stdout.write(`${renderPlanAs(settings.format, shown, renderOptionsOf(run, stdout))}\n`);
}
