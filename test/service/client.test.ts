// The HTTP client against hostile and broken services: the token stays with its origin, and nothing is read as empty.

import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ClientPorts } from '../../src/service/http/client-state.ts';
import { mayHaveHappened } from '../../src/service/outcomes.ts';
import { createClients, createReadClient } from '../../src/service/client.ts';
import { describeError } from '../../src/service/http/describe-response.ts';
import type { ClientSettings } from '../../src/service/settings.ts';
import {
  checkApiKey,
  parseBaseUrl,
  parseCapabilities,
  parsePageSize,
  parseProxy,
  parseVersionHeader,
} from '../../src/service/settings.ts';
import { ApiError } from '../../src/service/transport.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { Secret } from '../../src/core/secrets/secret.ts';

const KEY = 'probe-key-0123456789';

interface Service {
  readonly url: string;
  readonly port: number;
  readonly requests: IncomingMessage[];
  listener: RequestListener;
  readonly server: Server;
}

async function start(): Promise<Service> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    service.listener(request, response);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    listener: (_, response) => response.end(),
    server,
  };
  return service;
}

let service: Service;
let stranger: Service;
beforeEach(async () => {
  service = await start();
  stranger = await start();
});
afterEach(() => {
  for (const { server } of [service, stranger]) {
    server.closeAllConnections();
    server.close();
  }
});

/** For services that do not answer; any other has as long as a busy machine needs. */
const HASTY: Partial<ClientSettings> = { readTimeoutMs: 200, writeTimeoutMs: 1_000 };

const settings = (more: Partial<ClientSettings> = {}): ClientSettings => ({
  baseUrl: new URL(`${service.url}/base`),
  apiKey: new Secret(KEY),
  versionHeader: { name: 'Service-Version', value: '2' },
  readTimeoutMs: 60_000,
  writeTimeoutMs: 60_000,
  maxBytes: 10_000,
  ...more,
});

const json = (body: unknown, status = 200): RequestListener => {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

async function failure(work: Promise<unknown>): Promise<ApiError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

/** Waits between tries take no time here; what they are is the matter of `retry.test.ts`. */
const ports = (): ClientPorts => ({ clock: { now: () => performance.now(), sleep: () => Promise.resolve() } });
const reader = (more?: Partial<ClientSettings>) => createReadClient(settings(more), ports());
const writer = (more?: Partial<ClientSettings>) => createClients(settings(more), ports()).writer;
const list = (more?: Partial<ClientSettings>) => reader(more).list('/things', 'things');

test('a reader has no way to write', () => {
  expect(Object.keys(reader()).sort()).toEqual(['get', 'list']);
});

test.each([
  '/things/a?b',
  '/things/../keys/k',
  '/things/%2e%2e/k',
  '/things/a b',
  '/things/',
  '//elsewhere',
  'things/a',
])('a path that its URL would not repeat to the letter is never sent: %s', async (path) => {
  service.listener = json({ id: 'a' });
  await expect(Promise.resolve().then(() => reader().get(path))).rejects.toThrow('left the base URL');
  await expect(writer().write({ method: 'DELETE', path })).rejects.toThrow('left the base URL');
  expect(service.requests).toEqual([]);
});

test('an answer about another object than the one asked for is none', async () => {
  service.listener = json({ id: 't_2' });
  expect((await failure(reader().get('/things/t_1'))).code).toBe('api-not-understood');
  service.listener = json({ id: 't_1' });
  expect(await reader().get('/things/t_1')).toEqual({ id: 't_1' });
});

test('bearer, version header and page size are sent, and pages are followed to the end', async () => {
  service.listener = (request, response) => {
    const page = new URL(request.url ?? '', service.url).searchParams.get('page') ?? '1';
    const next = page === '3' ? null : `${service.url}/base/things?page=${Number(page) + 1}`;
    json({ things: page === '2' ? [] : [{ id: `t_${page}` }], next_page_uri: next })(request, response);
  };
  const { items, requests } = await list({ pageSize: 7 });
  expect(items.map((item) => item['id'])).toEqual(['t_1', 't_3']);
  expect(requests).toBe(3);
  expect(service.requests[0]?.url).toBe('/base/things?limit=7');
  expect(service.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'service-version': '2' });
});

