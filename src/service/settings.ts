// Connection settings and their checks, so that an invalid one is reported before any request. No I/O.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { withoutSlash } from '../core/service-address.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { CAPABILITIES, type Capability } from '../catalog/kind.ts';

/** How to connect to the service. Checked when a run or a client is created from them. */
export interface ClientSettings {
  /** https, or http on loopback, because the key is sent there. */
  readonly baseUrl: URL;
  readonly apiKey: Secret;
  readonly versionHeader: { readonly name: string; readonly value: string };
  /** Sent as `limit` when set (capability paging-limit). */
  readonly pageSize?: number;
  /** Milliseconds for one attempt, including headers and body. */
  readonly readTimeoutMs: number;
  readonly writeTimeoutMs: number;
  /** Maximum size of a response body in bytes. */
  readonly maxBytes: number;
  /** For https to other machines; nothing else uses a proxy. */
  readonly proxy?: { readonly https?: string; readonly no?: string };
  /** Maximum number of requests in flight, by default 32. */
  readonly concurrency?: number;
  /** Maximum number of requests a second. */
  readonly rate?: number | undefined;
  /** Receives one line per attempt: method, path, status, milliseconds, waits; never headers, bodies or query values. */
  readonly trace?: (line: string) => void;
}

/** The same settings, checked like user input: the key must not be sent in clear text, and NaN would be no limit. */
export function checkConnection(given: ClientSettings): ClientSettings {
  const { readTimeoutMs, writeTimeoutMs, maxBytes, concurrency, versionHeader } = given;
  const [url, key] = [parseBaseUrl(given.baseUrl.href, 'baseUrl'), checkApiKey(given.apiKey.reveal(), 'apiKey')];
  const rest = Object.entries({ readTimeoutMs, writeTimeoutMs, maxBytes, concurrency }).map(([name, value = 1]) =>
    value >= 1 ? good(value) : problem(`${name} is not a number of at least 1`, 'give a number of at least 1'),
  );
  const header = parseVersionHeader(`${versionHeader.name}: ${versionHeader.value}`);
  const problems = [url, key, header, ...rest].flatMap(({ diagnostics }) => diagnostics);
  if (url.value === undefined || key.value === undefined || problems.length > 0) throw new Failure('invalid', problems);
  return { ...given, baseUrl: url.value, apiKey: key.value };
}

/** Registers the credentials in an environment as secrets, valid or not. */
export function registerCredentials(env: Readonly<Record<string, string | undefined>>): void {
  knownSecrets.add(env['EDGEFORM_API_KEY']?.trim() ?? '');
  for (const value of fleetCredentials(env).map((name) => env[name] ?? '')) {
    if (/^https?:/i.test(value)) keepUserinfo(value);
    else knownSecrets.add(value.trim());
  }
  for (const [name, value = ''] of Object.entries(env))
    if (/^(?:EDGEFORM_BASE_URL|(?:https?|ftp|all)_proxy)$/i.test(name)) keepUserinfo(value);
}

/** Environment variables that a fleet may name besides the usual ones. Their values are addresses (http or https), or secrets. */
function fleetCredentials(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (env['EDGEFORM_FLEET_CREDENTIALS'] ?? '').split(',').flatMap((name) => name.trim() || []);
}

