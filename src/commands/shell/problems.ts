// Problems in addition to a command's output: they go to standard error, even next to a document.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { documentJson, rows } from '../../render/view/documents.ts';
import type { Found } from '../../render/view/problems.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

export function sayProblems(diagnostics: readonly Diagnostic[], run: Invocation): void {
  sayFound({ diagnostics }, run);
}

function sayFound(found: Found, run: Invocation): void {
  if (found.diagnostics.length === 0) return;
  const text = renderDiagnosticsAs(logOf(run.settings.format), found, renderOptionsOf(run, run.stderr));
  run.stderr.write(`${text}\n`);
}

interface ManifestDocument {
  readonly format: string;
  readonly stack: string;
  readonly files: readonly { readonly text: string }[];
}

/** Prints a manifest, or writes it to the file of `--out`, with warnings on standard error; with `--format json`, prints the document. */
export function printManifest(document: ManifestDocument, found: Found, run: Invocation): RunOutcome {
  const { settings, stdout, stderr } = run;
  const text = document.files.map((file) => file.text).join('');
  if (settings.manifestOut !== undefined) createManifest(settings.manifestOut, text, run);
  if (settings.format === 'json') {
    stdout.write(`${documentJson({ ...document, diagnostics: rows(found.diagnostics) })}\n`);
    return 'done';
  }
  sayFound(found, run);
  if (settings.manifestOut === undefined) stdout.write(text);
  else stderr.write(`The manifest was written to ${JSON.stringify(settings.manifestOut)}.\n`);
  return 'done';
}

/** Somebody may have edited a file that is there. */
function createManifest(path: string, text: string, { platform, cwd }: Invocation): void {
  const isNew = failOnFileError(() => platform.textFiles.createExclusive(resolve(cwd, path), text));
  if (isNew) return;
  const message = `--out ${JSON.stringify(path)} exists already; nothing was written`;
  throw Failure.of('usage', 'same-file', message, 'name a file that does not exist, or move this one away');
}
