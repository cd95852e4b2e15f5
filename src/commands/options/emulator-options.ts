// Options of the emulator, from flags, environment and the files they name. Reports all problems together.

import { resolve } from 'node:path';
import { CAPABILITIES } from '../../catalog/kind.ts';
import { Collector, Failure, requireValue } from '../../core/failure.ts';
import { isObject, readJson, type Json, type JsonObject } from '../../core/json.ts';
import { areFaults, faultProblems } from '../../emulator/fault-format.ts';
import type { EmulatorOptions, Fault } from '../../emulator/http/server.ts';
import { seedProblems } from '../../emulator/state/seed-check.ts';
import { parseCapabilities } from '../../service/settings.ts';
import type { Host } from '../shell/host.ts';
import type { Invocation } from '../shell/invocation.ts';
import { versionHeaderOf } from './connection.ts';
import { readInput } from './read-input.ts';
import { invalidSetting } from './settings.ts';

/** The options, or a failure with all problems. */
export async function emulatorOptions(host: Invocation): Promise<EmulatorOptions> {
  const collector = new Collector();
  const versionHeader = collector.try(() => versionHeaderOf(host.env));
  const on = collector.try(() => requireValue(parseCapabilities(host.env['EDGEFORM_CAPABILITIES'] ?? '')));
  const { port, apiKey, state, pageSize, latencyMs, normalize, omitZero, defaultForZero, mask, seed, faults } =
    host.settings;
  const options = {
    port,
    apiKey,
    stateFile: state === undefined ? undefined : resolve(host.cwd, state),
    pageSize,
    latencyMs,
    normalizes: normalize,
    omitsZeros: omitZero,
    keepsDefaults: defaultForZero,
    masks: mask,
    seed: seed === undefined ? undefined : await collector.take(() => seedOf(seed, host)),
    faults: faults === undefined ? undefined : await collector.take(() => faultsOf(faults, host)),
  };
  if (collector.hasFailed || versionHeader === undefined || on === undefined) throw collector.failure();
  return { ...options, versionHeader, disabled: CAPABILITIES.filter((name) => !on.has(name)) };
}

async function seedOf(path: string, host: Host): Promise<JsonObject> {
  const json = await readFile('--seed', path, host);
  if (!isObject(json))
    throw invalidSetting(`--seed ${JSON.stringify(path)} is not a JSON object`, 'write {"LIST KEY": [objects]}');
  const problems = seedProblems(json);
  if (problems.length === 0) return json;
  throw allInvalid(
    problems.map((problem) => `--seed ${JSON.stringify(path)}: ${problem}`),
    'write objects as the service would return them; docs/reference.md lists the fields',
  );
}

async function faultsOf(path: string, host: Host): Promise<readonly Fault[]> {
  const json = await readFile('--faults', path, host);
  if (areFaults(json)) return json;
  throw allInvalid(
    faultProblems(json).map((problem) => `--faults ${JSON.stringify(path)}: ${problem}`),
    'write [{"match": {…}, "action": …}], as docs/emulator.md shows',
  );
}

/** All problems of one file, with exit code 4. */
function allInvalid(messages: readonly string[], fix: string): Failure {
  const problems = messages.flatMap((message) => invalidSetting(message, fix).diagnostics);
  return new Failure('invalid', problems);
}

/** Maximum size of a file with objects or faults, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

async function readFile(option: string, path: string, host: Host): Promise<Json> {
  const text = await readInput({ option, path, maxBytes: MAX_BYTES }, host);
  const reading = readJson(text);
  if (reading.problem === undefined) return reading.json;
  throw invalidSetting(`${option} ${JSON.stringify(path)} ${reading.why}`, 'check the path and the JSON syntax');
}
