// The real network below the client: which connection is used, what a proxy says, and that a signal ends a request.

import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, test } from 'vitest';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { mayHaveHappened } from '../../src/service/outcomes.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { failureOf, settingsOf } from '../support/fake-exchange.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`, server };
}

const asking = (url: string, more: Partial<Parameters<Exchange>[0]> = {}): Parameters<Exchange>[0] => ({
  method: 'GET',
  url: new URL(url),
  headers: {},
  body: undefined,
  timeoutMs: 5_000,
  ...more,
});
const instant = { now: () => performance.now(), sleep: () => Promise.resolve() };

test('a connection is used again, but not after it was said to lead to the wrong machine', async () => {
  const ports: (number | undefined)[] = [];
  const { url } = await serve((request, response) => {
    ports.push(request.socket.remotePort);
    response.writeHead(ports.length === 9 ? 421 : 200, JSON_TYPE).end('{"id":"x_1"}');
  });
  const client = createReadClient(settingsOf({ baseUrl: new URL(url) }), { clock: instant });
  for (let i = 0; i < 9; i++) await client.get('/things/x_1');
  expect(ports).toHaveLength(10);
  expect(new Set(ports.slice(0, 9)).size).toBeLessThan(9);
  expect(ports.slice(0, 9)).not.toContain(ports[9]);
});

test('a connection that is not used again is ended at once', async () => {
  const sockets: Socket[] = [];
  const { url } = await serve(({ socket, url: path }, response) => {
    sockets.push(socket);
    response.writeHead(path === '/misdirected' ? 421 : 200).end('{}');
  });
  const exchange = createExchange({ maxBytes: 9 });
  await exchange(asking(`${url}/misdirected`));
  // A connection that is kept would stay open for many requests more.
  for (let i = 0; i < 50 && sockets[0]?.destroyed !== true; i++) await exchange(asking(`${url}/other`));
  expect(sockets[0]?.destroyed).toBe(true);
});

describe('a service that ends each connection after its answer, and does not say so,', () => {
  test.each(['GET', 'PATCH'] as const)('loses no %s', async (method) => {
    const { url } = await serve((request, response) => {
      response.on('finish', () => request.socket.end()).end('{}');
    });
    const exchange = createExchange({ maxBytes: 5 });
    for (let i = 0; i < 20; i++) expect((await exchange(asking(url, { method }))).status).toBe(200);
  });
});

describe('connections are used again', () => {
  const cut: RequestListener = ({ socket }, response) => {
    response.writeHead(200, { 'content-length': '9' }).write('{}', () => socket.destroy());
  };
  /** What the service does instead of an answer, with which of three requests, and how many connections there are in the end. */
  test.each<readonly [string, RequestListener, number, number]>([
    ['but none any more after one broke with a request', ({ socket }) => socket.destroy(), 2, 4],
    ['after a new one broke with a request', ({ socket }) => socket.destroy(), 0, 2],
    ['after one broke with an answer', cut, 2, 2],
    ['after a time-out', () => undefined, 2, 2],
  ])('%s', async (_, fail, failing, connections) => {
    const sockets: Socket[] = [];
    const { url } = await serve((request, response) => {
      sockets.push(request.socket);
      if (sockets.length - 1 === failing) fail(request, response);
      else response.end('{}');
    });
    const exchange = createExchange({ maxBytes: 9 });
    // Only the one without an answer is meant to time out, however busy the machine is.
    const send = (at: number) =>
      exchange(asking(url, { timeoutMs: at === failing ? 300 : 30_000 })).catch(() => undefined);
    // Two at once, so that one connection lies idle.
    await Promise.all([send(0), send(1)]);
    for (const at of [2, 3, 4]) await send(at);
    expect(sockets).toHaveLength(5);
    expect(new Set(sockets).size).toBe(connections);
    const own = connections > 2 ? sockets.slice(3).filter(({ closed }) => !closed) : [];
    await Promise.all(own.map((socket) => once(socket, 'close')));
  });

  test('after one was ended, and the one after it broke with a request', async () => {
    const sockets: Socket[] = [];
    const { url } = await serve(({ socket }, response) => {
      sockets.push(socket);
      if (sockets.length === 2) socket.destroy();
      else response.writeHead(200, sockets.length === 1 ? { connection: 'close' } : {}).end('{}');
    });
    const exchange = createExchange({ maxBytes: 9 });
    for (let i = 0; i < 4; i++) await exchange(asking(url)).catch(() => undefined);
    expect(sockets).toHaveLength(4);
    expect(new Set(sockets).size).toBe(3);
  });
});

test('a proxy that does not connect has passed nothing on', async () => {
  const seen: string[] = [];
  const proxy = await serve((_, response) => response.end());
  proxy.server.on('connect', (request, socket) => {
    seen.push(request.url ?? '');
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
  });
  const settings = settingsOf({ baseUrl: new URL('https://api.example.test'), proxy: { https: proxy.url } });
  const client = createClients(settings, { clock: instant }).writer;
  const error = await failureOf(client.write({ method: 'POST', path: '/things', body: {} }));
  expect([error.code, error.known]).toEqual(['api-unreachable', 'unsent']);
  expect(seen).toEqual(Array(5).fill('api.example.test:443'));
});

test('an answer that is no TLS comes before anything is sent; a connection that breaks may have been used', async () => {
  const { url } = await serve((request) => request.socket.destroy());
  const client = (baseUrl: string) =>
    createClients(settingsOf({ baseUrl: new URL(baseUrl) }), { clock: instant }).writer;
  const write = { method: 'POST', path: '/things', body: {} } as const;
  const noTls = await failureOf(client(url.replace('http:', 'https:')).write(write));
  expect([noTls.known, noTls.message]).toEqual(['unreachable', expect.stringMatching(/does not speak TLS/)]);
  const broken = await failureOf(client(url).write(write));
  expect([broken.known, mayHaveHappened(broken)]).toEqual(['lost', true]);
});

/** Every connection that is made to it, and every byte. */
async function spy(): Promise<{
  readonly url: string;
  readonly bytes: () => number;
  readonly connections: () => number;
}> {
  const { url, server } = await serve((_, response) => response.end());
  let bytes = 0;
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
  });
  return { url, bytes: () => bytes, connections: () => connections };
}

describe('a proxy', () => {
  test.each(['127.0.0.1', 'localhost', '[::1]'])('is not used over http, nor for %s', async (host) => {
    const proxy = await spy();
    const service = await serve((_, response) => response.writeHead(200, JSON_TYPE).end('{"id":"x_1"}'));
    const port = new URL(service.url).port;
    for (const scheme of ['http', 'https']) {
      const baseUrl = new URL(`${scheme}://${host}:${port}`);
      const client = createReadClient(settingsOf({ baseUrl, proxy: { https: proxy.url } }), { clock: instant });
      await client.get('/things/x_1').catch(() => undefined);
    }
    expect([proxy.connections(), proxy.bytes()]).toEqual([0, 0]);
  });

  test('is not used for a host that NO_PROXY names', async () => {
    const proxy = await spy();
    const settings = settingsOf({
      baseUrl: new URL('https://api.example.test'),
      proxy: { https: proxy.url, no: 'other.test,.example.test' },
    });
    await createReadClient(settings, { clock: instant })
      .get('/things/x_1')
      .catch(() => undefined);
    expect(proxy.connections()).toBe(0);
  });
});

