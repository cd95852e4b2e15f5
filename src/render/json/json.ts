// JSON documents for standard output, one per command. Text has no final line break.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControlsInJson } from '../../core/text/escape-controls.ts';
import { rows } from '../view/documents.ts';

/** A document as text; anything that a terminal would act on is escaped. */
export function documentJson(value: object): string {
  return escapeControlsInJson(JSON.stringify(value, null, 2));
}

/** Replaces a command's document when that could not be made. */
export function errorJson(exitCode: number, diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: 'edgeform-error/1', exit_code: exitCode, diagnostics: rows(diagnostics) });
}