describe('a next page that is not followed', () => {
  test.each([
    'http://HOST:STRANGER/base/things',
    '//HOST:STRANGER/base/things',
    'https://HOST:PORT/base/things',
    'http://user:pass@HOST:PORT/base/things',
    'http://HOST:PORT@HOST:STRANGER/base/things',
    'http://HOST:PORT/base/others',
    'http://HOST:PORT/base/things/../others',
    'http://HOST:PORT/base/things/t_1',
    'http://HOST:PORT/',
    'http://localhost:PORT/base/things',
    'http://HOST:PORT\\@HOST:STRANGER/base/things',
    '\\\\HOST:STRANGER\\base\\things',
    'javascript:alert(1)',
    'data:application/json,{}',
    'file:///etc/passwd',
    'ftp://HOST:PORT/base/things',
    '/others',
    'others',
    'http://[::1]:STRANGER/base/things',
    'http://169.254.169.254/base/things',
    'http://HOST.:PORT/base/things',
    ' http://HOST:STRANGER/base/things',
    'http://HOST:STRANGER/base/things#',
    'http://HOST:PORT/BASE/things',
    '%68ttp://HOST:STRANGER/',
  ])('%s', async (next) => {
    const uri = next
      .replaceAll('HOST', '127.0.0.1')
      .replaceAll('PORT', String(service.port))
      .replaceAll('STRANGER', String(stranger.port));
    service.listener = json({ things: [], next_page_uri: uri });
    expect((await failure(list())).code).toBe('api-not-understood');
    expect(service.requests).toHaveLength(1);
    expect(stranger.requests).toEqual([]);
  });
});