test('what comes several times is joined, and bytes above the cap are none', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(200, ['retry-after', '1', 'retry-after', '2']).write('12');
    setTimeout(() => response.end('345'), 20);
  });
  const answer = await createExchange({ maxBytes: 5 })(asking(url));
  expect(answer.headers['retry-after']).toBe('1,2');
  expect(answer.bytes?.toString()).toBe('12345');
  expect((await createExchange({ maxBytes: 4 })(asking(url))).bytes).toBeUndefined();
});

test('an answer without bytes is empty, and one without end is left at the cap', async () => {
  const { url } = await serve(({ url: path }, response) => {
    if (path === '/empty') response.writeHead(204).end();
    else response.on('drain', () => response.write(Buffer.alloc(100_000))).write(Buffer.alloc(100_000));
  });
  const exchange = createExchange({ maxBytes: 300_000 });
  expect(await exchange(asking(`${url}/empty`))).toMatchObject({ status: 204, bytes: Buffer.alloc(0) });
  expect(await exchange(asking(`${url}/endless`))).toMatchObject({ status: 200, bytes: undefined });
});

test('a signal and a deadline both end a request that is under way', async () => {
  const { url } = await serve(() => undefined);
  const controller = new AbortController();
  const work = createExchange({ maxBytes: 5 })(asking(url, { signal: controller.signal }));
  controller.abort();
  await expect(work).rejects.toThrow(/^no connection was made before the run was stopped/);
  await expect(createExchange({ maxBytes: 5 })(asking(url, { timeoutMs: 50 }))).rejects.toThrow(/time|within 0.05 s/i);
});

test('the deadline comes also when the platform collects its garbage, and bytes keep trickling', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { url } = await serve((_, response) => {
    const timer = setInterval(() => {
      collectGarbage();
      response.write(' ');
    }, 10);
    response.on('close', () => {
      clearInterval(timer);
    });
  });
  const { signal } = new AbortController();
  const work = createExchange({ maxBytes: 5_000 })(asking(url, { timeoutMs: 100, signal }));
  await expect(work).rejects.toThrow(/time/i);
});
