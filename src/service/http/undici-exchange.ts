// The real network: connections, proxies, deadlines and the size limit. Follows, decodes and repeats nothing.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector, Client, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { limited } from '../../platform/clock.ts';
import { ConnectError, type Exchange, type HttpResponse } from './exchange.ts';
import { isLoopback, type ClientSettings } from '../settings.ts';

const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
/** The other side may close an idle connection while we write to it, which would make the write's outcome unknown. */
const IDLE_MS = 1_000;
const MISDIRECTED = 421;

/**
 * Sends over its own connections; the settings define the proxy and the maximum size of an answer. The time of an attempt
 * starts before the connection is made and ends with the last byte; a failed attempt closes its connection.
 */
export function createExchange({ proxy, maxBytes }: Pick<ClientSettings, 'proxy' | 'maxBytes'>): Exchange {
  let idle: { readonly [way in 'direct' | 'proxied']: Connection[] } = { direct: [], proxied: [] };
  /** False once a reused connection broke during a request: the other side may close any of them silently. */
  let isKeeping = true;
  return async ({ url, method, headers, body = null, timeoutMs, signal }) => {
    const way = proxy?.https === undefined || isLoopback(url.hostname) ? 'direct' : 'proxied';
    const mine = isKeeping ? idle[way] : [];
    const [kept] = mine.splice(-1).filter(({ isOpen }) => isOpen);
    const connection = kept ?? new Connection(way === 'direct' ? undefined : proxy);
    const { signal: over, end } = limited(timeoutMs, signal);
    over.addEventListener('abort', connection.destroy);
    let isLost = kept !== undefined;
    try {
      over.throwIfAborted();
      const target = { origin: url.origin, path: `${url.pathname}${url.search}`, method, headers, body };
      const response = await answerOf(connection.dispatcher, target, maxBytes, () => (isLost = false));
      // The connection leads to a machine that does not serve this host: the next request needs another.
      if (response.status === MISDIRECTED) idle = { direct: [], proxied: [] };
      // A close that arrives with the answer is noticed in the next event loop turn, before the next request is written.
      await nextTurn();
      if (mine === idle[way]) mine.push(connection);
      else connection.destroy();
      return response;
    } catch (error) {
      connection.destroy();
      if (isLost && !over.aborted) isKeeping = false;
      throw over.aborted ? connection.late(over.reason, timeoutMs) : error;
    } finally {
      end();
    }
  };
}

/** The whole answer; `onStart` is called when it begins. The `request` of undici would make a stream for each. */
function answerOf(
  dispatcher: Dispatcher,
  target: Dispatcher.DispatchOptions,
  maxBytes: number,
  onStart: () => void,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let head: Omit<HttpResponse, 'bytes'> = { status: 0, headers: {} };
    const parts: Buffer[] = [];
    let total = 0;
    const handler: Dispatcher.DispatchHandler = {
      // Without it, undici takes this for a handler of an older form.
      onRequestStart: () => undefined,
      onResponseStart: (_, status, headers) => {
        head = { status, headers: single(headers) };
        onStart();
      },
      onResponseData: (controller, chunk) => {
        total += chunk.length;
        if (total <= maxBytes) parts.push(chunk);
        else {
          resolve({ ...head, bytes: undefined });
          controller.abort(new Error('the answer is too large'));
        }
      },
      onResponseEnd: () => resolve({ ...head, bytes: Buffer.concat(parts) }),
      onResponseError: (_, error) => reject(error),
    };
    dispatcher.dispatch({ ...target, headersTimeout: 0, bodyTimeout: 0 }, handler);
  });
}

/**
 * A connection to the service for one attempt at a time: direct, or through the proxy, which only sees https tunnels to other
 * machines. With http it could read the API key, and it cannot reach this machine from another one.
 */
class Connection {
  readonly dispatcher: Dispatcher;
  /** True once something may have been sent. */
  #isOpened = false;
  #proxy = '';
  #socket: Socket | undefined;

  constructor(proxy: ClientSettings['proxy']) {
    const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
    const options = {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      pipelining: 1,
      connect: this.#reaching(connect, ''),
      factory: (origin: string | URL, given: Client.Options) =>
        new Client(origin, { ...given, connect: this.#opening(given.connect) }),
      // Asks the proxy for a tunnel.
      clientFactory: ({ origin }: URL) => new Client(origin, { connect: this.#reaching(connect, origin) }),
    };
    const { https: httpsProxy = '', no: noProxy = '' } = proxy ?? {};
    const through = { httpProxy: '', httpsProxy, noProxy };
    this.dispatcher = proxy === undefined ? new Agent(options) : new EnvHttpProxyAgent({ ...options, ...through });
  }

  /** False once the other side or `destroy` has closed it. */
  get isOpen(): boolean {
    return this.#socket?.destroyed === false;
  }

  /** Closes everything that was opened. */
  readonly destroy = (): void => {
    this.#socket?.destroy(new Error('given up'));
    void this.dispatcher.destroy();
  };

  /** Why an attempt was aborted, as an error that says so when nothing can have been sent. */
  late(reason: unknown, timeoutMs: number): unknown {
    if (this.#isOpened) return reason;
    const isTime = reason instanceof Error && reason.name === 'TimeoutError';
    return this.#failed(reason, isTime ? ` within ${timeoutMs / 1000} s` : ' before the run was stopped');
  }

  #failed(cause: unknown, end = ''): ConnectError {
    const where = this.#proxy && `through the proxy ${this.#proxy}: `;
    return new ConnectError(cause, `no connection was made${end}`, where);
  }

  /** A connector whose failures have no code, because undici would reconnect at once after some codes of its own. */
  #reaching(
    connect: (...given: Parameters<buildConnector.connector>) => unknown,
    proxy: string,
  ): buildConnector.connector {
    return (to, callback) => {
      [this.#isOpened, this.#proxy] = [false, proxy];
      const done: buildConnector.Callback = (...[error, made]) => {
        if (error === null) callback(null, made);
        else callback(new ConnectError(error), null);
      };
      const socket = connect(to, done);
      if (isSocket(socket)) this.#socket = socket;
    };
  }

  /** A connector that records how far it came: if it fails, nothing was sent. */
  #opening(connect: Client.Options['connect']): buildConnector.connector {
    return (to, callback) => {
      if (typeof connect !== 'function') throw new TypeError('undici gives a connector');
      connect(to, (...[error, made]) => {
        this.#isOpened = error === null;
        const [, status] = /^Proxy response \((\d+)\)/.exec(error?.message ?? '') ?? [];
        if (error === null) callback(null, made);
        else if (status === undefined) callback(this.#failed(error), null);
        else callback(new ConnectError(undefined, `the proxy ${this.#proxy} answered ${status} to CONNECT`), null);
      });
    };
  }
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'connecting' in value;
}

function single(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}
