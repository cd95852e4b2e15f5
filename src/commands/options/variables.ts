// Values of variables from the command line, directly or in files.

import { Collector, requireValue, usageError } from '../../core/failure.ts';
import { MAX_VARIABLES_BYTES, readVarFile } from '../../manifest/values/var-file.ts';
import type { GivenValue } from '../../manifest/values/given-values.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readInput } from './read-input.ts';

/** Values from --var-file, then --var, which takes precedence. */
export async function readVariables(run: Invocation) {
  const collector = new Collector();
  const files = run.settings.varFile.map((name) => () => readGiven(name, run));
  const pairs = run.settings.var.map((pair) => () => [pairOf(pair)]);
  const values = new Map<string, GivenValue>();
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

async function readGiven(name: string, run: Invocation) {
  const text = await readInput({ option: '--var-file', path: name, maxBytes: MAX_VARIABLES_BYTES }, run);
  return requireValue(readVarFile(`--var-file ${JSON.stringify(name)}`, name, text));
}
