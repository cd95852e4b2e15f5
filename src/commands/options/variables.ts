// Values of variables from the command line, directly or in files.

import { Collector, requireValue } from '../../core/failure.ts';
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
  const given: GivenVariables = { ofFiles, pairs: run.settings.var };
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

async function readGiven(name: string, run: Invocation) {
  const text = await readInput({ option: '--var-file', path: name, maxBytes: MAX_VARIABLES_BYTES }, run);
  return requireValue(readVarFile(`--var-file ${JSON.stringify(name)}`, name, text));
}
