// Options of all commands, as the command line gives them, with their defaults. How to connect is in connection.ts.

import type { Outcome } from '../../core/diagnostic.ts';
import { isObject } from '../../core/json.ts';
import type { Capability } from '../../catalog/kind.ts';
import { parseCapabilities } from '../../service/settings.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import { pathKey } from '../../manifest/unread.ts';
import type { Format } from '../../render/formats.ts';
import { FORMATS, isFormat } from '../../render/formats.ts';
import type { Style } from '../../render/style.ts';
import { EXIT } from '../shell/exit.ts';
import { collectAll, Collector, CommandFailure } from '../shell/failure.ts';
import { readGiven } from './given.ts';
import type { Host, Sink } from '../shell/host.ts';

/** What commander gives, by option name. */
export interface RawOptions {
  readonly file?: readonly string[];
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly color?: string;
  readonly concurrency?: string;
  readonly deadline?: string;
  readonly settle?: string;
  readonly journal?: string;
  readonly events?: string;
  readonly resolve?: readonly string[];
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly target?: readonly string[];
  readonly detailedExitcode?: boolean;
  readonly out?: string;
  readonly debug?: boolean;
  readonly autoApprove?: boolean;
  readonly allowDeletes?: string;
  readonly allowReplace?: readonly string[];
  readonly tokenDir?: string;
  readonly ignore?: string;
  readonly summaryFile?: string;
  readonly requireVars?: boolean;
}

const MAX_VARIABLES_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 8;
/** How long requests in flight may take to end after a signal or the deadline. */
export const GRACE_MS = 6_000;
const WIDTH = 100;

export function usage(message: string, fix: string): CommandFailure {
  return new CommandFailure(EXIT.usage, [{ code: 'bad-usage', severity: 'error', message, fix }]);
}

/** A setting without a default that was not given. */
export function missing(message: string, fix: string): CommandFailure {
  return new CommandFailure(EXIT.invalid, [{ code: 'missing-setting', severity: 'error', message, fix }]);
}

/** A setting that was given and cannot be used: the message names the flag or variable, the fix what is accepted. */
export function invalid(message: string, fix: string): CommandFailure {
  return new CommandFailure(EXIT.invalid, [{ code: 'invalid-setting', severity: 'error', message, fix }]);
}

/** The value, or a failure with exit code 4. */
export function need<T>(outcome: Outcome<T>): T {
  if (outcome.value === undefined) throw new CommandFailure(EXIT.invalid, outcome.diagnostics);
  return outcome.value;
}

/** The format of results. */
export function formatOf(raw: RawOptions): Format {
  const { format = 'text' } = raw;
  if (isFormat(format)) return format;
  throw usage(
    `--format ${JSON.stringify(format)} is no format`,
    `use ${FORMATS.slice(0, -1).join(', ')} or ${FORMATS.at(-1) ?? ''}`,
  );
}

/** Colour and width for a stream. */
export function styleOf(raw: RawOptions, host: Host, sink: Sink): Style {
  return {
    color: isColored(raw, host, sink),
    width: Math.max(40, Math.min(sink.columns || WIDTH, 160)),
    detail: detailOf(raw),
  };
}

/** How much of a plan is shown. */
export function detailOf({ detail = 'changes' }: RawOptions): Style['detail'] {
  if (detail === 'names' || detail === 'changes' || detail === 'full') return detail;
  throw usage(`--detail ${JSON.stringify(detail)} is no level of detail`, 'use names, changes or full');
}

export function isColored({ color = 'auto' }: RawOptions, { env }: Host, sink: Sink): boolean {
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    throw usage(`--color ${JSON.stringify(color)} is no colour mode`, 'use auto, always or never');
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const quiet = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const auto = forced || (sink.isTty && !quiet);
  return color === 'always' || (color === 'auto' && auto);
}

/** A whole number of at least one. */
export function concurrencyOf(raw: RawOptions): number {
  if (raw.concurrency === undefined) return CONCURRENCY;
  const count = /^\d{1,3}$/.test(raw.concurrency) ? Number(raw.concurrency) : 0;
  if (count >= 1) return count;
  throw usage('--concurrency takes a number from 1 to 999', `for example --concurrency ${CONCURRENCY}`);
}

/** Milliseconds that the whole run may take, or undefined. */
export function deadlineOf({ deadline }: RawOptions): number | undefined {
  if (deadline === undefined) return undefined;
  if (/^\d{1,6}$/.test(deadline) && Number(deadline) >= 1) return Number(deadline) * 1000;
  throw usage('--deadline takes a number of seconds from 1 to 999999', 'for example --deadline 600');
}

const SETTLE_MS = 20_000;

/** Milliseconds for which a creation whose answer was lost is looked for. */
export function settleOf({ settle }: RawOptions): number {
  if (settle === undefined) return SETTLE_MS;
  if (/^\d{1,5}$/.test(settle)) return Number(settle) * 1000;
  throw usage('--settle takes a number of seconds from 0 to 99999', `for example --settle ${SETTLE_MS / 1000}`);
}

/** A count, `all`, or undefined for the default budget. */
export function allowDeletesOf(raw: RawOptions): number | 'all' | undefined {
  const { allowDeletes } = raw;
  if (allowDeletes === undefined || allowDeletes === 'all') return allowDeletes;
  if (/^\d{1,9}$/.test(allowDeletes)) return Number(allowDeletes);
  throw usage('--allow-deletes takes a number or "all"', 'for example --allow-deletes 5');
}

export function capabilitiesOf({ env }: Host): ReadonlySet<Capability> {
  return need(parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? ''));
}

export interface GivenVariables {
  readonly values: ReadonlyMap<string, string>;
  /** What is wrong with those that are not among the values. */
  readonly failure: CommandFailure | undefined;
}

/** Values of --var-file, then --var, which wins. */
export async function variablesOf(raw: RawOptions, host: Host): Promise<GivenVariables> {
  const collector = new Collector();
  const files = (raw.varFile ?? []).map((name) => () => readVarFile(name, host));
  const pairs = (raw.var ?? []).map((pair) => () => [pairOf(pair)]);
  const values = new Map<string, string>();
  for (const read of [...files, ...pairs])
    for (const [key, value] of (await collector.take(read)) ?? []) values.set(key, value);
  return { values, failure: collector.hasFailed ? collector.failure() : undefined };
}

function pairOf(pair: string): [string, string] {
  const at = pair.indexOf('=');
  // What stands there may be a secret, so it is not repeated.
  if (at <= 0) throw usage('--var takes NAME=VALUE', 'for example --var env=prod');
  return [pair.slice(0, at), pair.slice(at + 1)];
}

async function readVarFile(name: string, host: Host): Promise<[string, string][]> {
  const text = await readGiven({ option: '--var-file', path: name, maxBytes: MAX_VARIABLES_BYTES }, host);
  const { json, numberTexts, diagnostics } = parseFile(name, text);
  if (diagnostics.length > 0) throw new CommandFailure(EXIT.invalid, diagnostics);
  if (!isObject(json))
    throw invalid(`--var-file ${JSON.stringify(name)} does not hold a map`, 'write one `NAME: VALUE` per line');
  return collectAll(Object.entries(json), ([key, value]) => {
    if (typeof value === 'object')
      throw invalid(
        `--var-file ${JSON.stringify(name)}: variable ${JSON.stringify(key)} is not a plain value`,
        'write one `NAME: VALUE` per line',
      );
    return [key, numberTexts.get(pathKey([key])) ?? String(value)];
  });
}
