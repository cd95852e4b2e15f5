// Values of variables from the command line, directly or in files.

import { Collector, requireValue, usageError } from '../../core/failure.ts';
import { MAX_VARIABLES_BYTES, readVarFile, type VariableEntries } from '../../manifest/values/var-file.ts';
import type { GivenValues } from '../../manifest/values/given-values.ts';
import type { Invocation } from '../shell/invocation.ts';
import { readInput } from './read-input.ts';

/** Values of the command line: those of its files, and then the others, which take precedence. */
export interface GivenVariables {
  readonly ofFiles: readonly { readonly name: string; readonly entries: VariableEntries }[];
  readonly pairs: VariableEntries;
}

/** Values from --var-file, then --var, which takes precedence. */
export async function readVariables(run: Invocation) {
  const collector = new Collector();
  const ofFiles: { readonly name: string; readonly entries: VariableEntries }[] = [];
  for (const name of run.settings.varFile)
    ofFiles.push({ name, entries: (await collector.take(() => readGiven(name, run))) ?? [] });
  const pairs = run.settings.var.flatMap((pair) => collector.try(() => [pairOf(pair)]) ?? []);
  const given: GivenVariables = { ofFiles, pairs };
  return {
    given,
    values: valuesOf(given),
    /** Problems of the variables that are missing in the values. */
    failure: collector.hasFailed ? collector.failure() : undefined,
  };
}

export function valuesOf({ ofFiles, pairs }: GivenVariables): GivenValues {
  return new Map([...ofFiles.flatMap(({ entries }) => entries), ...pairs]);
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
