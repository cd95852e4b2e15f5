// Values of a stack for people and for programs: name or address.attribute, and the value. Secrets never get here.

import type { Json } from '../core/json.ts';
import { columns, pad } from '../core/text/columns.ts';
import type { OutputValue } from '../plan/outputs.ts';
import { inline } from './view/values/value.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { documentJson } from './json/json.ts';

const OUTPUT_FORMAT = 'edgeform-output/1';
/** The one name in the document that is not a value's. */
export const FORMAT_KEY = 'format';

/** One line each; text is shown as it is, so that it can be copied. One that was asked for alone stands alone. */
export function outputText(list: readonly OutputValue[], isTty: boolean, bare: boolean): string {
  const [only] = list;
  if (bare && only !== undefined) return bareText(only.value, isTty);
  const width = Math.max(0, ...list.map(({ name }) => columns(escapeControls(name))));
  return list
    .map(({ name, value, unknown }) => {
      const text = typeof value === 'string' ? escapeControls(value) : inline(value);
      return `${pad(escapeControls(name), width)}  ${unknown === undefined ? text : '(unknown)'}`.trimEnd();
    })
    .join('\n');
}

/** A value for another program, byte for byte; for a terminal, without what a terminal would act on. */
function bareText(value: Json, isTty: boolean): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return isTty ? text.replace(/[^\P{C}\n\t]/gu, '\u{fffd}') : text;
}

/** The document: name → value, null while it is not known. */
export function outputJson(list: readonly OutputValue[]): string {
  const values = list.filter(({ name }) => name !== FORMAT_KEY).map(({ name, value }) => [name, value] as const);
  return documentJson({ [FORMAT_KEY]: OUTPUT_FORMAT, ...Object.fromEntries(values) });
}
