// Output that could not be written: said on standard error at once, and part of the document and of the exit code.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { fingerprintOf } from '../../plan/build.ts';
import type { Plan } from '../../plan/plan.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { ExitCode } from './exit.ts';
import { EXIT, worstOf } from './exit.ts';
import type { Host } from './host.ts';
import type { RawOptions } from '../options/options.ts';
import { formatOf, styleOf } from '../options/options.ts';

export function sayLost(diagnostics: readonly Diagnostic[], raw: RawOptions, host: Host): void {
  if (diagnostics.length === 0) return;
  const found = { diagnostics, sources: new Map<string, string>() };
  const text = renderDiagnosticsAs(logOf(formatOf(raw)), found, styleOf(raw, host, host.stderr));
  host.stderr.write(`${text}\n`);
}

interface Ended {
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
}

/** The outcome of a run that lost some of its output. */
export function withLost<Outcome extends Ended>(outcome: Outcome, lost: readonly Diagnostic[]): Outcome {
  if (lost.length === 0) return outcome;
  const exitCode = worstOf(outcome.exitCode, EXIT.output);
  return { ...outcome, exitCode, diagnostics: [...outcome.diagnostics, ...lost] };
}

/** The plan as it is shown when some output was lost: nothing is wrong with what it plans. */
export function planWithLost(plan: Plan, lost: readonly Diagnostic[]): Plan {
  if (lost.length === 0) return plan;
  const more = lost.map(({ code, message }) => ({ code, severity: 'warning', message, address: null }) as const);
  const told = { ...plan, diagnostics: [...plan.diagnostics, ...more] };
  return { ...told, fingerprint: fingerprintOf(told) };
}
