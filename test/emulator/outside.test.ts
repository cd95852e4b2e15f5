// What is done to the emulator from outside: seeds, kept state, changes by others, scripted faults.

import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../src/emulator/http/server.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { faultProblems } from '../../src/emulator/fault-format.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { create, idOf, listOf, send } from './support.ts';

const running: Emulator[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'emulator-'));
});
afterEach(async () => {
  for (const emulator of running.splice(0)) await emulator.close();
  rmSync(folder, { recursive: true });
});

async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options);
  running.push(emulator);
  return emulator;
}

describe('state', () => {
  test('objects, tokens and the order of creation outlive a restart', async () => {
    const stateFile = join(folder, 'state.json');
    const before = await start({ stateFile, apiKey: 'main' });
    const key = await create(before, '/api_keys', {});
    await create(before, '/edges/tls', { hostports: ['a.example.com:443'] });
    await before.close();
    const after = await start({ stateFile, apiKey: 'main' });
    expect(after.objects('tls_edges')).toMatchObject([{ hostports: ['a.example.com:443'] }]);
    expect(await send({ url: after.url, apiKey: String(key['token']) }, 'GET /edges/tls')).toMatchObject({
      status: 200,
    });
    expect(idOf(await create(after, '/api_keys', {})) > idOf(key)).toBe(true);
  });

  test('the file is private and nothing else is left beside it', async () => {
    const emulator = await start({ stateFile: join(folder, 'state.json') });
    await create(emulator, '/api_keys', {});
    expect(readdirSync(folder)).toEqual(['state.json']);
    expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600);
  });

  test('a file of something else is refused at the start', async () => {
    writeFileSync(join(folder, 'state.json'), '{"version":9}');
    await expect(startEmulator({ stateFile: join(folder, 'state.json') })).rejects.toThrow();
  });
});

describe('seeds', () => {
  test('request and response shapes give the same objects', async () => {
    const request = { id: 'edgtls_1', backend: { backend_id: 'bkdhr_1' }, created_at: '2024-01-01T00:00:00Z' };
    const response = {
      ...request,
      backend: { enabled: true, backend: { id: 'bkdhr_1', uri: 'https://x.test/1' } },
      mutual_tls: null,
    };
    const [one, two] = [
      await start({ seed: { tls_edges: [request] } }),
      await start({ seed: { tls_edges: [response] } }),
    ];
    const shown = (emulator: Emulator) => JSON.stringify(emulator.objects('tls_edges')).replaceAll(emulator.url, '');
    expect(shown(one)).toBe(shown(two));
    expect(one.objects('tls_edges')).toMatchObject([
      { id: 'edgtls_1', created_at: '2024-01-01T00:00:00Z', mutual_tls: null },
    ]);
  });

  test('routes come inside their edges', async () => {
    const routes = [{ match_type: 'exact_path', match: '/' }];
    const emulator = await start({ seed: { https_edges: [{ id: 'edghts_1', routes }] } });
    expect(await send(emulator, 'GET /edges/https/edghts_1')).toMatchObject({
      body: { routes: [{ edge_id: 'edghts_1', match: '/' }] },
    });
  });

  test('an unknown list key is refused', async () => {
    await expect(startEmulator({ seed: { nothing: [] } })).rejects.toThrow();
  });
});

test('objects change and vanish from outside', async () => {
  const emulator = await start();
  const id = idOf(await create(emulator, '/edges/tls', { description: 'a', mutual_tls: {} }));
  emulator.mutate('tls_edges', id, { description: 'b', mutual_tls: null });
  expect(emulator.objects('tls_edges')).toMatchObject([{ description: 'b', mutual_tls: null }]);
  emulator.remove('tls_edges', id);
  expect(await send(emulator, `GET /edges/tls/${id}`)).toMatchObject({ status: 404 });
});

test('the log has every request with its body and status', async () => {
  const emulator = await start();
  await send(emulator, 'POST /edges/tls', { description: 'a' });
  await send(emulator, 'GET /nowhere?x=1');
  expect(emulator.requests).toEqual([
    { method: 'POST', path: '/edges/tls', status: 201, body: { description: 'a' } },
    { method: 'GET', path: '/nowhere?x=1', status: 404, body: undefined },
  ]);
});

test('times are whole seconds of the clock it is given', async () => {
  const emulator = await start({ clock: () => new Date('2024-05-06T07:08:09.123Z') });
  expect(await create(emulator, '/edges/tls', {})).toMatchObject({ created_at: '2024-05-06T07:08:09Z' });
});

describe('faults', () => {
  const post = { method: 'POST' };
  async function sendTwice(fault: Fault) {
    const emulator = await start({ faults: [fault] });
    const first = await send(emulator, 'POST /edges/tls', {}).then(
      ({ status }) => status,
      () => 'broken' as const,
    );
    return {
      first,
      stored: emulator.objects('tls_edges').length,
      logged: emulator.requests.map(({ status }) => status),
    };
  }

  test.each<{ name: string; fault: Fault; outcome: unknown }>([
    {
      name: 'a status replaces the request',
      fault: { match: post, action: 'status', status: 503 },
      outcome: { first: 503, stored: 0, logged: [503] },
    },
    {
      name: 'a status may come after the effect',
      fault: { match: post, action: 'status', status: 500, effect: true },
      outcome: { first: 500, stored: 1, logged: [500] },
    },
    {
      name: 'a drop before leaves nothing',
      fault: { match: post, action: 'dropBefore' },
      outcome: { first: 'broken', stored: 0, logged: [0] },
    },
    {
      name: 'a drop after leaves the effect',
      fault: { match: post, action: 'dropAfter' },
      outcome: { first: 'broken', stored: 1, logged: [0] },
    },
    {
      name: 'a cut body leaves the effect',
      fault: { match: post, action: 'truncate' },
      outcome: { first: 'broken', stored: 1, logged: [201] },
    },
    {
      name: 'a delay changes nothing else',
      fault: { match: post, action: 'delay', ms: 1 },
      outcome: { first: 201, stored: 1, logged: [201] },
    },
    {
      name: 'another path is not struck',
      fault: { match: { path: '^/api_keys' }, action: 'dropBefore' },
      outcome: { first: 201, stored: 1, logged: [201] },
    },
    {
      name: 'another place in the row is not struck',
      fault: { match: { nth: 2 }, action: 'dropBefore' },
      outcome: { first: 201, stored: 1, logged: [201] },
    },
  ])('$name', async ({ fault, outcome }) => {
    expect(await sendTwice(fault)).toEqual(outcome);
  });

  test('a stale list is that before the last write', async () => {
    const emulator = await start({ faults: [{ match: { method: 'GET', nth: 1 }, action: 'staleList' }] });
    await create(emulator, '/edges/tls', {});
    const lengths: number[] = [];
    for (let turn = 0; turn < 2; turn++)
      lengths.push(listOf((await send(emulator, 'GET /edges/tls')).body['tls_edges']).length);
    expect(lengths).toEqual([0, 1]);
  });
});

test('well-formed faults have no problem', () => {
  const faults = [
    {
      match: { method: 'get', path: '^/edges', nth: 2 },
      action: 'status',
      status: 503,
      headers: { 'retry-after': '1' },
    },
    { action: 'dropAfter' },
    { action: 'truncate', bytes: 0 },
    { action: 'staleList', writes: 2 },
  ];
  expect(faultProblems(faults)).toEqual([]);
});
