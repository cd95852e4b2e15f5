// Problems in addition to a command's output: they go to standard error, even next to a document.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { worstOf } from '../../core/run-outcome.ts';
import { formatForProblems, isLog, logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const text = renderDiagnosticsAs(logOf(run.settings.format), { diagnostics }, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}

/** A failure that also lost a file. A log reports both together; with a document, the lost file is on standard error as well. */
export function withLostFile(failure: Failure, lost: readonly Diagnostic[], run: Invocation): Failure {
  if (lost.length === 0) return failure;
  if (!isLog(formatForProblems(run.settings.format))) sayProblems(lost, run);
  return new Failure(worstOf(failure.outcome, 'output'), [...failure.diagnostics, ...lost], failure.sources);
}
