// Problems in addition to a command's output: they go to standard error, even next to a document.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  if (diagnostics.length === 0) return;
  const text = renderDiagnosticsAs(logOf(run.settings.format), { diagnostics }, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}

interface ManifestDocument {
  readonly format: string;
  readonly stack: string;
  readonly files: readonly { readonly text: string }[];
}

/** Prints a manifest that was made, with warnings on standard error, or the document. */
export function printManifest(
  document: ManifestDocument,
  warnings: readonly Diagnostic[],
  run: Invocation,
): RunOutcome {
  const { settings, stdout } = run;
  if (settings.format === 'json') {
    stdout.write(`${documentJson({ ...document, diagnostics: rows(warnings) })}\n`);
  } else {
    sayProblems(warnings, run);
    stdout.write(document.files.map(({ text }) => text).join(''));
  }
  return 'done';
}
