// One request over a real socket: the log, bodies that cannot be used, and faults on the way.

import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { kinds } from '../../../src/catalog/kinds/index.ts';
import type { Fault } from '../../../src/emulator/faults.ts';
import { createFaults } from '../../../src/emulator/faults.ts';
import type { Service } from '../../../src/emulator/http/exchange.ts';
import { createListener } from '../../../src/emulator/http/exchange.ts';
import { createRouter } from '../../../src/emulator/http/router.ts';
import { PROBLEM } from '../../../src/emulator/problem.ts';
import { createStore } from '../../../src/emulator/state/store.ts';
import { storedOf } from '../stored.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const router = createRouter(kinds, new Set());
const HEADERS = { authorization: 'Bearer main-key', 'service-version': '2', 'content-type': 'application/json' };

/** A service with one object, and with these faults. */
async function serve(faults: readonly Fault[] = []) {
  const store = createStore([storedOf('ra_1', { description: 'old' })], () => undefined);
  const service: Service = {
    view: { store, baseUrl: 'http://s.test' },
    access: {
      apiKey: 'main-key',
      holder: { owner: 'usr_me', admin: true },
      versionHeader: { name: 'Service-Version', value: '2' },
    },
    router,
    pages: { pageSize: 100, limits: true },
    now: () => '2030-01-01T00:00:00Z',
    faultsFor: createFaults(faults),
    latencyMs: 0,
    requests: [],
  };
  const started = createServer(createListener(service));
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(started.address() as AddressInfo).port}`;
  const ask = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) => {
    const response = await fetch(url + path, { method, headers: HEADERS, ...(body !== undefined && { body }) });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const broken = (method: string, path: string, body?: string) =>
    ask(method, path, body).then(
      () => false,
      () => true,
    );
  return { store, ask, broken, requests: service.requests };
}

const PATCH = ['PATCH', '/reserved_addrs/ra_1', '{"description":"new"}'] as const;
const described = (store: Awaited<ReturnType<typeof serve>>['store']) => store.get('ra_1')?.spec['description'];

describe('a request', () => {
  test('is answered and logged, with its query and its body', async () => {
    const { ask, requests } = await serve();
    expect((await ask(...PATCH)).status).toBe(200);
    await ask('GET', '/reserved_addrs?limit=1');
    expect(requests).toEqual([
      { method: 'PATCH', path: '/reserved_addrs/ra_1', status: 200, body: { description: 'new' } },
      { method: 'GET', path: '/reserved_addrs?limit=1', status: 200, body: undefined },
    ]);
  });

  test.each([
    { name: 'that is no JSON', body: '{', status: 400, code: PROBLEM.badJson, logged: '{' },
    {
      name: 'that is no UTF-8',
      body: new Uint8Array([0x22, 0xff, 0x22]),
      status: 400,
      code: PROBLEM.badJson,
      logged: expect.any(String),
    },
    {
      name: 'that is too large',
      body: `"${'x'.repeat(1024 * 1024)}"`,
      status: 413,
      code: PROBLEM.tooLarge,
      logged: undefined,
    },
  ])('with a body $name is refused', async ({ body, status, code, logged }) => {
    const { ask, requests, store } = await serve();
    const answered = await ask('PATCH', '/reserved_addrs/ra_1', body);
    expect([answered.status, JSON.parse(answered.text)]).toMatchObject([status, { error_code: code }]);
    expect([requests[0]?.status, requests[0]?.body, described(store)]).toEqual([status, logged, 'old']);
  });
});

describe('a fault', () => {
  test.each([
    { name: 'before the request is carried out leaves everything', action: 'dropBefore', after: 'old' },
    { name: 'after it leaves what was done', action: 'dropAfter', after: 'new' },
  ] as const)('$name, and no answer', async ({ action, after }) => {
    const { broken, store, requests } = await serve([{ action }]);
    expect([await broken(...PATCH), described(store), requests[0]?.status]).toEqual([true, after, 0]);
  });

  test.each([
    { name: 'in place of the request does nothing', effect: false, after: 'old' },
    { name: 'in place of the answer only leaves what was done', effect: true, after: 'new' },
  ])('$name', async ({ effect, after }) => {
    const { ask, store, requests } = await serve([
      { action: 'status', status: 503, effect, headers: { 'retry-after': '1' } },
    ]);
    const { status, headers } = await ask(...PATCH);
    expect([status, headers.get('retry-after'), described(store), requests[0]?.status]).toEqual([503, '1', after, 503]);
  });

  test('may say anything: a text is no JSON then', async () => {
    const { ask } = await serve([{ action: 'status', status: 502, body: '<p>' }]);
    const { headers, text } = await ask('GET', '/reserved_addrs/ra_1');
    expect([headers.get('content-type'), text]).toEqual(['text/plain', '<p>']);
  });

  test.each([{ bytes: 0 }, { bytes: 5 }, {}])('that cuts an answer off breaks the connection (%j)', async (cut) => {
    const { broken, requests } = await serve([{ action: 'truncate', ...cut }]);
    expect([await broken('GET', '/reserved_addrs/ra_1'), requests[0]?.status]).toEqual([true, 200]);
  });

  test('that shows a list as it was is seen by reads only', async () => {
    const { ask, store } = await serve([{ action: 'staleList' }]);
    await ask(...PATCH);
    const { text } = await ask('GET', '/reserved_addrs/ra_1');
    expect([JSON.parse(text), described(store)]).toMatchObject([{ description: 'old' }, 'new']);
  });
});
