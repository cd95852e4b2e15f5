// The real network: connections, proxies, deadlines and the cap on bytes. Nothing is followed, decoded or sent twice.

import type { Dispatcher } from 'undici';
import { Agent, buildConnector, EnvHttpProxyAgent, Pool, request } from 'undici';
import { within } from '../../platform/clock.ts';
import { collect } from './body.ts';
import type { Exchange, HttpResponse } from './exchange.ts';
import { ConnectError } from './exchange.ts';
import type { ClientSettings } from '../settings.ts';
import { isLocal } from '../settings.ts';

const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
/** An idle connection may be closed by the other side while we write to it, which would leave a write in doubt. */
const IDLE_MS = 1_000;
const MISDIRECTED = 421;

/** Sends over connections of its own; the settings say through which proxy and how many bytes an answer may have. */
export function createExchange({ proxy, maxBytes }: Pick<ClientSettings, 'proxy' | 'maxBytes'>): Exchange {
  const connections = createConnections(proxy);
  return async (asked) => {
    const used = connections.to(asked.url);
    try {
      const response = await request(asked.url, {
        dispatcher: used,
        method: asked.method,
        headers: asked.headers,
        body: asked.body ?? null,
        // Ends headers and body alike; a trickle of bytes does not prolong it.
        signal: within(asked.timeoutMs, asked.signal),
        headersTimeout: asked.timeoutMs,
        bodyTimeout: asked.timeoutMs,
      });
      const bytes = await collect(response.body, maxBytes);
      const status = response.statusCode;
      // The connection ends at a machine that does not serve this host: the next request needs another.
      if (status === MISDIRECTED) connections.renew(used);
      return { status, headers: single(response.headers), bytes };
    } catch (error) {
      throw connections.failed(error);
    }
  };
}

interface Connections {
  readonly to: (url: URL) => Dispatcher;
  /** Nothing is sent over these connections any more, unless that has been done already. */
  readonly renew: (used: Dispatcher) => void;
  /** The error, as one that says so when there was no connection. */
  readonly failed: (error: unknown) => unknown;
}

/**
 * Straight to the service, or through the proxy: a proxy sees only tunnels of https to other machines. Over http it would
 * read the API key, and what is on this machine is not reached from another one.
 */
function createConnections(proxy: ClientSettings['proxy']): Connections {
  const unconnected = new WeakSet<object>();
  const options = {
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    pipelining: 1,
    connect: buildConnector({ timeout: CONNECT_TIMEOUT_MS }),
    factory: (origin: string | URL, given: object) => new Pool(origin, noting(given, unconnected)),
  };
  const make = {
    direct: () => new Agent(options),
    proxied: () =>
      new EnvHttpProxyAgent({ ...options, httpProxy: '', httpsProxy: proxy?.https ?? '', noProxy: proxy?.no ?? '' }),
  };
  const now = { direct: make.direct(), proxied: make.proxied() };
  return {
    to: (url) =>
      proxy?.https === undefined || url.protocol !== 'https:' || isLocal(url.hostname) ? now.direct : now.proxied,
    renew: (used) => {
      if (used === now.direct) now.direct = make.direct();
      else if (used === now.proxied) now.proxied = make.proxied();
      else return;
      void used.close();
    },
    failed: (error) => {
      if (typeof error !== 'object' || error === null || !unconnected.has(error)) return error;
      return new ConnectError(
        ofProxy(error) ? Object.assign(new Error('the proxy refused'), { code: 'PROXY_REFUSED' }) : error,
      );
    },
  };
}

/** Options of a pool, whose failures to connect are remembered: they are the ones after which nothing was sent. */
function noting(options: Pool.Options, unconnected: WeakSet<object>): Pool.Options {
  const { connect } = options;
  if (typeof connect !== 'function') return options;
  return {
    ...options,
    connect: (to, callback) => {
      connect(to, (...said) => {
        if (said[0] !== null) unconnected.add(said[0]);
        callback(...said);
      });
    },
  };
}

/** The proxy did not open a tunnel. */
function ofProxy(error: object): boolean {
  return error instanceof Error && /^Proxy response \(\d+\)/.test(error.message);
}

function single(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}
