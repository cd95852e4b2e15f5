// HTTP to the service (§4, §5, §9): bearer and version header, whole-attempt deadlines, capped JSON bodies, no redirects.
// The reader is a separate object without any way to write. Nothing is retried here.

import type { Dispatcher } from 'undici';
import { EnvHttpProxyAgent, request } from 'undici';
import type { Json, JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import { BugError } from '../base/diagnostic.ts';
import { ID } from '../catalog/common.ts';
import { collect, parseBody } from './body.ts';
import type { Attempt } from './failure.ts';
import { refusal, transportFailure, unusable } from './failure.ts';
import { excerpt } from './mask.ts';
import { nextPage } from './pages.ts';
import type { ClientSettings } from './settings.ts';
import type { ApiWrite, ReadClient, WriteClient } from './transport.ts';

const MAX_PAGES = 10_000;
const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;

interface Answer {
  readonly status: number;
  /** Null for an empty 204. */
  readonly json: Json;
}

type Send = (method: ApiWrite['method'] | 'GET', url: URL, body?: JsonObject) => Promise<Answer>;

/** A client that can only list and get. */
export function createReadClient(settings: ClientSettings): ReadClient {
  return readerOf(settings, createSend(settings));
}

/** A client that can also write. */
export function createWriteClient(settings: ClientSettings): WriteClient {
  const send = createSend(settings);
  return {
    ...readerOf(settings, send),
    write: async ({ method, path, body }) => (await send(method, resolve(settings.baseUrl, path), body)).json,
  };
}

function readerOf(settings: ClientSettings, send: Send): ReadClient {
  return {
    list: (path, key) => listAll(settings, send, path, key),
    get: (path) => getOne(settings, send, path),
  };
}

/** The URL of a path under the base URL; a path cannot leave it. */
function resolve(base: URL, path: string): URL {
  const url = new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base.origin);
  if (url.origin !== base.origin) throw new BugError('a request path left the base URL');
  return url;
}

function attemptOf(settings: ClientSettings, method: string, url: URL): Attempt {
  const isWrite = method !== 'GET';
  const timeoutMs = isWrite ? settings.writeTimeoutMs : settings.readTimeoutMs;
  return { method, path: `${url.pathname}${url.search}`, origin: url.origin, timeoutMs, isWrite };
}

function createSend(settings: ClientSettings): Send {
  const { proxy } = settings;
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: proxy?.http ?? '',
    httpsProxy: proxy?.https ?? '',
    noProxy: proxy?.no ?? '',
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: CONNECT_TIMEOUT_MS },
    keepAliveTimeout: 1_000,
    pipelining: 1,
  });
  const now = settings.now ?? (() => 0);
  return async (method, url, body) => {
    const attempt = attemptOf(settings, method, url);
    const started = now();
    const note = (result: string) =>
      settings.trace?.(`${method} ${attempt.path} ${result} ${Math.round(now() - started)} ms`);
    try {
      const answer = await exchange(settings, dispatcher, attempt, { url, ...(body && { body }) });
      note(String(answer.status));
      return answer;
    } catch (error) {
      note('failed');
      throw error;
    }
  };
}

interface Target {
  readonly url: URL;
  readonly body?: JsonObject;
}

async function exchange(
  settings: ClientSettings,
  dispatcher: Dispatcher,
  attempt: Attempt,
  target: Target,
): Promise<Answer> {
  let response: Dispatcher.ResponseData;
  let bytes: Buffer | undefined;
  try {
    response = await request(target.url, {
      dispatcher,
      method: attempt.method,
      headers: headersOf(settings, target.body !== undefined),
      body: target.body === undefined ? null : JSON.stringify(target.body),
      signal: AbortSignal.timeout(attempt.timeoutMs),
      headersTimeout: attempt.timeoutMs,
      bodyTimeout: attempt.timeoutMs,
    });
    bytes = await collect(response.body, settings.maxBytes);
  } catch (error) {
    throw transportFailure(attempt, error);
  }
  if (bytes === undefined) {
    throw unusable(attempt, {
      status: response.statusCode,
      why: `the answer is larger than ${settings.maxBytes} bytes`,
    });
  }
  return judge(attempt, response, bytes, secretsOf(settings, target.body));
}

