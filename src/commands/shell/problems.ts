// Problems beside what a command prints: they go to standard error, also beside a document.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { Invocation } from './invocation.ts';
import { renderOptionsOf } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const found = { diagnostics, sources: new Map<string, string>() };
  const text = renderDiagnosticsAs(logOf(run.settings.format), found, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}
