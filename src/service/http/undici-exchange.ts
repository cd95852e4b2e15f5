// The real network: connections, proxies, deadlines and the cap on bytes. Nothing is followed, decoded or sent twice.

import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Agent, buildConnector, Client, EnvHttpProxyAgent, request, type Dispatcher } from 'undici';
import { within } from '../../platform/clock.ts';
import { collect } from './body.ts';
import { ConnectError, type Exchange, type HttpResponse } from './exchange.ts';
import { isLocal, type ClientSettings } from '../settings.ts';

const MAX_HEADER_BYTES = 65_536;
const CONNECT_TIMEOUT_MS = 10_000;
/** An idle connection may be closed by the other side while we write to it, which would leave a write in doubt. */
const IDLE_MS = 1_000;
const MISDIRECTED = 421;

/**
 * Sends over connections of its own; the settings say through which proxy and how many bytes an answer may have. The time of an
 * attempt begins before there is a connection and ends with the last byte; an attempt that fails takes its connection with it.
 */
export function createExchange({ proxy, maxBytes }: Pick<ClientSettings, 'proxy' | 'maxBytes'>): Exchange {
  let idle: { readonly [way in 'direct' | 'proxied']: Connection[] } = { direct: [], proxied: [] };
  /** False once a connection that was used again broke with a request: the other side may end each one, and not say so. */
  let isKeeping = true;
  return async ({ url, method, headers, body = null, timeoutMs, signal }) => {
    const way = proxy?.https === undefined || isLocal(url.hostname) ? 'direct' : 'proxied';
    const mine = isKeeping ? idle[way] : [];
    const [kept] = mine.splice(-1).filter(({ isOpen }) => isOpen);
    const connection = kept ?? new Connection(way === 'direct' ? undefined : proxy);
    const end = within(timeoutMs, signal);
    end.addEventListener('abort', connection.destroy);
    let isLost = kept !== undefined;
    try {
      end.throwIfAborted();
      const { dispatcher } = connection;
      const response = await request(url, { dispatcher, method, headers, body, headersTimeout: 0, bodyTimeout: 0 });
      isLost = false;
      const bytes = await collect(response.body, maxBytes);
      // The connection ends at a machine that does not serve this host: the next request needs another.
      if (response.statusCode === MISDIRECTED) idle = { direct: [], proxied: [] };
      // An end that came with the answer is noticed in the next turn of the platform, before the next request is written.
      await nextTurn();
      if (mine === idle[way]) mine.push(connection);
      else connection.destroy();
      return { status: response.statusCode, headers: single(response.headers), bytes };
    } catch (error) {
      connection.destroy();
      if (isLost && !end.aborted) isKeeping = false;
      throw end.aborted ? connection.late(end.reason, timeoutMs) : error;
    } finally {
      end.removeEventListener('abort', connection.destroy);
    }
  };
}

/** What is under way before anything can be sent, what is missing as long as it is, and at which proxy, if there is one. */
const STEPS = {
  reach: ['at the proxy %: ', 'no connection was made'],
  secure: ['at the proxy %: ', 'no TLS connection was made'],
  tunnel: ['the proxy % ', 'did not answer CONNECT'],
  inside: ['through the proxy %: ', 'no TLS connection was made'],
} as const;

/**
 * A way to the service for one attempt at a time: straight, or through the proxy, which sees only tunnels of https to other
 * machines. Over http it would read the API key, and what is on this machine is not reached from another one.
 */
class Connection {
  readonly dispatcher: Dispatcher;
  #step: keyof typeof STEPS | undefined;
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
      clientFactory: ({ origin }: URL) =>
        new Client(origin, { connect: this.#reaching(connect, origin) }).on('disconnect', (_, __, { message }) => {
          if (message === 'upgrade') this.#step = 'inside';
        }),
    };
    const { https: httpsProxy = '', no: noProxy = '' } = proxy ?? {};
    const through = { httpProxy: '', httpsProxy, noProxy };
    this.dispatcher = proxy === undefined ? new Agent(options) : new EnvHttpProxyAgent({ ...options, ...through });
  }

  /** False once the other side has ended it, or `destroy` has. */
  get isOpen(): boolean {
    return this.#socket?.destroyed === false;
  }

  /** Ends all that was begun. */
  readonly destroy = (): void => {
    const socket = this.#socket;
    // A socket that is destroyed does not tell any more how far it came.
    if (this.#step === 'reach' && socket?.destroyed === false && !socket.connecting) this.#step = 'secure';
    socket?.destroy(new Error('given up'));
    void this.dispatcher.destroy();
  };

  /** Why an attempt was given up, as an error that says so when nothing can have been sent. */
  late(reason: unknown, timeoutMs: number): unknown {
    if (this.#step === undefined) return reason;
    const isTime = reason instanceof Error && reason.name === 'TimeoutError';
    return this.#failed(reason, isTime ? ` within ${timeoutMs / 1000} s` : ' before the run was stopped');
  }

  #failed(cause: unknown, end = ''): ConnectError {
    const [where, missing] = STEPS[this.#step ?? 'reach'];
    return new ConnectError(cause, `${missing}${end}`, this.#proxy && where.replace('%', this.#proxy));
  }

  /** A connector whose failure has no code: after some codes of its own, undici would connect again at once. */
  #reaching(
    connect: (...given: Parameters<buildConnector.connector>) => unknown,
    proxy: string,
  ): buildConnector.connector {
    return (to, callback) => {
      [this.#step, this.#proxy] = ['reach', proxy];
      const done: buildConnector.Callback = (...[error, made]) => {
        if (error === null) this.#step = 'tunnel';
        if (error === null) callback(null, made);
        else callback(new ConnectError(error), null);
      };
      const socket = connect(to, done);
      if (isSocket(socket)) this.#socket = socket;
    };
  }

  /** Remembers what failed: after that nothing was sent. */
  #opening(connect: Client.Options['connect']): buildConnector.connector {
    return (to, callback) => {
      if (typeof connect !== 'function') throw new TypeError('undici gives a connector');
      connect(to, (...[error, made]) => {
        if (error === null) this.#step = undefined;
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
