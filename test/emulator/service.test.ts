// What the service does around the rules: access, addresses, paging, modules, deletion.

import { afterEach, describe, expect, test } from 'vitest';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { create, idOf, listOf, objectOf, send } from './support.ts';

const running: Emulator[] = [];
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close();
});

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

const ROLE = { role: { role_arn: 'arn:1' } };
const TARGET = { kinesis: { auth: ROLE, stream_arn: 'arn:1' } };

describe('access', () => {
  test.each([
    { name: 'no credentials', headers: { authorization: '' }, status: 403 },
    { name: 'another scheme', headers: { authorization: 'Basic abc' }, status: 403 },
    { name: 'no token', headers: { authorization: 'Bearer' }, status: 403 },
    { name: 'an unknown token', headers: { authorization: 'Bearer abc' }, status: 403 },
    { name: 'no version', headers: { 'service-version': '' }, status: 400 },
    { name: 'another version', headers: { 'service-version': '3' }, status: 400 },
  ])('$name is refused with $status', async ({ headers, status }) => {
    const emulator = await start();
    const reply = await send(emulator, 'GET /api_keys', undefined, headers);
    expect(reply).toMatchObject({ status, body: { status_code: status, error_code: expect.any(String) } });
  });

  test('the version header can be another one', async () => {
    const emulator = await start({ versionHeader: { name: 'Acme-Version', value: '7' } });
    expect(await send(emulator, 'GET /api_keys')).toMatchObject({ status: 400 });
    expect(await send(emulator, 'GET /api_keys', undefined, { 'acme-version': '7' })).toMatchObject({ status: 200 });
  });

  test('the token of an API key opens the service until the key is deleted', async () => {
    const emulator = await start();
    const key = await create(emulator, '/api_keys', {});
    const other = { url: emulator.url, apiKey: String(key['token']) };
    expect(await send(other, 'GET /api_keys')).toMatchObject({ status: 200, body: { keys: [{ token: null }] } });
    await send(emulator, `DELETE /api_keys/${idOf(key)}`);
    expect(await send(other, 'GET /api_keys')).toMatchObject({ status: 403 });
  });

  test('only admins name other owners', async () => {
    const admin = await start();
    expect(await create(admin, '/api_keys', { owner_id: 'usr_other' })).toMatchObject({ owner_id: 'usr_other' });
    const plain = await start({ admin: false });
    const own = await create(plain, '/api_keys', {});
    expect(await send(plain, 'POST /api_keys', { owner_id: own['owner_id'] ?? '' })).toMatchObject({ status: 201 });
    expect(await send(plain, 'POST /api_keys', { owner_id: 'usr_other' })).toMatchObject({ status: 400 });
  });
});

describe('addresses', () => {
  test.each([
    'GET /nothing',
    'PUT /api_keys',
    'POST /app/sessions',
    'GET /edges/https/edghts_1/routes',
    'DELETE /edges/tls/edgtls_1/hostports',
  ])('%s does not exist', async (request) => {
    const emulator = await start();
    const body = request.startsWith('P') ? {} : undefined;
    const path = request.split(' ')[1];
    expect(await send(emulator, request, body)).toEqual({
      status: 404,
      body: { status_code: 404, msg: expect.any(String), details: { path } },
    });
  });

  test('an unknown id is told apart from an unknown address by its error code', async () => {
    const emulator = await start();
    const reply = await send(emulator, 'GET /edges/tls/edgtls_1');
    expect(reply).toMatchObject({ status: 404, body: { error_code: expect.any(String) } });
    expect(await send(emulator, 'DELETE /edges/tls/edgtls_1/backend')).toMatchObject({ status: 404 });
  });

  test('an object has no address under another parent', async () => {
    const emulator = await start();
    const [one, two] = [await create(emulator, '/edges/https', {}), await create(emulator, '/edges/https', {})];
    const route = await create(emulator, `/edges/https/${idOf(one)}/routes`, { match_type: 'exact_path', match: '/' });
    expect(await send(emulator, `GET /edges/https/${idOf(two)}/routes/${idOf(route)}`)).toMatchObject({ status: 404 });
    expect(
      await send(emulator, 'POST /edges/https/edghts_1/routes', { match_type: 'exact_path', match: '/' }),
    ).toMatchObject({ status: 404 });
  });

  test.each([
    { capability: 'https-edge-list', request: 'GET /edges/https' },
    { capability: 'routes', request: 'GET /edges/https/edghts_1/routes/edghtsrt_1' },
    { capability: 'module-delete', request: 'DELETE /edges/tls/edgtls_1/backend' },
  ] as const)('without $capability, $request does not exist', async ({ capability, request }) => {
    const emulator = await start({ disabled: [capability] });
    const reply = await send(emulator, request);
    expect(reply).toMatchObject({ status: 404, body: { status_code: 404 } });
    expect(reply.body).not.toHaveProperty('error_code');
  });

  test.each([
    { name: 'a body that is no JSON', body: '{', type: 'application/json', status: 400 },
    { name: 'no body', body: '', type: 'application/json', status: 400 },
    { name: 'a body that is too large', body: `"${'x'.repeat(1024 * 1024)}"`, type: 'application/json', status: 413 },
    {
      name: 'a body that is too deep',
      body: '['.repeat(9000) + ']'.repeat(9000),
      type: 'application/json',
      status: 400,
    },
    { name: 'another content type', body: '{}', type: 'text/plain', status: 415 },
  ])('$name is refused with $status', async ({ body, type, status }) => {
    const emulator = await start();
    const headers = { authorization: `Bearer ${emulator.apiKey}`, 'service-version': '2', 'content-type': type };
    const response = await fetch(`${emulator.url}/edges/tls`, { method: 'POST', headers, body });
    expect(response.status).toBe(status);
  });
});