function headersOf(settings: ClientSettings, hasBody: boolean): Record<string, string> {
  return {
    authorization: `Bearer ${settings.apiKey.reveal()}`,
    [settings.versionHeader.name]: settings.versionHeader.value,
    accept: 'application/json',
    'accept-encoding': 'identity',
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

/** Texts that must not come back in an error: the key, and every long string that was sent. */
function secretsOf(settings: ClientSettings, body: JsonObject | undefined): string[] {
  const found = [settings.apiKey.reveal()];
  const visit = (value: Json): void => {
    if (typeof value === 'string' && value.length >= 8) found.push(value);
    else if (isList(value)) value.forEach(visit);
    else if (isObject(value)) Object.values(value).forEach(visit);
  };
  if (body !== undefined) visit(body);
  return found;
}

function judge(attempt: Attempt, response: Dispatcher.ResponseData, bytes: Buffer, secrets: readonly string[]): Answer {
  const status = response.statusCode;
  const header = (name: string) => String(response.headers[name] ?? '');
  if (status === 204 && bytes.length === 0) return { status, json: null };
  if (status >= 300 && status < 400) {
    const to = header('location');
    const where = URL.canParse(to, attempt.origin) ? new URL(to, attempt.origin).origin : 'nowhere';
    throw unusable(attempt, {
      status,
      why: `the answer is a redirect (${status}) to ${where}, and redirects are not followed`,
    });
  }
  if (header('content-encoding') !== '' && header('content-encoding') !== 'identity') {
    throw unusable(attempt, { status, why: 'the answer is compressed although that was not asked for' });
  }
  const parsed = parseBody(bytes, header('content-type'));
  if ('problem' in parsed) throw unusable(attempt, { status, why: `${parsed.problem} (status ${status})` });
  if (status >= 200 && status < 300) return { status, json: parsed.json };
  if (!isApiError(parsed.json)) {
    throw unusable(attempt, {
      status,
      why: `the answer (${status}) does not have the API's form: ${excerpt(parsed.json, secrets)}`,
    });
  }
  throw refusal(attempt, status, excerpt(parsed.json, secrets));
}

/** Error bodies are not shown by the specification (§7); public services of this shape send these keys (ADR-0004). */
function isApiError(json: Json): json is JsonObject {
  return isObject(json) && (typeof json['status_code'] === 'number' || typeof json['error_code'] === 'string');
}

async function getOne(settings: ClientSettings, send: Send, path: string): Promise<JsonObject | undefined> {
  const url = resolve(settings.baseUrl, path);
  const attempt = attemptOf(settings, 'GET', url);
  let answer: Answer;
  try {
    answer = await send('GET', url);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
  if (!isObject(answer.json)) throw unusable(attempt, { why: 'the answer is not an object' });
  return answer.json;
}

function isGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'api-refused' &&
    'status' in error &&
    error.status === 404
  );
}

async function listAll(settings: ClientSettings, send: Send, path: string, key: string) {
  let url = resolve(settings.baseUrl, path);
  if (settings.pageSize !== undefined) url.searchParams.set('limit', String(settings.pageSize));
  const items: JsonObject[] = [];
  const seen = new Set<string>();
  for (let requests = 1; requests <= MAX_PAGES; requests++) {
    const attempt = attemptOf(settings, 'GET', url);
    seen.add(url.href);
    const { json } = await send('GET', url);
    const page = readPage(attempt, json, key);
    items.push(...page.items);
    if (page.next === null) return { items: dedupe(attempt, items), requests };
    const next = nextPage(url, page.next);
    if ('problem' in next) throw unusable(attempt, { why: next.problem });
    if (seen.has(next.url.href)) throw unusable(attempt, { why: 'the pages of the list form a loop' });
    url = next.url;
  }
  throw unusable(attemptOf(settings, 'GET', url), { why: `the list has more than ${MAX_PAGES} pages` });
}

function readPage(attempt: Attempt, json: Json, key: string): { items: JsonObject[]; next: string | null } {
  if (!isObject(json)) throw unusable(attempt, { why: 'the answer is not an object' });
  const list = Object.hasOwn(json, key) ? json[key] : undefined;
  if (!Array.isArray(list)) throw unusable(attempt, { why: `the answer has no list under "${key}"` });
  const items: JsonObject[] = list.map((item: Json, index) => {
    if (!isObject(item) || typeof item[ID] !== 'string')
      throw unusable(attempt, { why: `${key}.${index} is not an object with an id` });
    return item;
  });
  const next = json['next_page_uri'] ?? null;
  if (next !== null && typeof next !== 'string')
    throw unusable(attempt, { why: 'next_page_uri is neither a string nor null' });
  return { items, next };
}

/** Items that moved between pages while we read are kept once; the later copy is the newer one. */
function dedupe(attempt: Attempt, items: readonly JsonObject[]): JsonObject[] {
  const byId = new Map<string, JsonObject>();
  for (const item of items) byId.set(String(item[ID]), item);
  if (byId.size * 2 < items.length) throw unusable(attempt, { why: 'the list repeats the same objects' });
  return [...byId.values()];
}
