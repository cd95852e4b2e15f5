// Values of a stack for people and for programs: name or address.attribute, and the value. Secrets never get here.

import type { Json } from '../core/json.ts';
import { columns, pad } from '../core/text/columns.ts';
import { inline } from './view/values/value.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { documentJson } from './json/json.ts';

const OUTPUT_FORMAT = 'edgeform-output/1';
/** The one name in the document that is not a value's. */
export const FORMAT_KEY = 'format';

/** One value; `unknown` says why there is none. */
export interface OutputValue {
  readonly name: string;
  readonly value: Json;
  readonly unknown?: string;
}

/** One line each; text is shown as it is, so that it can be copied. */
export function outputText(list: readonly OutputValue[]): string {
  const width = Math.max(0, ...list.map(({ name }) => columns(escapeControls(name))));
  return list
    .map(({ name, value, unknown }) => {
      const text = typeof value === 'string' ? escapeControls(value) : inline(value);
      return `${pad(escapeControls(name), width)}  ${unknown === undefined ? text : '(unknown)'}`.trimEnd();
    })
    .join('\n');
}

/** The document: name → value, null while it is not known. */
export function outputJson(list: readonly OutputValue[]): string {
  const values = list.filter(({ name }) => name !== FORMAT_KEY).map(({ name, value }) => [name, value] as const);
  return documentJson({ [FORMAT_KEY]: OUTPUT_FORMAT, ...Object.fromEntries(values) });
}
