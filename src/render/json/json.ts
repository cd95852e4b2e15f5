// JSON documents on standard output: one for each command. Text without a final line break.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControlsInJson } from '../../core/text/escape-controls.ts';
import { rows } from '../view/documents.ts';

/** Any document as text; whatever a terminal would act on is made visible. */
export function documentJson(value: object): string {
  return escapeControlsInJson(JSON.stringify(value, null, 2));
}

/** What stands in place of a command's document when that could not be made. */
export function errorJson(exitCode: number, diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: 'edgeform-error/1', exit_code: exitCode, diagnostics: rows(diagnostics) });
}
