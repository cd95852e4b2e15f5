// emulator: the whole API on loopback, until a signal comes.

import { resolve } from 'node:path';
import type { Json, JsonObject } from '../core/json.ts';
import { isObject, parseJson } from '../core/json.ts';
import { publishNames } from '../platform/filter.ts';
import { BugError } from '../core/diagnostic.ts';
import { CAPABILITIES } from '../catalog/kind.ts';
import { areFaults, faultProblems } from '../emulator/fault-format.ts';
import { seedProblems } from '../emulator/state/seed-check.ts';
import type { Emulator, EmulatorOptions, Fault } from '../emulator/http/server.ts';
import { startEmulator } from '../emulator/http/server.ts';
import { versionHeaderOf } from './options/connection.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { Collector, Failure, requireValue, usageError } from '../core/failure.ts';
import { readInput } from './options/read-input.ts';
import type { Host } from './shell/host.ts';
import { invalidSetting } from './options/settings.ts';
import { parseCapabilities } from '../service/settings.ts';
import type { CommandSpec } from './shell/command.ts';

interface EmulatorFlags {
  readonly port?: string;
  readonly apiKey?: string;
  readonly state?: string;
  readonly pageSize?: string;
  readonly latency?: string;
  readonly seed?: string;
  readonly faults?: string;
}

const SEED_FIX = 'write {"LIST KEY": [objects]}';

/** Serves until a signal comes; prints one JSON line when ready. */
async function emulator(flags: EmulatorFlags, host: Host): Promise<RunOutcome> {
  const service = await start(await optionsOf(flags, host));
  // Its own key is what it is asked for, also when it is the one of the environment.
  publishNames(() => [service.apiKey]);
  host.stdout.write(`${JSON.stringify({ url: service.url, api_key: service.apiKey })}\n`);
  await host.untilSignal;
  await service.close();
  return 'done';
}

/** What is asked for, or all that is wrong with it. */
async function optionsOf(flags: EmulatorFlags, host: Host): Promise<EmulatorOptions> {
  const collector = new Collector();
  const number = (...asked: Parameters<typeof numberOf>) => collector.try(() => numberOf(...asked));
  const versionHeader = collector.try(() => versionHeaderOf(host.env));
  const on = collector.try(() => requireValue(parseCapabilities(host.env['EDGEFORM_CAPABILITIES'] ?? '')));
  const { seed, faults } = flags;
  const options = {
    port: number('--port', flags.port, 65_535) ?? 0,
    ...(flags.apiKey !== undefined && { apiKey: flags.apiKey }),
    ...(flags.state !== undefined && { stateFile: resolve(host.cwd, flags.state) }),
    ...given('pageSize', number('--page-size', flags.pageSize, 100, 1)),
    ...given('latencyMs', number('--latency', flags.latency, 600_000)),
    ...given('seed', seed === undefined ? undefined : await collector.take(() => seedOf(seed, host))),
    ...given('faults', faults === undefined ? undefined : await collector.take(() => faultsOf(faults, host))),
  };
  if (collector.hasFailed || versionHeader === undefined || on === undefined) throw collector.failure();
  return { ...options, versionHeader, disabled: CAPABILITIES.filter((name) => !on.has(name)) };
}

/** What a failure says; a bug of our own is thrown on. */
function failureMessage(error: unknown): string {
  if (error instanceof Error && !(error instanceof BugError)) return error.message;
  throw error;
}

/** The problems of a seed, or why nothing could be looked at. */
function problemsOfSeed(json: JsonObject): string[] {
  try {
    return seedProblems(json);
  } catch (error) {
    return [failureMessage(error)];
  }
}

/** The service, or a failure in words: a taken port, a seed or a fault that makes no sense. */
async function start(options: EmulatorOptions): Promise<Emulator> {
  try {
    return await startEmulator(options);
  } catch (error) {
    const message = `the emulator cannot start: ${failureMessage(error)}`;
    throw invalidSetting(message, 'correct or remove the option that the message names');
  }
}

async function seedOf(path: string, host: Host): Promise<JsonObject> {
  const json = await readJson('--seed', path, host);
  if (!isObject(json)) throw invalidSetting(`--seed ${JSON.stringify(path)} is not a JSON object`, SEED_FIX);
  const problems = problemsOfSeed(json);
  if (problems.length === 0) return json;
  throw allInvalid(
    problems.map((problem) => `--seed ${JSON.stringify(path)}: ${problem}`),
    'write objects as the service would return them; docs/reference.md lists the fields',
  );
}

async function faultsOf(path: string, host: Host): Promise<readonly Fault[]> {
  const json = await readJson('--faults', path, host);
  if (areFaults(json)) return json;
  throw allInvalid(
    faultProblems(json).map((problem) => `--faults ${JSON.stringify(path)}: ${problem}`),
    'write [{"match": {…}, "action": …}], as docs/emulator.md shows',
  );
}

/** Every problem of one file at once, with exit code 4. */
function allInvalid(messages: readonly string[], fix: string): Failure {
  return new Failure(
    'invalid',
    messages.flatMap((message) => invalidSetting(message, fix).diagnostics),
  );
}

function given<Name extends string, T>(name: Name, value: T | undefined): Partial<Record<Name, T>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<Name, T>>);
}

function numberOf(flag: string, text: string | undefined, max: number, min = 0): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max) return Number(text);
  throw usageError(`${flag} takes a number from ${min} to ${max}`, 'set a number in this range, or remove the option');
}

/** Most bytes of a file with objects or faults. */
const MAX_BYTES = 64 * 1024 * 1024;

async function readJson(option: string, path: string, host: Host): Promise<Json> {
  const text = await readInput({ option, path, maxBytes: MAX_BYTES }, host);
  try {
    return parseJson(text);
  } catch {
    throw invalidSetting(`${option} ${JSON.stringify(path)} is not JSON`, 'check the path and the JSON syntax');
  }
}

export const commands: readonly CommandSpec<EmulatorFlags>[] = [
  {
    position: 100,
    words: 'emulator',
    text: 'serve the whole API on loopback',
    flags: {
      own: [
        { flags: '--port <port>', text: 'port (default: any free one)' },
        { flags: '--api-key <key>', text: 'main token (default: a random one); for the emulator only' },
        { flags: '--state <file>', text: 'file that keeps the objects across restarts' },
        { flags: '--page-size <count>', text: 'largest page, 1 to 100' },
        { flags: '--latency <ms>', text: 'wait before each answer' },
        { flags: '--seed <file>', text: 'initial objects: JSON, list key → objects' },
        { flags: '--faults <file>', text: 'scripted faults: a JSON list' },
      ],
    },
    help: {
      examples: ['emulator --port 4040 --api-key local', 'emulator --state objects.json --latency 50'],
      environment: ['EDGEFORM_CAPABILITIES', 'EDGEFORM_VERSION_HEADER'],
      exits: ['invalid'],
    },
    run: ({ invocation, flags }) => emulator(flags, invocation),
  },
];