describe('lists', () => {
  test('pages go from the newest to the oldest and name the next one', async () => {
    const emulator = await start({ pageSize: 2 });
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(idOf(await create(emulator, '/reserved_addrs', {})));
    const pages: string[][] = [];
    for (let next = '/reserved_addrs?limit=100'; next !== 'null';) {
      const { body } = await send(emulator, `GET ${next}`);
      pages.push(listOf(body['reserved_addrs']).map(idOf));
      next = String(body['next_page_uri']);
      if (next !== 'null') expect(next.startsWith(`${emulator.url}/reserved_addrs?`)).toBe(true);
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
  });

  test('a page that is just full is the last one', async () => {
    const emulator = await start({ pageSize: 1 });
    await create(emulator, '/reserved_addrs', {});
    expect(await send(emulator, 'GET /reserved_addrs')).toMatchObject({ body: { next_page_uri: null } });
  });

  test('a page goes on after an object that was deleted meanwhile', async () => {
    const emulator = await start({ pageSize: 1 });
    const first = idOf(await create(emulator, '/reserved_addrs', {}));
    const second = idOf(await create(emulator, '/reserved_addrs', {}));
    await send(emulator, `DELETE /reserved_addrs/${second}`);
    const { body } = await send(emulator, `GET /reserved_addrs?before_id=${second}`);
    expect(listOf(body['reserved_addrs']).map(idOf)).toEqual([first]);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=1&limit=2', 'before_id=ed_1', 'offset=1'])(
    '?%s is refused',
    async (query) => {
      const emulator = await start();
      expect(await send(emulator, `GET /reserved_addrs?${query}`)).toMatchObject({ status: 400 });
    },
  );

  test('limit is unknown without its capability', async () => {
    const emulator = await start({ disabled: ['paging-limit'] });
    expect(await send(emulator, 'GET /reserved_addrs?limit=1')).toMatchObject({ status: 400 });
  });
});

describe('updates', () => {
  test('a module given replaces the whole module, one left out or null stays', async () => {
    const emulator = await start();
    const at = `/edges/tls/${idOf(await create(emulator, '/edges/tls', { mutual_tls: { certificate_authority_ids: ['ca_1'] }, tls_termination: { terminate_at: 'edge', min_version: '1.3' } }))}`;
    const { body } = await send(emulator, `PATCH ${at}`, { tls_termination: { enabled: false }, mutual_tls: null });
    expect(body).toMatchObject({
      tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.2' },
      mutual_tls: { enabled: true, certificate_authorities: [{ id: 'ca_1' }] },
    });
  });

  test('a module is removed by its own deletion, as often as one likes', async () => {
    const emulator = await start();
    const at = `/edges/tls/${idOf(await create(emulator, '/edges/tls', { mutual_tls: {} }))}`;
    expect(await send(emulator, `DELETE ${at}/mutual_tls`)).toEqual({ status: 204, body: {} });
    expect(await send(emulator, `DELETE ${at}/mutual_tls`)).toEqual({ status: 204, body: {} });
    expect(await send(emulator, `GET ${at}`)).toMatchObject({ body: { mutual_tls: null } });
  });

  test('an endpoint configuration is attached by an update, and no operation detaches it', async () => {
    const emulator = await start();
    const at = `/reserved_addrs/${idOf(await create(emulator, '/reserved_addrs', {}))}`;
    const attached = await send(emulator, `PATCH ${at}`, { endpoint_configuration_id: 'ec_1' });
    expect(attached).toMatchObject({ body: { endpoint_configuration: { id: 'ec_1', uri: expect.any(String) } } });
    expect(await send(emulator, `DELETE ${at}/endpoint_configuration`)).toMatchObject({ status: 404 });
    expect(await send(emulator, `GET ${at}`)).toMatchObject({ body: { endpoint_configuration: { id: 'ec_1' } } });
  });

  test('a failover backend loses its children when an update leaves them out; an edge keeps its hostports', async () => {
    const emulator = await start();
    const backend = idOf(await create(emulator, '/backends/failover', { backends: ['bkdhr_1'] }));
    expect(await send(emulator, `PATCH /backends/failover/${backend}`, { description: 'x' })).toMatchObject({
      body: { backends: [] },
    });
    const edge = idOf(await create(emulator, '/edges/tls', { hostports: ['a.example.com:443'] }));
    expect(await send(emulator, `PATCH /edges/tls/${edge}`, { description: 'x' })).toMatchObject({
      body: { hostports: ['a.example.com:443'] },
    });
  });
});

describe('deletion', () => {
  test('takes what lives inside along', async () => {
    const emulator = await start();
    const edge = idOf(await create(emulator, '/edges/https', {}));
    const route = { match_type: 'exact_path', match: '/' };
    await create(emulator, `/edges/https/${edge}/routes`, route);
    expect(objectOf(emulator.objects('https_edges')[0])).toMatchObject({ routes: [{ edge_id: edge }] });
    expect(await send(emulator, `DELETE /edges/https/${edge}`)).toEqual({ status: 204, body: {} });
    expect(emulator.objects('routes')).toEqual([]);
  });

  test('is refused while the object is in use', async () => {
    const emulator = await start();
    const destination = idOf(await create(emulator, '/event_destinations', { target: TARGET }));
    const subscription = idOf(await create(emulator, '/event_subscriptions', { destination_ids: [destination] }));
    expect(await send(emulator, `DELETE /event_destinations/${destination}`)).toMatchObject({ status: 400 });
    expect(await send(emulator, `DELETE /event_subscriptions/${subscription}`)).toMatchObject({ status: 204 });
    expect(await send(emulator, `DELETE /event_destinations/${destination}`)).toMatchObject({ status: 204 });
  });
});
