// Problems beside what a command prints: they go to standard error, also beside a document.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { fingerprintPlan } from '../../plan/build.ts';
import type { Plan } from '../../plan/plan.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { Invocation } from './invocation.ts';
import { renderOptionsOf } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const found = { diagnostics, sources: new Map<string, string>() };
  const text = renderDiagnosticsAs(logOf(run.settings.format), found, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}

/** The plan as it is shown when some output was lost: nothing is wrong with what it plans. */
export function planWithLostOutput(plan: Plan, lost: readonly Diagnostic[]): Plan {
  if (lost.length === 0) return plan;
  const more = lost.map(({ code, message }) => ({ code, severity: 'warning', message, address: null }) as const);
  const told = { ...plan, diagnostics: [...plan.diagnostics, ...more] };
  return { ...told, fingerprint: fingerprintPlan(told) };
}
