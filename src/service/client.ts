// The client of the service: a reader, which cannot write at all, and a writer. Both share one pacer.

import { setMaxListeners } from 'node:events';
import { isObject, type JsonObject } from '../core/json.ts';
import { BugError } from '../core/diagnostic.ts';
import { isSegment } from '../core/text/segment.ts';
import { trimEndOf } from '../core/text/trim.ts';
import { ID } from '../catalog/fields/common.ts';
import { attemptOf, type ApiRequest } from './http/attempt.ts';
import { Breaker } from './http/breaker.ts';
import { realClock } from '../platform/clock.ts';
import { unusableError } from './http/failure.ts';
import type { ClientPorts, ClientState } from './http/client-state.ts';
import { listAll } from './lists.ts';
import { Pacer } from './http/pacer.ts';
import { LIMITS } from './limits.ts';
import { send, backOff, type SendOptions } from './http/retry.ts';
import { checkConnection, type ClientSettings } from './settings.ts';
import { ApiError, type ReadClient, type WriteClient } from './transport.ts';
import { createExchange } from './http/undici-exchange.ts';

export interface Clients {
  readonly reader: ReadClient;
  readonly writer: WriteClient;
}

/** A reader and a writer for one run. Throws a `Failure` for invalid settings. */
export function createClients(given: ClientSettings, ports: ClientPorts = {}): Clients {
  const settings = checkConnection(given);
  const link = createLink(settings, ports);
  const reader = readerOf(link);
  const writer: WriteClient = {
    ...reader,
    write: async ({ method, path, body, finishes = false, check, onSend }) => {
      const url = resolve(settings.baseUrl, path);
      const readFirst: SendOptions['check'] = check && ((within) => check(readerOf(link, { within })));
      const how = { isFirst: !finishes, check: readFirst, onSend };
      return (await send(link, { method, url, ...(body && { body }) }, how)).json;
    },
    backOff: backOff(link),
  };
  return { reader, writer };
}

/** Reads with turns of their own, or as a part of the read before a write. */
function readerOf(link: ClientState, how: Pick<SendOptions, 'within'> = {}): ReadClient {
  const { settings } = link;
  return {
    list: (path, key, onPage) => {
      const url = resolve(settings.baseUrl, path);
      if (settings.pageSize !== undefined) url.searchParams.set('limit', String(settings.pageSize));
      const sendPage = (target: ApiRequest, isNextPage: boolean) => send(link, target, { ...how, isNextPage });
      return listAll({ settings, send: sendPage, onPage }, url, key);
    },
    get: (path) => getOne(link, path, how),
  };
}

/** A client that can only list and get. */
export function createReadClient(settings: ClientSettings, ports: ClientPorts = {}): ReadClient {
  return createClients(settings, ports).reader;
}

function createLink(settings: ClientSettings, ports: ClientPorts): ClientState {
  const { clock = realClock, random = Math.random } = ports;
  return {
    ...ports,
    ...(ports.signal && { signal: manyMayWait(ports.signal) }),
    ...(ports.gracePeriod && { gracePeriod: { ...ports.gracePeriod, signal: manyMayWait(ports.gracePeriod.signal) } }),
    settings,
    clock,
    random,
    exchange: ports.exchange ?? createExchange(settings),
    pacer: new Pacer({ concurrency: settings.concurrency ?? LIMITS.requests, rate: settings.rate, clock, random }),
    breaker: new Breaker(),
  };
}

/** A signal of our own, because Node warns of a leak when more than a few listeners wait for the same one. */
function manyMayWait(signal: AbortSignal): AbortSignal {
  const own = AbortSignal.any([signal]);
  setMaxListeners(0, own);
  return own;
}

/** The URL of a path under the base URL. As a last check, a path that the URL parser would change is never sent. */
function resolve(base: URL, path: string): URL {
  const asked = `${trimEndOf(base.pathname, '/')}${path}`;
  const url = new URL(base.href);
  url.pathname = asked;
  const isWhole = path.startsWith('/') && path.slice(1).split('/').every(isSegment);
  if (!isWhole || url.href !== `${base.origin}${asked}`) throw new BugError('a request path left the base URL');
  return url;
}

/** A cache or proxy may answer with another object, so the answer must contain the requested id. */
async function getOne(
  link: ClientState,
  path: string,
  how: Pick<SendOptions, 'within'> = {},
): Promise<JsonObject | undefined> {
  const target = { method: 'GET', url: resolve(link.settings.baseUrl, path) } as const;
  const unusable = (why: string) => unusableError(attemptOf(link.settings, target), { why });
  try {
    const { json } = await send(link, target, how);
    if (!isObject(json)) throw unusable('the answer is not an object');
    const asked = target.url.pathname.split('/').at(-1);
    if (!Object.hasOwn(json, ID) || json[ID] !== asked) throw unusable('the answer is not about the object asked for');
    return json;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'api-refused' && error.status === 404) return undefined;
    throw error;
  }
}