/** User and password before a host: both end before the path, the query and the fragment. */
const USERINFO = /^(?:[a-z][a-z0-9+.-]*:)?(?:\/\/)?([^:@/?#]*)(?::([^/?#]+))?@/i;

/** Registers the password in a possible URL as a secret; a user name without a password is a token. */
function keepUserinfo(text: string): void {
  const [, user = '', password = user] = USERINFO.exec(text) ?? [];
  knownSecrets.add(password);
}

function problem(message: string, fix: string): Result<never> {
  const diagnostic: Diagnostic = { code: 'invalid-setting', severity: 'error', message, fix };
  return { diagnostics: [diagnostic] };
}

function good<T>(value: T): Result<T> {
  return { value, diagnostics: [] };
}

/** The base URL: https, or http on loopback; no user, query or fragment. `from` names its flag or variable. */
export function parseBaseUrl(text: string, from = 'EDGEFORM_BASE_URL'): Result<URL> {
  keepUserinfo(text);
  const scheme = lackingScheme(text);
  if (scheme !== undefined) return problem(`${from} has no scheme`, `put ${scheme} in front of it`);
  if (!URL.canParse(text))
    return problem(`${from} is not a URL`, `set ${from} to a complete URL, for example https://api.example.com`);
  const url = new URL(withoutSlash(text));
  if (url.username !== '' || url.password !== '') {
    return problem(
      `${from} holds a user name or password`,
      'remove it; the API key comes from EDGEFORM_API_KEY or --api-key-file',
    );
  }
  if (url.search !== '' || url.hash !== '')
    return problem(`${from} has a query or fragment`, 'remove everything from ? or # on');
  if (url.protocol === 'https:') return good(url);
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return good(url);
  // Anything but an http(s) URL might be a key: no part of it is shown.
  const shown = url.protocol === 'http:' ? `: http://${url.host}` : '';
  return problem(`${from} is not https${shown}`, 'use https; plain http is allowed on loopback only');
}

/** The scheme that is missing in front of a host, with or without a port; undefined for any other text, which might be a key. */
function lackingScheme(text: string): string | undefined {
  if (!/^[a-z0-9.-]+(?::\d+)?(?:\/|$)/i.test(text) && !/^\[[\da-f:.]+\](?::\d+)?(?:\/|$)/i.test(text)) return undefined;
  const whole = `https://${text}`;
  const host = URL.canParse(whole) ? new URL(whole).hostname : '';
  if (isLoopback(host)) return 'http://';
  return host.includes('.') || /:\d/.test(text) ? 'https://' : undefined;
}

/** Whether the host of a URL is this machine: plain http is allowed, and no proxy is used. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** The proxy for https: `http://` or `https://`, or just `host:port`. Never repeats the text, which may contain a password. */
export function parseProxy(text: string, from = 'HTTPS_PROXY'): Result<string> {
  keepUserinfo(text);
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  const fix = `set ${from} to http://HOST:PORT, or unset it`;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !/^\/?$/.test(url.pathname) || url.search !== '')
    return problem(`${from} is not a usable proxy URL`, fix);
  try {
    decodeURIComponent(`${url.username}${url.password}`);
  } catch {
    return problem(`${from} has a user name or password that is not escaped as in a URL`, fix);
  }
  return good(url.href);
}

/** The API key: visible ASCII without spaces. Drops one final newline. Messages never repeat the text. */
export function checkApiKey(text: string, from = 'EDGEFORM_API_KEY'): Result<Secret> {
  const key = text.replace(/\r?\n$/, '');
  if (key === '') return problem(`the API key in ${from} is empty`, `put the token of an API key into ${from}`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return problem(
      `the API key in ${from} holds a space, a control character or a character outside ASCII`,
      `put the bare token into ${from}, without "Bearer" and quotes`,
    );
  }
  return good(new Secret(key));
}

/** `Name: value`, for example `Service-Version: 2` (§9). */
export function parseVersionHeader(text: string): Result<ClientSettings['versionHeader']> {
  const from = 'EDGEFORM_VERSION_HEADER';
  const fix = `write "Name: value", for example ${from}="Service-Version: 2"`;
  const found = /^([A-Za-z0-9-]+):\s*([\x21-\x7e]+)$/.exec(text);
  const [, name, value] = found ?? [];
  if (name === undefined || value === undefined) return problem(`${from} is not "Name: value"`, fix);
  if (['authorization', 'host', 'content-type', 'content-length'].includes(name.toLowerCase()))
    return problem(`${from} cannot be the header ${name}`, fix);
  return good({ name, value });
}

/** Enabled capabilities: all except those named with a minus, for example `-routes,-module-delete`. */
export function parseCapabilities(text: string): Result<ReadonlySet<Capability>> {
  const on = new Set<Capability>(CAPABILITIES);
  for (const word of text.split(',').map((part) => part.trim())) {
    if (word === '') continue;
    const name = CAPABILITIES.find((known) => known === word.replace(/^[+-]/, ''));
    if (name === undefined)
      return problem(`unknown capability in EDGEFORM_CAPABILITIES: ${word}`, `known: ${CAPABILITIES.join(', ')}`);
    if (word.startsWith('-')) on.delete(name);
    else on.add(name);
  }
  return good(on);
}

/** A page size of 1 to 100, or undefined. */
export function parsePageSize(text: string): Result<number> {
  const size = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (size >= 1 && size <= 100) return good(size);
  return problem(
    'EDGEFORM_PAGE_SIZE is not a number from 1 to 100',
    'set a number from 1 to 100, or unset it to use the service’s own page size',
  );
}
