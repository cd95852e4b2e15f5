// Options and environment of all commands, parsed once into one typed record. Every default lives here.

import { resolve } from 'node:path';
import type { Diagnostic, Outcome } from '../base/diagnostic.ts';
import { publishNames } from '../base/filter.ts';
import type { Secret } from '../base/secret.ts';
import { isObject } from '../base/json.ts';
import type { Capability } from '../catalog/kind.ts';
import type { ClientSettings } from '../api/settings.ts';
import {
  checkApiKey,
  parseBaseUrl,
  parseCapabilities,
  parsePageSize,
  parseProxy,
  parseVersionHeader,
} from '../api/settings.ts';
import { descriptorOf, isReadByOthers } from '../files/read.ts';
import { parseFile } from '../manifest/parse.ts';
import { pathKey } from '../manifest/unread.ts';
import type { Format } from '../render/formats.ts';
import { FORMATS, isFormat } from '../render/formats.ts';
import type { Style } from '../render/style.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import { readGiven } from './given.ts';
import type { Host, Sink } from './host.ts';

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

const READ_TIMEOUT_MS = 30_000;
const WRITE_TIMEOUT_MS = 60_000;
const MAX_BODY_BYTES = 32 * 1024 * 1024;
const MAX_KEY_BYTES = 16 * 1024;
const MAX_VARIABLES_BYTES = 4 * 1024 * 1024;
const CONCURRENCY = 8;
/** How long requests in flight may take to end after a signal or the deadline. */
export const GRACE_MS = 6_000;
const WIDTH = 100;

export function usage(message: string, fix?: string): CommandFailure {
  const diagnostic: Diagnostic = { code: 'bad-usage', severity: 'error', message, ...(fix !== undefined && { fix }) };
  return new CommandFailure(EXIT.usage, [diagnostic]);
}

/** The value, or a failure with exit code 4. */
function need<T>(outcome: Outcome<T>): T {
  if (outcome.value === undefined) throw new CommandFailure(EXIT.invalid, outcome.diagnostics);
  return outcome.value;
}

/** The format of results. */
export function formatOf(raw: RawOptions): Format {
  const { format = 'text' } = raw;
  if (isFormat(format)) return format;
  throw usage(`unknown format "${format}"`, `use ${FORMATS.slice(0, -1).join(', ')} or ${FORMATS.at(-1) ?? ''}`);
}

/** Colour and width for a stream. */
export function styleOf(raw: RawOptions, { env }: Host, sink: Sink): Style {
  const { color = 'auto', detail = 'changes' } = raw;
  if (color !== 'auto' && color !== 'always' && color !== 'never')
    throw usage(`unknown colour mode "${color}"`, 'use auto, always or never');
  if (detail !== 'names' && detail !== 'changes' && detail !== 'full')
    throw usage(`unknown detail "${detail}"`, 'use names, changes or full');
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '0';
  const quiet = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  const auto = forced || (sink.isTty && !quiet);
  return {
    color: color === 'always' || (color === 'auto' && auto),
    width: Math.max(40, Math.min(sink.columns || WIDTH, 160)),
    detail,
  };
}

/** A whole number of at least one. */
export function concurrencyOf(raw: RawOptions): number {
  if (raw.concurrency === undefined) return CONCURRENCY;
  const count = /^\d{1,3}$/.test(raw.concurrency) ? Number(raw.concurrency) : 0;
  if (count >= 1) return count;
  throw usage('--concurrency takes a number from 1 to 999');
}

/** Milliseconds that the whole run may take, or undefined. */
export function deadlineOf({ deadline }: RawOptions): number | undefined {
  if (deadline === undefined) return undefined;
  if (/^\d{1,6}$/.test(deadline) && Number(deadline) >= 1) return Number(deadline) * 1000;
  throw usage('--deadline takes a number of seconds from 1 to 999999');
}

const SETTLE_MS = 20_000;

/** Milliseconds for which a creation whose answer was lost is looked for. */
export function settleOf({ settle }: RawOptions): number {
  if (settle === undefined) return SETTLE_MS;
  if (/^\d{1,5}$/.test(settle)) return Number(settle) * 1000;
  throw usage('--settle takes a number of seconds from 0 to 99999');
}

/** Checks every value that is only used later, so that wrong usage ends before any work. */
export function checkUsage(raw: RawOptions, host: Host): void {
  formatOf(raw);
  styleOf(raw, host, host.stdout);
  concurrencyOf(raw);
  allowDeletesOf(raw);
  deadlineOf(raw);
  settleOf(raw);
}

/** A count, `all`, or undefined for the default budget. */
export function allowDeletesOf(raw: RawOptions): number | 'all' | undefined {
  const { allowDeletes } = raw;
  if (allowDeletes === undefined || allowDeletes === 'all') return allowDeletes;
  if (/^\d{1,9}$/.test(allowDeletes)) return Number(allowDeletes);
  throw usage('--allow-deletes takes a number or "all"');
}

export function capabilitiesOf({ env }: Host): ReadonlySet<Capability> {
  return need(parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? ''));
}

