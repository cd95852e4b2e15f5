// The real network: connections, proxies, deadlines and the cap on bytes. Nothing is followed, decoded or sent twice.

import { EnvHttpProxyAgent, request } from 'undici';
import { collect } from './body.ts';
import type { Exchange, HttpRequest, HttpResponse } from './exchange.ts';
import type { ClientSettings } from './settings.ts';

const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
/** An idle connection may be closed by the other side while we write to it, which would leave a write in doubt. */
const IDLE_MS = 1_000;
const MISDIRECTED = 421;

/** Sends over connections of its own; the settings say through which proxy and how many bytes an answer may have. */
export function createExchange({ proxy, maxBytes }: Pick<ClientSettings, 'proxy' | 'maxBytes'>): Exchange {
  const connect = () =>
    new EnvHttpProxyAgent({
      httpProxy: proxy?.http ?? '',
      httpsProxy: proxy?.https ?? '',
      noProxy: proxy?.no ?? '',
      maxHeaderSize: MAX_HEADER_BYTES,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      pipelining: 1,
    });
  let dispatcher = connect();
  return async (asked) => {
    const used = dispatcher;
    try {
      const response = await request(asked.url, {
        dispatcher: used,
        method: asked.method,
        headers: asked.headers,
        body: asked.body ?? null,
        signal: deadline(asked),
        headersTimeout: asked.timeoutMs,
        bodyTimeout: asked.timeoutMs,
      });
      const bytes = await collect(response.body, maxBytes);
      const status = response.statusCode;
      if (status === MISDIRECTED && used === dispatcher) {
        // The connection ends at a machine that does not serve this host: the next request needs another.
        dispatcher = connect();
        void used.close();
      }
      return { status, headers: single(response.headers), bytes };
    } catch (error) {
      throw ofProxy(error) ? Object.assign(new Error('the proxy refused'), { code: 'PROXY_REFUSED' }) : error;
    }
  };
}

/** Ends headers and body alike; a trickle of bytes does not prolong it. */
function deadline({ timeoutMs, signal }: HttpRequest): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** The proxy did not open a tunnel, so nothing went through it. */
function ofProxy(error: unknown): boolean {
  return error instanceof Error && /^Proxy response \(\d+\)/.test(error.message);
}

function single(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}
