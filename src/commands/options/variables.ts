// Values of variables from the command line, directly or in files.

import { collectAll, Collector, Failure, usageError } from '../../core/failure.ts';
import { isObject } from '../../core/json.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readInput } from './read-input.ts';
import { invalidSetting } from './settings.ts';

const MAX_VARIABLES_BYTES = 4 * 1024 * 1024;

/** Values from --var-file, then --var, which takes precedence. */
export async function readVariables(run: Invocation) {
  const collector = new Collector();
  const files = run.settings.varFile.map((name) => () => readVarFile(name, run));
  const pairs = run.settings.var.map((pair) => () => [pairOf(pair)]);
  const values = new Map<string, string>();
  for (const read of [...files, ...pairs])
    for (const [key, value] of (await collector.take(read)) ?? []) values.set(key, value);
  return {
    values,
    /** Problems of the variables that are missing in the values. */
    failure: collector.hasFailed ? collector.failure() : undefined,
  };
}

function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=');
  // The text may be a secret, so it is not repeated.
  if (at <= 0) throw usageError('--var takes NAME=VALUE', 'for example --var env=prod');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function readVarFile(name: string, run: Invocation): Promise<[string, string][]> {
  const text = await readInput({ option: '--var-file', path: name, maxBytes: MAX_VARIABLES_BYTES }, run);
  const { json, numberText, diagnostics } = parseFile(name, text);
  if (diagnostics.length > 0) throw new Failure('invalid', diagnostics);
  if (!isObject(json))
    throw invalidSetting(`--var-file ${JSON.stringify(name)} is not a map`, 'write one `NAME: VALUE` per line');
  return collectAll(Object.entries(json), ([key, value]) => {
    if (typeof value === 'object')
      throw invalidSetting(
        `--var-file ${JSON.stringify(name)}: variable ${JSON.stringify(key)} is not a plain value`,
        'write one `NAME: VALUE` per line',
      );
    return [key, numberText([key]) ?? String(value)];
  });
}