/** How to connect, from flags and environment only; a manifest has no say in it. Everything that is wrong is told at once. */
export async function connectionOf(raw: RawOptions, host: Host): Promise<ClientSettings> {
  const { env } = host;
  refuseUnsafe(host);
  const problems: Diagnostic[] = [];
  const take = async <T>(make: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.exitCode !== EXIT.invalid) throw error;
      problems.push(...error.diagnostics);
      return undefined;
    }
  };
  const throughProxy = env['HTTPS_PROXY'] ?? env['https_proxy'] ?? '';
  const baseUrl = await take(() => baseUrlOf(raw, host));
  const apiKey = await take(() => apiKeyOf(raw, host));
  const header = env['EDGEFORM_VERSION_HEADER'] ?? 'Service-Version: 2';
  const versionHeader = await take(() => need(parseVersionHeader(header)));
  const pageSize = await take(() => pageSizeOf(host));
  const https = throughProxy === '' ? undefined : await take(() => need(parseProxy(throughProxy)));
  const readTimeoutMs = await take(() => timeoutOf(env, READ_TIMEOUT_MS));
  if (problems.length > 0 || !baseUrl || !apiKey || !versionHeader || readTimeoutMs === undefined)
    throw new CommandFailure(EXIT.invalid, problems);
  return {
    baseUrl,
    apiKey,
    versionHeader,
    ...(pageSize !== undefined && { pageSize }),
    lastPageIsBare: !capabilitiesOf(host).has('next-page-uri'),
    readTimeoutMs,
    writeTimeoutMs: timeoutOf(env, WRITE_TIMEOUT_MS),
    maxBytes: MAX_BODY_BYTES,
    proxy: { ...(https !== undefined && { https }), no: env['NO_PROXY'] ?? env['no_proxy'] ?? '' },
    ...(raw.debug === true && {
      trace: (line: string) => {
        host.stderr.write(`debug: ${line}\n`);
      },
    }),
    concurrency: concurrencyOf(raw),
  };
}

function baseUrlOf(raw: RawOptions, { env }: Host): URL {
  const given = raw.baseUrl ?? env['EDGEFORM_BASE_URL'];
  if (given === undefined || given === '')
    throw missing('the base URL of the service is not set', 'set EDGEFORM_BASE_URL or --base-url');
  const url = need(parseBaseUrl(given));
  publishNames(() => [url.href, url.origin]);
  return url;
}

/** Undefined when no paging parameter is sent. */
function pageSizeOf(host: Host): number | undefined {
  const given = host.env['EDGEFORM_PAGE_SIZE'] ?? '';
  return capabilitiesOf(host).has('paging-limit') && given !== '' ? need(parsePageSize(given)) : undefined;
}

/** Deadline of one attempt; EDGEFORM_TIMEOUT in seconds replaces both. */
function timeoutOf(env: Host['env'], fallback: number): number {
  const text = env['EDGEFORM_TIMEOUT'];
  if (text === undefined || text === '') return fallback;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text) * 1000;
  throw missing('EDGEFORM_TIMEOUT is not a number of seconds', 'set 1 to 9999, or unset it');
}

export function missing(message: string, fix: string): CommandFailure {
  return new CommandFailure(EXIT.invalid, [{ code: 'missing-setting', severity: 'error', message, fix }]);
}

async function apiKeyOf({ apiKeyFile }: RawOptions, host: Host): Promise<Secret> {
  if (apiKeyFile !== undefined) return need(checkApiKey(await readKeyFile(apiKeyFile, host)));
  const key = host.env['EDGEFORM_API_KEY'];
  if (key === undefined || key === '')
    throw missing('no API key is set', 'set EDGEFORM_API_KEY, or name a file with --api-key-file');
  return need(checkApiKey(key));
}

async function readKeyFile(path: string, host: Host): Promise<string> {
  const text = await readGiven({ option: '--api-key-file', path, maxBytes: MAX_KEY_BYTES }, host);
  const full = resolve(host.cwd, path);
  if (descriptorOf(full) === undefined && isReadByOthers(full))
    host.stderr.write('warning: the API key file can be read by others; run chmod 600 on it\n');
  return text;
}

/** Settings of Node that would print the key or talk to anyone. */
function refuseUnsafe({ env }: Host): void {
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    throw missing(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 switches certificate checks off',
      'unset it; use NODE_EXTRA_CA_CERTS for your own authority',
    );
  }
  if (/--(?:tls-keylog|inspect)/.test(env['NODE_OPTIONS'] ?? '')) {
    throw missing(
      'NODE_OPTIONS opens the process or its connections to others (--inspect, --tls-keylog)',
      'unset it for this command',
    );
  }
  if (/\b(?:http|net|tls|undici|fetch)\b|\*/i.test(env['NODE_DEBUG'] ?? '')) {
    throw missing('NODE_DEBUG would print the API key', 'unset it; --debug shows requests without secrets');
  }
}

/** Values of --var-file, then --var, which wins. */
export async function variablesOf(raw: RawOptions, host: Host): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  for (const name of raw.varFile ?? [])
    for (const [key, value] of await readVarFile(name, host)) values.set(key, value);
  for (const pair of raw.var ?? []) {
    const at = pair.indexOf('=');
    if (at <= 0) throw usage('--var takes NAME=VALUE');
    values.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return values;
}

async function readVarFile(name: string, host: Host): Promise<[string, string][]> {
  const text = await readGiven({ option: '--var-file', path: name, maxBytes: MAX_VARIABLES_BYTES }, host);
  const { json, numberTexts, diagnostics } = parseFile(name, text);
  if (diagnostics.length > 0) throw new CommandFailure(EXIT.invalid, diagnostics);
  if (!isObject(json))
    throw missing(`the variables file ${JSON.stringify(name)} is not a map`, 'write one `NAME: VALUE` per line');
  return Object.entries(json).map(([key, value]) => {
    if (typeof value === 'object')
      throw missing(
        `variable ${JSON.stringify(key)} in ${JSON.stringify(name)} is not a plain value`,
        'write one `NAME: VALUE` per line',
      );
    return [key, numberTexts.get(pathKey([key])) ?? String(value)];
  });
}
