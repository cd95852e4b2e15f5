// The text of a file of variables → names and values. Does not read the file.

import type { Diagnostic, Result } from '../../core/diagnostic.ts';
import { isObject } from '../../core/json.ts';
import { parseFile } from '../text/parse.ts';

export const MAX_VARIABLES_BYTES = 4 * 1024 * 1024;

/** Names and values, in the order of the file. */
export type VariableEntries = readonly (readonly [string, string])[];

/** The values in a file, or every problem; `what` is the file in messages. */
export function readVarFile(what: string, name: string, text: string): Result<VariableEntries> {
  const { json, numberText, diagnostics } = parseFile(name, text);
  if (diagnostics.length > 0) return { diagnostics };
  if (!isObject(json)) return { diagnostics: [wrong(`${what} is not a map`)] };
  const entries = Object.entries(json);
  const nested = entries.filter(([, value]) => typeof value === 'object');
  if (nested.length > 0)
    return {
      diagnostics: nested.map(([key]) => wrong(`${what}: variable ${JSON.stringify(key)} is not a plain value`)),
    };
  return { value: entries.map(([key, value]) => [key, numberText([key]) ?? String(value)]), diagnostics: [] };
}

function wrong(message: string): Diagnostic {
  return { code: 'invalid-setting', severity: 'error', message, fix: 'write one `NAME: VALUE` per line' };
}
