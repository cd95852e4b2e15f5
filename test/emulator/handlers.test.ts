// What each operation does to the objects, and which requests are refused before anything is done.

import { beforeEach, describe, expect, test } from 'vitest';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { perform } from '../../src/emulator/handlers.ts';
import { createRouter } from '../../src/emulator/http/router.ts';
import { PROBLEM } from '../../src/emulator/problem.ts';
import type { Store } from '../../src/emulator/state/store.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { codeOf, storedOf } from './stored.ts';

const router = createRouter(kinds, new Set());
const ROUTE = { match_type: 'path_prefix', match: '/' };
let store: Store;

beforeEach(() => {
  store = createStore(
    [
      storedOf('edgtls_1', { description: 'one', mutual_tls: { certificate_authority_ids: ['ca_1'] } }),
      storedOf('bkdfo_1', { backends: ['bkdhr_9'], description: 'old' }),
      storedOf('edghts_1'),
      storedOf('edghts_2'),
      storedOf('edghtsrt_1', ROUTE, { parentId: 'edghts_1' }),
    ],
    () => undefined,
  );
});

function ask(request: string, body?: Json, caller = { owner: 'usr_me', admin: false }) {
  const [method = '', address = ''] = request.split(' ');
  const [path = '', query] = address.split('?');
  const target = router(method, path);
  if (target === undefined) throw new Error(`no address ${request}`);
  const pages = { pageSize: 100, limits: true };
  const view = { store, baseUrl: 'http://s.test' };
  return perform({
    view,
    target,
    caller,
    query: new URLSearchParams(query),
    body,
    pages,
    now: '2031-01-01T00:00:00Z',
    tokenSeed: 'seed',
  });
}

describe('a creation', () => {
  test('gives the object an id, its time and its owner', () => {
    const { status, body } = ask('POST /reserved_addrs', { description: 'new' });
    expect([status, body?.['description'], body?.['created_at']]).toEqual([201, 'new', '2031-01-01T00:00:00Z']);
    expect(store.get(String(body?.['id']))).toMatchObject({
      kind: 'reserved_addr',
      owner: 'usr_me',
      spec: { description: 'new' },
    });
  });

  test('shows a token, which no later answer shows', () => {
    const { body } = ask('POST /api_keys', {});
    expect(body?.['token']).toMatch(/^\S{20,}$/);
    expect(ask(`GET /api_keys/${String(body?.['id'])}`).body?.['token']).toBeNull();
  });

  test('inside an object belongs to it', () => {
    const { body } = ask('POST /edges/https/edghts_2/routes', ROUTE);
    expect(store.get(String(body?.['id']))?.parentId).toBe('edghts_2');
  });
});

describe('an update', () => {
  test('replaces what is given and keeps the rest', () => {
    ask('PATCH /edges/tls/edgtls_1', { metadata: 'm' });
    expect(store.get('edgtls_1')?.spec).toEqual({
      metadata: 'm',
      description: 'one',
      mutual_tls: { certificate_authority_ids: ['ca_1'] },
    });
  });

  test('empties what is always to be sent and was not', () => {
    ask('PATCH /backends/failover/bkdfo_1', { description: 'new' });
    expect(store.get('bkdfo_1')?.spec).toEqual({ description: 'new' });
  });

  test('may repeat the ids of its path', () => {
    const body = { id: 'edghtsrt_1', edge_id: 'edghts_1', description: 'x' };
    expect(ask('PATCH /edges/https/edghts_1/routes/edghtsrt_1', body).status).toBe(200);
  });
});

describe('a deletion', () => {
  test('takes what lies inside with it', () => {
    expect(ask('DELETE /edges/https/edghts_1')).toEqual({ status: 204, body: undefined });
    expect([store.get('edghts_1'), store.get('edghtsrt_1'), store.get('edghts_2')?.id]).toEqual([
      undefined,
      undefined,
      'edghts_2',
    ]);
  });

  test('of what another object refers to is refused, and nothing goes', () => {
    store.put(storedOf('edgtls_2', { backend: { backend_id: 'bkdfo_1' } }));
    expect(codeOf(() => ask('DELETE /backends/failover/bkdfo_1'))).toBe(PROBLEM.inUse);
    expect(store.get('bkdfo_1')).toBeDefined();
  });
});

describe('a module of an object', () => {
  const path = '/edges/tls/edgtls_1/mutual_tls';
  test('is shown', () => {
    expect(ask(`GET ${path}`).body).toMatchObject({ enabled: true });
  });

  test.each([
    { name: 'is replaced whole', body: { enabled: false } },
    { name: 'may be wrapped by its caller', body: { module: { enabled: false } } },
  ])('$name', ({ body }) => {
    ask(`PUT ${path}`, body);
    expect(store.get('edgtls_1')?.spec['mutual_tls']).toEqual({ enabled: false });
  });

  test('that is removed is gone, and nothing else is', () => {
    expect(ask(`DELETE ${path}`).status).toBe(204);
    expect(store.get('edgtls_1')?.spec).toEqual({ description: 'one' });
  });

  test('that is not there is removed without a word, and shown to nobody', () => {
    ask(`DELETE ${path}`);
    expect(ask(`DELETE ${path}`).status).toBe(204);
    expect(codeOf(() => ask(`GET ${path}`))).toBe(PROBLEM.notFound);
  });
});

interface Refused {
  readonly name: string;
  readonly request: string;
  readonly body?: JsonObject | Json;
  readonly code: string;
}

test.each<Refused>([
  { name: 'what is not there', request: 'GET /edges/tls/edgtls_9', code: PROBLEM.notFound },
  { name: 'an object under the address of another kind', request: 'GET /edges/tls/bkdfo_1', code: PROBLEM.notFound },
  {
    name: 'an object that lies in another',
    request: 'GET /edges/https/edghts_2/routes/edghtsrt_1',
    code: PROBLEM.notFound,
  },
  {
    name: 'a creation inside what is not there',
    request: 'POST /edges/https/edghts_9/routes',
    body: ROUTE,
    code: PROBLEM.notFound,
  },
  { name: 'a creation without a body', request: 'POST /reserved_addrs', code: PROBLEM.badJson },
  { name: 'a body that is a list', request: 'POST /reserved_addrs', body: [], code: PROBLEM.badJson },
  {
    name: 'an update that changes nothing',
    request: 'PATCH /edges/tls/edgtls_1',
    body: { id: 'edgtls_1' },
    code: PROBLEM.nothingToChange,
  },
  {
    name: 'an update with the id of another object',
    request: 'PATCH /edges/tls/edgtls_1',
    body: { id: 'edgtls_2' },
    code: PROBLEM.badValue,
  },
  {
    name: 'a parameter of a request that takes none',
    request: 'GET /edges/tls/edgtls_1?limit=1',
    code: PROBLEM.badQuery,
  },
  {
    name: 'another owner from somebody who is no admin',
    request: 'POST /api_keys',
    body: { owner_id: 'usr_other' },
    code: PROBLEM.owner,
  },
])('$name is refused, and nothing is written', ({ request, body, code }) => {
  const before = store.all();
  expect(codeOf(() => ask(request, body))).toBe(code);
  expect(store.all()).toEqual(before);
});

test('an admin may name another owner', () => {
  const { body } = ask('POST /api_keys', { owner_id: 'usr_other' }, { owner: 'usr_me', admin: true });
  expect(store.get(String(body?.['id']))?.owner).toBe('usr_other');
});
