// The network without sockets, for emulators of this process: most of what a request over loopback costs is connections. The
// first request to each emulator goes over HTTP, and all others go to its listener; with all worlds, all go over HTTP.

import { subscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { within } from '../../src/platform/clock.ts';
import type { Exchange, HttpResponse } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { IS_FULL } from './full.ts';

const real = createExchange({ maxBytes: 1 << 24 });

/** Servers of this process that have had a request, by address. */
const servers = new Map<string, Server>();
subscribe('http.server.request.start', (message) => {
  const { server } = message as { readonly server: Server };
  const at = server.address();
  if (at !== null && typeof at === 'object') servers.set(`${at.address}:${at.port}`, server);
});

export const directNetwork: Exchange = (asked) => {
  const server = servers.get(asked.url.host);
  return IS_FULL || server?.listening !== true ? real(asked) : direct(server, asked);
};

function direct(server: Server, asked: Parameters<Exchange>[0]): Promise<HttpResponse> {
  const signal = within(asked.timeoutMs, asked.signal);
  return new Promise((done, fail) => {
    const lost = () => {
      fail(Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }));
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', () => {
      fail(signal.reason as Error);
    });
    const request = Object.assign(new EventEmitter(), {
      method: asked.method,
      url: asked.url.pathname + asked.url.search,
      headers: lowerCase(asked.headers),
      socket: { destroy: lost },
    });
    const response = new Answer(done, lost);
    server.emit('request', request as unknown as IncomingMessage, response as unknown as ServerResponse);
    if (asked.body !== undefined) request.emit('data', Buffer.from(asked.body));
    request.emit('end');
  });
}

/** As much of a server's response as the emulator uses: another server's listener fails. */
class Answer {
  readonly destroy: () => void;
  readonly #done: (response: HttpResponse) => void;
  #head = { status: 0, headers: {} };

  constructor(done: (response: HttpResponse) => void, destroy: () => void) {
    this.#done = done;
    this.destroy = destroy;
  }

  writeHead(status: number, headers: Readonly<Record<string, string>>): this {
    this.#head = { status, headers: lowerCase(headers) };
    return this;
  }

  /** A part is only ever written before the connection is dropped. */
  write(_part: Buffer, then: () => void): void {
    then();
  }

  end(text = ''): void {
    this.#done({ ...this.#head, bytes: Buffer.from(text) });
  }
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
