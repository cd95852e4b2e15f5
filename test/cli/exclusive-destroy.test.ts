// `destroy` reads `exclusive` as plan does: a route that somebody added to an exclusive edge goes with the edge, shown and counted.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const manifest = (exclusive: boolean) => `version: 1
stack: shop
https_edges:
  site:
    routes: { api: { match_type: path_prefix, match: /api } }
    lifecycle: { exclusive: ${String(exclusive)} }
`;
const place = usePlace({
  'edgeform.yaml': manifest(true),
  'edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n',
});
const { run, write, writes } = place;
const edges = () => place.emulator.objects('https_edges');
let id = '';

async function add(body: JsonObject): Promise<string> {
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const url = `${place.emulator.url}/edges/https/${String(edges()[0]?.['id'])}/routes`;
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return String(((await answer.json()) as JsonObject)['id']);
}

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  id = await add({ match_type: 'path_prefix', match: '/stranger' });
  place.emulator.requests.length = 0;
});

test.each([
  ['destroy', ['destroy', '--auto-approve']],
  ['fleet destroy', ['fleet', 'destroy', '--auto-approve']],
])('%s deletes it before its edge, and says so', async (_, args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('/stranger')]);
  expect(stdout + stderr).toContain('https_edges.site is exclusive');
  expect(stdout + stderr).toContain('2 to delete');
  expect(writes().map(({ method, path }) => [method, path.split('/').at(-1)])).toEqual([
    ['DELETE', id],
    ['DELETE', expect.stringContaining('edghts_')],
  ]);
  expect(edges()).toEqual([]);
});

test('an edge that is not exclusive is refused because of it, and the fix is what allows it', async () => {
  write(manifest(false));
  const { code, stdout, stderr } = await run('destroy', '--auto-approve');
  const said = `${stdout}${stderr}`.replace(/\s+/g, ' ');
  expect([code, said]).toEqual([
    5,
    expect.stringContaining('add `lifecycle: { exclusive: true }` to https_edges.site'),
  ]);
  expect(writes()).toEqual([]);
  write(manifest(true));
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  expect(edges()).toEqual([]);
});

test('one with a marker is refused all the same', async () => {
  const marker = { v: 1, stack: 'ghost', address: 'https_edges.site.routes.x', applied: {} };
  place.emulator.mutate('routes', id, { metadata: JSON.stringify({ edgeform: marker }) });
  expect((await run('destroy', '--auto-approve')).code).toBe(5);
  expect(writes()).toEqual([]);
});

test('without a manifest nothing is exclusive', async () => {
  rmSync(join(place.cwd, 'edgeform.yaml'));
  const { code, stdout, stderr } = await run('destroy', '--stack', 'shop', '--auto-approve');
  expect([code, `${stdout}${stderr}`]).toEqual([5, expect.not.stringContaining('exclusive: true')]);
  expect(writes()).toEqual([]);
});
