// Connections that come to nothing: whoever is slow, or hangs up, an attempt ends in its time, has sent nothing, and leaves no
// connection behind.

import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import { failureOf, settingsOf } from '../support/fake-exchange.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

interface Peer {
  readonly port: number;
  /** Connections so far. */
  readonly made: () => number;
  /** Comes when no connection is open any more. */
  readonly left: () => Promise<void>;
}

/** A machine that does something with the first bytes of each connection. */
async function listen(answer: (socket: Socket) => void): Promise<Peer> {
  const open = new Set<Socket>();
  let made = 0;
  const server = createServer((socket) => {
    made += 1;
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
    socket.once('data', () => {
      answer(socket);
    });
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const left = () => Promise.all([...open].map((socket) => new Promise((done) => socket.once('close', done))));
  return { port: (server.address() as AddressInfo).port, made: () => made, left: () => left().then(() => undefined) };
}

const OK = 'HTTP/1.1 200 OK\r\n';
const LATE = /: through the proxy http:\/\/127\.0\.0\.1:\d+: no connection was made within 0\.2 s/;
const NONE = /through the proxy \S+: no connection was made/;
/** What a proxy does with CONNECT, and what is said of it when time is up. */
const SLOW: readonly (readonly [string, (socket: Socket) => void, RegExp])[] = [
  ['says nothing', () => undefined, LATE],
  ['says yes, and then nothing', (socket) => socket.write(`${OK}\r\n`), LATE],
  [
    'says yes drop by drop',
    (socket) => {
      socket.write(`${OK}X: `);
      const timer = setInterval(() => socket.write('a'), 20);
      socket.on('close', () => {
        clearInterval(timer);
      });
    },
    LATE,
  ],
];

const instant = { now: () => 0, sleep: () => Promise.resolve() };
const write = { method: 'POST', path: '/things', body: {} } as const;
const REMOTE = new URL('https://api.example.test');
const proxied = (port: number, timeoutMs: number) =>
  settingsOf({
    baseUrl: REMOTE,
    readTimeoutMs: timeoutMs,
    writeTimeoutMs: timeoutMs,
    proxy: { https: `http://u:pass-word@127.0.0.1:${port}` },
  });

describe('the time of an attempt covers the connection, and nothing stays open, with a proxy that', () => {
  test.each(SLOW)('%s', async (_, answer, says) => {
    const proxy = await listen(answer);
    const client = createClients(proxied(proxy.port, 200), { clock: instant }).writer;
    const error = await failureOf(client.write(write));
    expect([error.code, error.known]).toEqual(['api-unreachable', 'unsent']);
    expect(error.message).toMatch(says);
    expect(error.message).not.toContain('pass-word');
    expect(proxy.made()).toBe(5);
    await proxy.left();
  });
});

test('likewise with a machine that does not speak TLS, or anything else', async () => {
  const service = await listen(() => undefined);
  const baseUrl = new URL(`https://127.0.0.1:${service.port}`);
  const client = createReadClient(settingsOf({ baseUrl, readTimeoutMs: 200 }), { clock: instant });
  const error = await failureOf(client.get('/things/x_1'));
  expect([error.code, error.known, service.made()]).toEqual(['api-unreachable', 'unsent', 6]);
  expect(error.message).toMatch(/: no connection was made within 0\.2 s; tried 6 times/);
  await service.left();
});

test('a signal ends a connection that is being made, and so does one that came before', async () => {
  let heard: () => void = () => undefined;
  const asked = new Promise<void>((done) => (heard = done));
  const proxy = await listen(() => {
    heard();
  });
  const controller = new AbortController();
  const settings = { maxBytes: 5, proxy: { https: `http://127.0.0.1:${proxy.port}` } };
  const { signal } = controller;
  const request = { method: 'GET', url: REMOTE, headers: {}, body: undefined, timeoutMs: 60_000, signal } as const;
  const exchange = createExchange(settings);
  const work = exchange(request);
  work.catch(() => undefined);
  await asked;
  controller.abort();
  await expect(work).rejects.toThrow(/^no connection was made before the run was stopped/);
  await expect(exchange(request)).rejects.toThrow(/^no connection was made before the run was stopped/);
  await proxy.left();
  expect(proxy.made()).toBe(1);
});

describe('a proxy makes one connection an attempt, and is named, when it', () => {
  test.each([
    ['hangs up', (socket: Socket) => socket.end(), NONE],
    ['breaks off', (socket: Socket) => socket.resetAndDestroy(), NONE],
    ['stammers', (socket: Socket) => socket.end('SSH-2.0\r\n'), NONE],
    [
      'refuses',
      (socket: Socket) => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n'),
      /the proxy \S+ answered 403 to CONNECT/,
    ],
    ['agrees and hangs up', (socket: Socket) => socket.end(`${OK}\r\n`), NONE],
  ])('%s', async (_, answer, says) => {
    const proxy = await listen(answer);
    const client = createClients(proxied(proxy.port, 5_000), { clock: instant }).writer;
    const error = await failureOf(client.write(write));
    expect([error.code, error.known]).toEqual(['api-unreachable', 'unsent']);
    expect(error.message).toMatch(says);
    expect(error.message).toContain(`http://127.0.0.1:${proxy.port}`);
    expect(error.message).not.toContain('pass-word');
    expect(proxy.made()).toBe(5);
    await proxy.left();
  });

  test('is not there', async () => {
    const { port } = await listen(() => undefined);
    servers.pop()?.close();
    const error = await failureOf(createClients(proxied(port, 5_000), { clock: instant }).writer.write(write));
    expect(error.message).toContain(
      `through the proxy http://127.0.0.1:${port}: the connection was refused (ECONNREFUSED)`,
    );
  });
});
