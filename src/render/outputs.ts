// Values of a stack for people and programs: name or address.attribute, and the value. Secrets never reach this file.

import type { Json } from '../core/json.ts';
import { columns, pad } from '../core/text/columns.ts';
import type { OutputValue } from '../plan/outputs.ts';
import { inline } from './view/values/value.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import type { Format } from './formats.ts';
import { documentJson } from './view/documents.ts';

const OUTPUT_FORMAT = 'edgeform-output/1';
/** The only key in the document that is not the name of a value. */
export const FORMAT_KEY = 'format';

/** The document: name → value, null while it is unknown. */
function outputJson(list: readonly OutputValue[]): string {
  const values = list.filter(({ name }) => name !== FORMAT_KEY).map(({ name, value }) => [name, value] as const);
  return documentJson({ [FORMAT_KEY]: OUTPUT_FORMAT, ...Object.fromEntries(values) });
}

/** The document, or one line each; text is shown unquoted, so that it can be copied. A single requested value is printed alone. */
export function renderOutputsAs(format: Format, list: readonly OutputValue[], isTty: boolean, bare: boolean): string {
  if (format === 'json') return outputJson(list);
  const [only] = list;
  if (bare && only !== undefined) return bareText(only.value, isTty);
  const width = Math.max(0, ...list.map(({ name }) => columns(escapeControls(name))));
  return list
    .map(({ name, value, unknown }) => {
      const text = typeof value === 'string' ? value : inline(value);
      return `${pad(escapeControls(name), width)}  ${unknown === undefined ? escapeControls(text) : '(unknown)'}`.trimEnd();
    })
    .join('\n');
}

/** A value for another program, byte for byte; on a terminal, control characters are escaped. */
function bareText(value: Json, isTty: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isTty ? text.replace(/[^\P{C}\n\t]/gu, '\u{fffd}') : text;
}
