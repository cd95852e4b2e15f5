// What a pipeline for a fleet must know of its entries: which variables have values from outside, under which names. What is wrong
// with a manifest, `fleet validate` says; a fleet file with a mistake has entries that are not known.

import { hasErrors } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { isObject } from '../../core/json.ts';
import { PREFIX_OF_VALUES } from '../../core/text/name-of-shells.ts';
import { listOf } from '../../fleet/fleet-document.ts';
import type { FleetEntry } from '../../fleet/fleet-file.ts';
import { loadEntry, readFleet, variablesGivenBy, type LoadedEntry } from '../../fleet/load-entry.ts';
import { quotedFleetFile } from '../../manifest/text/quoted-file.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import type { ManifestNeeds } from '../../render/scaffold/pipeline.ts';
import { needsOf } from './pipeline-needs.ts';

/** What all entries of the fleet file in a folder need together; fails when the file has a mistake. */
export async function fleetNeeds(folder: string, name: string): Promise<ManifestNeeds> {
  const { text = '' } = readFleet(name, { cwd: folder, env: {} });
  const env = { EDGEFORM_FLEET_CREDENTIALS: credentialsIn(name, text).join(',') };
  const { value: file, diagnostics } = readFleet(name, { cwd: folder, env });
  if (file === undefined || hasErrors(diagnostics))
    throw new Failure('invalid', diagnostics, new Map([[name, quotedFleetFile({ name, text }, () => true)]]));
  const needs: ManifestNeeds[] = [];
  for (const entry of file.entries) {
    const given = { cwd: folder, env: {}, variables: new Map(), mayLackValues: true };
    needs.push(needsOfEntry(entry, await loadEntry(entry, file, given), folder));
  }
  const secrets = new Set(needs.flatMap((one) => one.secrets));
  const values = new Set(needs.flatMap((one) => one.values).filter((one) => !secrets.has(one)));
  return { secrets: [...secrets], values: [...values], writesTokens: needs.some((one) => one.writesTokens) };
}

/** What the file names is listed where the pipeline runs, and not here. */
function credentialsIn(name: string, text: string): string[] {
  const { json } = parseFile(name, text);
  return listOf(isObject(json) ? json['stacks'] : undefined).flatMap((entry) => {
    const named = isObject(entry) ? [entry['base_url_env'], entry['api_key_env']] : [];
    return named.filter((one) => typeof one === 'string');
  });
}

/** Names without the prefix: those that the entry gives to its variables, else their own. */
function needsOfEntry(entry: FleetEntry, { texts }: LoadedEntry, cwd: string): ManifestNeeds {
  if (texts === undefined) return { secrets: [], values: [], writesTokens: false };
  const { secrets, values, writesTokens } = needsOf(texts.reload(texts));
  const given = variablesGivenBy(entry, cwd);
  const own = (name: string) => entry.variablesEnv.get(name)?.slice(PREFIX_OF_VALUES.length);
  const namesOf = (variables: readonly string[]) =>
    variables.flatMap((name) => own(name) ?? (given.has(name) ? [] : [name]));
  const named = [...entry.variablesEnv.keys()].filter((name) => !secrets.includes(name) && !values.includes(name));
  return { secrets: namesOf(secrets), values: namesOf([...values, ...named]), writesTokens };
}
