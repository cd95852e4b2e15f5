// What public clients send, and what the emulator refuses although it is well formed.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { run } from '../support/host.ts';
import { create, idOf, send } from './support.ts';

let emulator: Emulator;
let edge: string;
beforeEach(async () => {
  emulator = await startEmulator({});
  edge = idOf(await create(emulator, '/edges/https', { hostports: ['a.example.com:443'] }));
});
afterEach(() => emulator.close());

describe('ids of the path in a body', () => {
  test('may be repeated', async () => {
    const path = `/edges/https/${edge}`;
    expect((await send(emulator, `PATCH ${path}`, { id: edge, description: 'x' })).status).toBe(200);
    const route = await create(emulator, `${path}/routes`, { edge_id: edge, match_type: 'path_prefix', match: '/' });
    const again = { id: idOf(route), edge_id: edge, match: '/b' };
    expect((await send(emulator, `PATCH ${path}/routes/${idOf(route)}`, again)).status).toBe(200);
  });
  test('may not differ', async () => {
    expect((await send(emulator, `PATCH /edges/https/${edge}`, { id: 'edghts_x', description: 'x' })).status).toBe(400);
    const route = { edge_id: 'edghts_x', match_type: 'path_prefix', match: '/' };
    expect((await send(emulator, `POST /edges/https/${edge}/routes`, route)).status).toBe(400);
  });
});

test('a module is read, replaced and removed at its own path', async () => {
  const path = `/edges/https/${edge}/tls_termination`;
  const status = async (method: string, body?: Parameters<typeof send>[2]) =>
    (await send(emulator, `${method} ${path}`, body)).status;
  expect(await status('GET')).toBe(404);
  expect(await status('PUT', { min_version: '1.2' })).toBe(200);
  expect((await send(emulator, `GET ${path}`)).body).toMatchObject({ min_version: '1.2' });
  expect(await status('PUT', { min_version: 12 })).toBe(400);
  expect(await status('DELETE')).toBe(204);
  expect(await status('GET')).toBe(404);
});

describe('a module that is replaced', () => {
  /** A module with the ids of its path: of an edge, and of a route inside one. */
  async function places() {
    const tls = idOf(await create(emulator, '/edges/tls', {}));
    const body = { match_type: 'path_prefix', match: '/' };
    const route = idOf(await create(emulator, `/edges/https/${edge}/routes`, body));
    return [
      { path: `/edges/tls/${tls}/backend`, ids: { id: tls }, module: { backend_id: 'bkdhr_3' } },
      {
        path: `/edges/https/${edge}/routes/${route}/compression`,
        ids: { edge_id: edge, id: route },
        module: { enabled: true },
      },
    ];
  }
  const replace = async (path: string, body: JsonObject) => (await send(emulator, `PUT ${path}`, body)).status;

  test('may have the ids of its path beside it, and stand under `module`', async () => {
    for (const { path, ids, module } of await places()) {
      expect(await replace(path, module)).toBe(200);
      expect(await replace(path, { ...ids, ...module })).toBe(200);
      expect(await replace(path, { ...ids, module })).toBe(200);
      expect(await replace(path, { module })).toBe(200);
      expect((await send(emulator, `GET ${path}`)).body).toMatchObject({ enabled: true });
    }
  });
  test('may not have others, nor anything beside `module`', async () => {
    for (const { path, ids, module } of await places()) {
      for (const name of Object.keys(ids)) {
        expect(await replace(path, { ...ids, ...module, [name]: 'edghts_x' })).toBe(400);
        expect(await replace(path, { ...ids, module, [name]: 'edghts_x' })).toBe(400);
        expect(await replace(path, { ...ids, module: { ...module, [name]: ids[name as 'id'] } })).toBe(400);
      }
      expect(await replace(path, { ...ids, ...module, module })).toBe(400);
      expect(await replace(path, { ...ids, module: 1 })).toBe(400);
    }
  });
});

test('a body that is no UTF-8 is refused', async () => {
  const headers = {
    authorization: `Bearer ${emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const body = Buffer.concat([Buffer.from('{"description":"'), Buffer.from([0xff]), Buffer.from('"}')]);
  expect((await fetch(`${emulator.url}/edges/tls`, { method: 'POST', headers, body })).status).toBe(400);
});

describe('mutual TLS needs the traffic', () => {
  const authority = { certificate_authority_ids: [] as string[] };
  test.each([
    ['beside upstream', { terminate_at: 'upstream' }, authority, 400],
    ['beside edge', { terminate_at: 'edge' }, authority, 201],
    ['switched off beside upstream', { terminate_at: 'upstream' }, { ...authority, enabled: false }, 201],
  ])('%s', async (_, termination, mutual, status) => {
    const body = { tls_termination: termination, mutual_tls: mutual };
    expect((await send(emulator, 'POST /edges/tls', body)).status).toBe(status);
  });
});

describe('a state file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'edgeform-state-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['that is no JSON', (file: string) => writeFileSync(file, 'x'), /state.json" is not JSON|state.json is not JSON/],
    ['that is a folder', (file: string) => mkdirSync(file), /state.json/],
  ])('%s is named at the start', async (_, make, words) => {
    const file = join(folder, 'state.json');
    make(file);
    await expect(startEmulator({ stateFile: file })).rejects.toThrow(words);
  });
  test('in a folder that does not exist is named at the start', async () => {
    await expect(startEmulator({ stateFile: join(folder, 'no', 'state.json') })).rejects.toThrow(/state.json/);
  });
  test('that cannot be written any more prevents the change', async () => {
    const kept = await startEmulator({ stateFile: join(folder, 'state.json') });
    rmSync(folder, { recursive: true });
    expect((await send(kept, 'POST /edges/tls', {})).status).toBe(500);
    expect(kept.objects('tls_edges')).toEqual([]);
    await kept.close();
  });
});

test('a page holds one object at least', async () => {
  const { code, stderr } = await run(['emulator', '--page-size', '0'], { cwd: tmpdir(), env: {} });
  expect([code, stderr]).toEqual([64, expect.stringContaining('--page-size takes a number from 1 to 100')]);
});