describe('a list that lies is an error, never an empty list', () => {
  test.each<readonly [string, unknown]>([
    ['no list key', { next_page_uri: null }],
    ['object for a list', { things: {}, next_page_uri: null }],
    ['array at the top', []],
    ['null', null],
    ['item without id', { things: [{}], next_page_uri: null }],
    ['item that is no object', { things: ['t_1'], next_page_uri: null }],
    ['next page that is a number', { things: [], next_page_uri: 2 }],
  ])('%s', async (_, body) => {
    service.listener = json(body);
    expect((await failure(list())).code).toBe('api-not-understood');
  });

  test('pages that form a loop', async () => {
    service.listener = (request, response) =>
      json({ things: [], next_page_uri: `${service.url}/base/things?${request.url?.includes('a') ? 'b' : 'a'}` })(
        request,
        response,
      );
    expect((await failure(list())).message).toContain('loop');
  });

  test.each<readonly [string, RequestListener, string]>([
    ['HTML', (_, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'), 'api-not-understood'],
    ['no content type', (_, r) => r.writeHead(200).end('{"things":[]}'), 'api-not-understood'],
    [
      'another charset',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json; charset=utf-16' }).end('{}'),
      'api-not-understood',
    ],
    [
      'bytes that are no UTF-8',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from([0x22, 0xff, 0x22])),
      'api-not-understood',
    ],
    [
      'compressed bytes',
      (_, r) =>
        r.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{}')),
      'api-not-understood',
    ],
    [
      'too much',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify('x'.repeat(20_000))),
      'api-not-understood',
    ],
    [
      'too deep',
      (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(200) + ']'.repeat(200)),
      'api-not-understood',
    ],
    ['nothing', (_, r) => r.writeHead(200, { 'content-type': 'application/json' }).end(), 'api-not-understood'],
    [
      'a cut body',
      (_, r) =>
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{', () => r.destroy()),
      'api-connection-lost',
    ],
    ['a reset', (request) => request.socket.destroy(), 'api-connection-lost'],
    ['no answer', () => undefined, 'api-timeout'],
    ['a trickle', (_, r) => void setInterval(() => r.write(' '), 50).unref(), 'api-timeout'],
  ])('%s', async (_, listener, code) => {
    service.listener = listener;
    expect((await failure(list(code === 'api-timeout' ? HASTY : {}))).code).toBe(code);
  });
});

test.each([301, 302, 303, 307, 308])('a redirect with %i is not followed, for reads and writes', async (status) => {
  service.listener = (_, response) =>
    response.writeHead(status, { location: `${stranger.url}/base/things?token=x` }).end();
  const read = await failure(list());
  expect(read.message).toContain(stranger.url);
  expect(read.message).not.toContain('token=x');
  const write = await failure(writer().write({ method: 'POST', path: '/things', body: { a: 1 } }));
  expect(mayHaveHappened(write)).toBe(true);
  expect(stranger.requests).toEqual([]);
});

test.each([300, 301, 304])('%i without a Location leads nowhere, and is not said to', async (status) => {
  service.listener = (_, response) => response.writeHead(status).end();
  const { message } = await failure(list());
  expect(message).toContain(`has the status ${status} without a Location`);
  expect(message).not.toContain('redirect');
});

describe('whether a write that failed may have happened', () => {
  const error = { error_code: 'E', status_code: 400, msg: `no, ${KEY}`, details: {} };
  test.each<readonly [string, RequestListener, boolean]>([
    ['400 in the API’s form', json(error, 400), false],
    ['404 in the API’s form', json(error, 404), false],
    ['500', json(error, 500), true],
    ['503', json(error, 503), true],
    ['408', json(error, 408), true],
    ['HTML 502', (_, r) => r.writeHead(502, { 'content-type': 'text/html' }).end('<p>'), true],
    ['HTML 404', (_, r) => r.writeHead(404, { 'content-type': 'text/html' }).end('<p>'), true],
    ['201 that is no JSON', (_, r) => r.writeHead(201, { 'content-type': 'application/json' }).end('{'), true],
    ['a reset', (request) => request.socket.destroy(), true],
    ['no answer', () => undefined, true],
  ])('%s', async (name, listener, expected) => {
    service.listener = listener;
    const client = writer(name === 'no answer' ? HASTY : {});
    const found = await failure(client.write({ method: 'POST', path: '/things', body: {} }));
    expect(mayHaveHappened(found)).toBe(expected);
    expect(found.message).not.toContain(KEY);
    expect(service.requests).toHaveLength(1);
  });

  test('a refused connection is known not to have been sent', async () => {
    const client = writer({ baseUrl: new URL('http://127.0.0.1:1') });
    expect((await failure(client.write({ method: 'POST', path: '/things', body: {} }))).known).toBe('unsent');
  });
});

test('an object that is gone is undefined only when the API says so', async () => {
  const client = reader();
  service.listener = json({ status_code: 404, msg: 'gone', details: {} }, 404);
  expect(await client.get('/things/t_1')).toBeUndefined();
  service.listener = (_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<p>');
  expect((await failure(client.get('/things/t_1'))).code).toBe('api-not-understood');
});

describe('words of an error', () => {
  new Secret('p"ss wörd/+?');
  test.each<readonly [string, object, string]>([
    ['a secret is masked', { error_code: 'E', msg: 'bad\u001b[31m p"ss wörd/+?\n' }, 'E: bad [31m (sensitive)'],
    ['also when the end is cut', { msg: `${'x'.repeat(294)} p"ss wörd/+?` }, `${'x'.repeat(294)} (sens…`],
    [
      'a hostport is none',
      { error_code: 'ERR_1', msg: 'edge.example.com:443 is already in use' },
      'ERR_1: edge.example.com:443 is already in use',
    ],
    ['nothing but a code', { error_code: 'E', msg: '' }, 'E'],
    ['nothing at all', { status_code: 400, details: { echo: 'never shown' } }, 'it does not say why'],
  ])('%s', (_, body, expected) => {
    expect(describeError(body as JsonObject)).toBe(expected);
  });
});

describe('a body that is not in the form of the API is described', () => {
  const PROBE = 'probe-hunter2-echo';
  test.each<readonly [string, RequestListener, RegExp]>([
    [
      'JSON',
      json({ message: PROBE, error: PROBE }, 400),
      /status 400\) is application\/json, \d+ bytes, not an error in/,
    ],
    ['a list', json([PROBE], 404), /status 404\) is application\/json, \d+ bytes/],
    ['a text', json(PROBE, 500), /status 500\) is application\/json, \d+ bytes/],
    [
      'HTML',
      (_, r) => r.writeHead(502, { 'content-type': 'text/html' }).end(`<p>${PROBE}`),
      /text\/html, not JSON \(status 502, \d+ bytes\)/,
    ],
    [
      'cut JSON',
      (_, r) => r.writeHead(400, { 'content-type': 'application/json' }).end(`{"msg":"${PROBE}`),
      /not complete JSON \(status 400, \d+ bytes\)/,
    ],
    [
      'a type that is none',
      (_, r) => r.writeHead(400, { 'content-type': `${PROBE} <b>` }).end('x'),
      /of a type that cannot be read, not JSON/,
    ],
    [
      'a long redirect',
      (_, r) => r.writeHead(302, { location: `https://${'a.'.repeat(200)}example.com/${PROBE}` }).end(),
      /a redirect to https:\/\/[a.]{92}…, and/,
    ],
  ])('%s', async (_, listener, expected) => {
    service.listener = listener;
    const { message } = await failure(writer().write({ method: 'POST', path: '/things', body: {} }));
    expect(message).toMatch(expected);
    expect(message).not.toContain(PROBE);
    expect(message.length).toBeLessThan(600);
  });
});

