// JSON documents on standard output: one for each command. Text without a final line break.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { escapeControlsInJson } from '../../core/text/escape-controls.ts';
import type { ReportView } from '../view/documents.ts';
import { ERROR_FORMAT, eventDocument, rows } from '../view/documents.ts';
import type { View } from '../view/view.ts';

export function drawJson({ document }: View): string {
  return documentJson(document);
}

/** Any document as text; whatever a terminal would act on is made visible. */
export function documentJson(value: object): string {
  return escapeControlsInJson(JSON.stringify(value, null, 2));
}

/** The plan in its one format, the same that a plan file has. */
export function planJson(plan: ReportView['plan']): string {
  return documentJson(plan);
}

/** What stands in place of a command's document when that could not be made. */
export function errorJson(exitCode: number, diagnostics: readonly Diagnostic[]): string {
  return documentJson({ format: ERROR_FORMAT, exit_code: exitCode, diagnostics: rows(diagnostics) });
}

/** One event as one line. */
export function eventJson(event: Parameters<typeof eventDocument>[0]): string {
  return escapeControlsInJson(JSON.stringify(eventDocument(event)));
}
