// Problems in addition to a command's output: they go to standard error, even next to a document.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const text = renderDiagnosticsAs(logOf(run.settings.format), { diagnostics }, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}
