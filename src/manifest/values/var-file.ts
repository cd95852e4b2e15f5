// The text of a file of variables → names and values. Does not read the file.

import type { Diagnostic, Result } from '../../core/diagnostic.ts';
import { isObject } from '../../core/json.ts';
import { parseFile } from '../text/parse.ts';
import { givenValue, type GivenValue } from './given-values.ts';

export const MAX_VARIABLES_BYTES = 4 * 1024 * 1024;

/** Names and values, in the order of the file. */
export type VariableEntries = readonly (readonly [string, GivenValue])[];

/** The values in a file, or every problem; `what` is the file in messages. */
export function readVarFile(what: string, name: string, text: string): Result<VariableEntries> {
  const { json, numberText, diagnostics } = parseFile(name, text);
  if (diagnostics.length > 0) return { diagnostics };
  if (!isObject(json)) return { diagnostics: [wrong(`${what} is not a map`)] };
  const values = Object.entries(json).map(
    ([key, value]) => [key, givenValue(value, (below) => numberText([key, ...below]))] as const,
  );
  const nested = values.filter(([, value]) => value === undefined);
  if (nested.length > 0)
    return {
      diagnostics: nested.map(([key]) =>
        wrong(`${what}: variable ${JSON.stringify(key)} is neither a plain value nor a list of plain values`),
      ),
    };
  return {
    value: values.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    diagnostics: [],
  };
}

function wrong(message: string): Diagnostic {
  return { code: 'invalid-setting', severity: 'error', message, fix: 'write one `NAME: VALUE` per line' };
}
