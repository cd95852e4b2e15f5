// The connection, from flags and environment only. Missing and invalid settings are reported together, each with its flag or
// variable.

import { resolve } from 'node:path';
import {
  checkApiKey,
  parseBaseUrl,
  parseCapabilities,
  parsePageSize,
  parseProxy,
  parseVersionHeader,
  type ClientSettings,
} from '../../service/settings.ts';
import type { Secret } from '../../core/secrets/secret.ts';
import { descriptorOf, modeOf } from '../../platform/paths.ts';
import { Collector, Failure, requireValue } from '../../core/failure.ts';
import { tryTo } from '../../core/try.ts';
import { readInput } from './read-input.ts';
import { connectionFor, DEFAULT_CONNECTION } from '../../reconcile/create-run.ts';
import type { Host } from '../shell/host.ts';
import type { Invocation } from '../shell/invocation.ts';
import { invalidSetting } from './settings.ts';

const MAX_KEY_BYTES = 16 * 1024;

/** The header that names the version of the API (§9). */
export function versionHeaderOf(env: Host['env']): ClientSettings['versionHeader'] {
  const given = env['EDGEFORM_VERSION_HEADER'];
  return given === undefined ? DEFAULT_CONNECTION.versionHeader : requireValue(parseVersionHeader(given));
}

/** The environment variables that hold address and key. Flags stand for the usual ones only. */
interface Credentials {
  readonly baseUrlEnv: string;
  readonly apiKeyEnv: string;
}

const USUAL: Credentials = { baseUrlEnv: 'EDGEFORM_BASE_URL', apiKeyEnv: 'EDGEFORM_API_KEY' };

/** The connection, from flags and environment only; a manifest has no influence on it. Reports all problems together. */
export async function connectionOf(run: Invocation, from = USUAL): Promise<ClientSettings> {
  const { env, settings } = run;
  const collector = new Collector();
  const take = <T>(make: () => T | Promise<T>) => collector.take(make);
  for (const [name, isUnsafe, message, fix] of UNSAFE)
    if (isUnsafe.test(env[name] ?? '')) collector.add(invalidSetting(message, fix));
  const baseUrl = await take(() => baseUrlOf(run, from));
  const apiKey = await take(() => apiKeyOf(run, from));
  const versionHeader = await take(() => versionHeaderOf(env));
  const capabilities = await take(() => requireValue(parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? '')));
  const pageSize = await take(() => pageSizeOf(env));
  const https = await take(() => proxyOf(env));
  const readTimeoutMs = await take(() => timeoutOf(env, DEFAULT_CONNECTION.readTimeoutMs));
  if (collector.hasFailed || !baseUrl || !apiKey || !versionHeader || !capabilities || !readTimeoutMs)
    throw collector.failure();
  return {
    baseUrl,
    apiKey,
    versionHeader,
    ...connectionFor({ capabilities, concurrency: settings.concurrency }, pageSize),
    readTimeoutMs,
    writeTimeoutMs: timeoutOf(env, DEFAULT_CONNECTION.writeTimeoutMs),
    maxBytes: DEFAULT_CONNECTION.maxBytes,
    proxy: { ...(https !== undefined && { https }), no: env['NO_PROXY'] ?? env['no_proxy'] ?? '' },
    ...(settings.debug && { trace: (line: string) => run.stderr.write(`debug: ${line}\n`) }),
  };
}

/** A required setting that was not given. */
function missingSetting(message: string, fix: string): Failure {
  return Failure.of('invalid', 'missing-setting', message, fix);
}

function baseUrlOf(
  { settings, env }: Pick<Invocation, 'settings' | 'env'>,
  { baseUrlEnv: name }: Pick<Credentials, 'baseUrlEnv'>,
): URL {
  const isUsual = name === USUAL.baseUrlEnv;
  const baseUrl = isUsual ? settings.baseUrl : undefined;
  const given = baseUrl ?? env[name];
  if (given === undefined || given === '')
    throw missingSetting('the base URL of the service is not set', `set ${name}${isUsual ? ' or --base-url' : ''}`);
  return requireValue(parseBaseUrl(given, baseUrl === undefined ? name : '--base-url'));
}

/** The address of the service; undefined if it is not set, or not valid. */
export function serviceOf(run: Pick<Invocation, 'settings' | 'env'>, from: Pick<Credentials, 'baseUrlEnv'> = USUAL) {
  return tryTo(() => baseUrlOf(run, from));
}

function pageSizeOf(env: Host['env']): number | undefined {
  const given = env['EDGEFORM_PAGE_SIZE'] ?? '';
  return given === '' ? undefined : requireValue(parsePageSize(given));
}

function proxyOf(env: Host['env']): string | undefined {
  const from = env['HTTPS_PROXY'] === undefined ? 'https_proxy' : 'HTTPS_PROXY';
  const given = env[from] ?? '';
  return given === '' ? undefined : requireValue(parseProxy(given, from));
}

/** Deadline of one attempt; EDGEFORM_TIMEOUT in seconds replaces both. */
function timeoutOf(env: Host['env'], fallback: number): number {
  const text = env['EDGEFORM_TIMEOUT'];
  if (text === undefined || text === '') return fallback;
  if (/^\d{1,4}$/.test(text) && Number(text) > 0) return Number(text) * 1000;
  throw invalidSetting('EDGEFORM_TIMEOUT is not a number of seconds', 'set a number from 1 to 9999, or unset it');
}

async function apiKeyOf(run: Invocation, { apiKeyEnv: name }: Credentials): Promise<Secret> {
  const isUsual = name === USUAL.apiKeyEnv;
  const apiKeyFile = isUsual ? run.settings.apiKeyFile : undefined;
  if (apiKeyFile !== undefined)
    return requireValue(
      checkApiKey(await readKeyFile(apiKeyFile, run), `--api-key-file ${JSON.stringify(apiKeyFile)}`),
    );
  const key = run.env[name];
  if (key === undefined || key === '')
    throw missingSetting('no API key is set', `set ${name}${isUsual ? ', or name a file with --api-key-file' : ''}`);
  return requireValue(checkApiKey(key, name));
}

async function readKeyFile(path: string, run: Invocation): Promise<string> {
  const text = await readInput({ option: '--api-key-file', path, maxBytes: MAX_KEY_BYTES }, run);
  const full = resolve(run.cwd, path);
  if (path !== '-' && descriptorOf(full) === undefined && (modeOf(full) & 0o077) !== 0)
    run.stderr.write('warning: the API key file can be read by others; run chmod 600 on it\n');
  return text;
}

/** Node settings that would print the key or accept any server. */
const UNSAFE: readonly (readonly [name: string, isUnsafe: RegExp, message: string, fix: string])[] = [
  [
    'NODE_TLS_REJECT_UNAUTHORIZED',
    /^0$/,
    'NODE_TLS_REJECT_UNAUTHORIZED=0 disables certificate checks',
    'unset it; use NODE_EXTRA_CA_CERTS to trust your own certificate authority',
  ],
  [
    'NODE_OPTIONS',
    /--(?:tls-keylog|inspect)/,
    'NODE_OPTIONS exposes the process or its connections (--inspect, --tls-keylog)',
    'unset it for this command',
  ],
  [
    'NODE_DEBUG',
    /\b(?:http|net|tls|undici|fetch)\b|\*/i,
    'NODE_DEBUG would print the API key',
    'unset it; --debug shows requests without secrets',
  ],
];