test.each([
  [401, 'application/json', '{"msg":"no"}', 'set EDGEFORM_API_KEY'],
  [403, 'application/json', '{"msg":"no"}', 'set EDGEFORM_API_KEY'],
  [401, 'text/plain', 'Unauthorized', 'set EDGEFORM_API_KEY'],
  [403, 'text/html', '<p>', 'check that the base URL'],
  [400, 'application/json', '{"msg":"no"}', 'check that the base URL'],
])('%i as %s in another form than the API\u2019s names first what is likely', async (status, type, body, fix) => {
  service.listener = (_, response) => response.writeHead(status, { 'content-type': type }).end(body);
  const error = await failure(list());
  expect([error.code, error.known]).toEqual(['api-not-understood', 'unusable']);
  expect(error.fix?.startsWith(fix), error.fix).toBe(true);
});

describe('settings', () => {
  test.each([
    ['localhost:4555', 'http://'],
    ['127.0.0.1:4555/v1', 'http://'],
    ['[::1]:4555', 'http://'],
    ['api.example.com', 'https://'],
    ['edge:8443', 'https://'],
  ])('%s lacks its scheme', (text, scheme) => {
    const { value, diagnostics } = parseBaseUrl(text);
    expect(value).toBeUndefined();
    expect(diagnostics).toMatchObject([{ fix: `put ${scheme} in front of it` }]);
    expect(parseBaseUrl(`${scheme}${text}`).value).toBeDefined();
  });
  test.each([
    'https://api.example.com',
    'https://api.example.com/v1',
    'http://127.0.0.1:80',
    'http://localhost:1',
    'http://[::1]:1',
  ])('%s is a base URL', (text) => {
    expect(parseBaseUrl(text).value).toBeDefined();
  });
  test.each([
    '',
    'x',
    'http://example.com',
    'http://localhost.evil.com',
    'http://127.0.0.1.evil.com',
    'https://u:p@example.com',
    'https://example.com?a',
    'https://example.com#a',
    'ftp://example.com',
    'http://0.0.0.0',
  ])('%s is none', (text) => {
    expect(parseBaseUrl(text).value).toBeUndefined();
  });
  test.each(['', ' ', 'a b', 'a\nb', 'a\u0000', 'ключ', '\n'])('%j is no API key, and is not repeated', (text) => {
    const { value, diagnostics } = checkApiKey(text);
    expect(value).toBeUndefined();
    if (text.trim() !== '') expect(JSON.stringify(diagnostics)).not.toContain(text.trim());
  });
  test.each([
    'http://proxy.example:3128',
    'https://u:p%40ss@proxy.example',
    'proxy.example:3128',
    'http://[::1]:3128/',
  ])('%s is a proxy', (text) => {
    expect(parseProxy(text).value).toMatch(/^https?:\/\//);
  });
  test.each([
    '::',
    'http://',
    'socks5://proxy:1',
    'http://hunter22:a%b@proxy',
    'http://proxy:99999',
    'http://hunter22@proxy/path',
    'file:///x',
    'a b',
  ])('%s is no proxy, and is not repeated', (text) => {
    const { value, diagnostics } = parseProxy(text);
    expect([value, diagnostics[0]?.code]).toEqual([undefined, 'invalid-setting']);
    expect(JSON.stringify(diagnostics)).not.toMatch(/hunter22|socks5|file:/);
  });
  test('one final newline of a key file is dropped', () => {
    expect(checkApiKey('abc\n').value?.reveal()).toBe('abc');
  });
  test('version header, capabilities and page size are parsed strictly', () => {
    expect(parseVersionHeader('X-Version: 3').value).toEqual({ name: 'X-Version', value: '3' });
    for (const text of ['X-Version', 'Authorization: x', 'X: a b', 'X\n: 1'])
      expect(parseVersionHeader(text).value).toBeUndefined();
    expect(parseCapabilities('-routes, -module-delete').value?.has('routes')).toBe(false);
    expect(parseCapabilities('-rotues').diagnostics[0]?.fix).toContain('routes');
    for (const text of ['0', '101', '1e1', '-1', '']) expect(parsePageSize(text).value).toBeUndefined();
  });
});
