// The text of a file of variables → names and values. Does not read the file.

import type { Diagnostic, Result } from '../../core/diagnostic.ts';
import { isObject } from '../../core/json.ts';
import { parseFile } from '../text/parse.ts';
import { givenValue, plainText, type GivenValue } from './given-values.ts';

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
  const entries: (readonly [string, GivenValue])[] = [];
  const expressions: Diagnostic[] = [];
  for (const [key, value = ''] of values) {
    const plain = plainValue(value);
    if (plain === undefined) expressions.push(notPlain(what, key));
    else entries.push([key, plain]);
  }
  // A file with a mistake gives nothing: with its other values alone, a default could name another environment.
  return expressions.length > 0 ? { diagnostics: expressions } : { value: entries, diagnostics: [] };
}

/** The value as the reader of manifests reads it; undefined if it holds an expression, which means nothing here. */
function plainValue(value: GivenValue): GivenValue | undefined {
  if (typeof value === 'string') return plainText(value);
  const items = value.flatMap((item) => plainText(item) ?? []);
  return items.length < value.length ? undefined : items;
}

/** The value may be a secret, so that no part of it is repeated. */
function notPlain(what: string, name: string): Diagnostic {
  const message = `${what}: the value of variable ${JSON.stringify(name)} holds an expression, but values of a file are plain text`;
  const fix = 'write the value itself, or $${ for a literal ${';
  return { code: 'bad-expression', severity: 'error', message, fix };
}

function wrong(message: string): Diagnostic {
  return { code: 'invalid-setting', severity: 'error', message, fix: 'write one `NAME: VALUE` per line' };
}
