// What policies see of a resource besides its fields: its address, what it is in, and, of live objects, who owns them.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';
import { judged, problemsOf, verdict } from './sample.ts';

const route = (more: JsonObject = {}): JsonObject => ({ match_type: 'path_prefix', match: '/', ...more });
const MANIFEST: JsonObject = {
  https_edges: {
    admin: {
      hostports: ['admin.test:443'],
      routes: { all: route(), api: route({ match: '/api', description: 'open' }) },
    },
    site: { hostports: ['site.test:443'], routes: { all: route() } },
  },
};
const ROUTES = { kinds: ['https_edge_route'] };

test.each<[string, JsonObject, readonly string[]]>([
  [
    'the address of a resource',
    { ...ROUTES, when: 'address.startsWith("https_edges.admin.")', expression: 'object.description == "open"' },
    ['https_edges.admin.routes.all'],
  ],
  [
    'the address of what it is in',
    { ...ROUTES, when: 'parent.address == "https_edges.admin"', expression: 'false' },
    ['https_edges.admin.routes.all', 'https_edges.admin.routes.api'],
  ],
  [
    'the fields of what it is in',
    { ...ROUTES, when: '"site.test:443" in parent.hostports', expression: 'false' },
    ['https_edges.site.routes.all'],
  ],
  ['the address without kinds', { expression: 'address != "https_edges.site"' }, ['https_edges.site']],
])('%s, in validate and in a plan', (_name, policy, addresses) => {
  expect(judged(policy, MANIFEST).map(({ address }) => address)).toEqual(addresses);
  expect(verdict(policy, MANIFEST)).toBe(`violated ${addresses.map((address) => `p ${address}`).join(', ')}`);
  expect(verdict(policy, MANIFEST, MANIFEST)).toBe(`violated ${addresses.map((address) => `p ${address}`).join(', ')}`);
});

test('what is not known of an edge is not decided for its route', () => {
  const manifest = {
    reserved_addrs: { db: {} },
    https_edges: {
      a: { hostports: ['a.test:443'], description: '${reserved_addrs.db.addr}', routes: { all: route() } },
    },
  };
  const policy = { ...ROUTES, expression: 'parent.description == "x"' };
  expect(verdict(policy, manifest)).toBe('violated p https_edges.a.routes.all');
  expect(judged(policy, manifest)).toEqual([]);
});

test.each<[string, JsonObject]>([
  ['a kind that is in nothing has no parent', { kinds: ['https_edge'], expression: 'parent.address == ""' }],
  ['nor has every kind', { expression: 'parent.address == ""' }],
  ['a resource of the manifest has no owner', { expression: 'owner == ""' }],
  ['a live object has no actions', { on: 'live', actions: ['create'], expression: 'true' }],
  ['a field of an edge that it lacks', { ...ROUTES, expression: 'parent.hostport == ""' }],
])('%s', (_name, policy) => {
  expect(problemsOf(policy).map(({ code }) => code)).toEqual(['bad-policy']);
});

const EDGE = `version: 1
stack: shop
https_edges:
  site: { hostports: [site.test:443], routes: { all: { match_type: path_prefix, match: / } } }
`;
const live = (expression: string, more = '') => `version: 1
policies:
  - { name: known, on: live, expression: '${expression}', message: "of \${owner}"${more} }
`;
const place = usePlace({
  'edgeform.yaml': EDGE,
  'other.yaml': 'version: 1\nstack: other\nreserved_addrs: { a: {} }\n',
  'owned.yaml': live('owner != ""', ', severity: warning'),
  'must.yaml': live('owner != ""'),
  'mine.yaml': live('owner == stack'),
  'routes.yaml': live('parent.address == "https_edges.site" && owner == stack', ', kinds: [https_edge_route]'),
});
const { run } = place;

async function post(path: string, body: object): Promise<string> {
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  const answer = await fetch(`${place.emulator.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.status).toBe(201);
  return String(((await answer.json()) as JsonObject)['id']);
}

test('on: live judges what the service has, whoever owns it, in plan and drift', async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('apply', '--auto-approve', '-f', 'other.yaml')).code).toBe(0);
  const id = await post('/reserved_addrs', { region: 'eu' });
  for (const command of ['plan', 'drift']) {
    const { code, stdout } = await run(command, '--policy', 'owned.yaml');
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${id}: of`)]);
  }
  expect(await run('plan', '--policy', 'must.yaml')).toMatchObject({ code: 5 });
  expect(await run('apply', '--auto-approve', '--policy', 'must.yaml')).toMatchObject({ code: 5 });
  expect((await run('plan', '--policy', 'mine.yaml', '--format', 'json')).stdout).toContain('of other');
  expect(await run('validate', '--policy', 'must.yaml')).toMatchObject({ code: 0 });
});

test('a live route sees its edge; one that somebody added has no owner', async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect(await run('plan', '--policy', 'routes.yaml')).toMatchObject({ code: 0 });
  const edge = String(place.emulator.objects('https_edges')[0]?.['id']);
  const id = await post(`/edges/https/${edge}/routes`, { edge_id: edge, match_type: 'path_prefix', match: '/x' });
  const { code, stdout } = await run('plan', '--policy', 'routes.yaml');
  expect([code, stdout]).toEqual([5, expect.stringContaining(id)]);
});

test('what the plan writes or deletes is not judged as it was', async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.write(live('!object.description.contains("old")'), 'old.yaml');
  place.emulator.mutate('https_edges', String(place.emulator.objects('https_edges')[0]?.['id']), {
    description: 'old',
  });
  expect(await run('plan', '--policy', 'old.yaml')).toMatchObject({ code: 0 });
  expect(await run('destroy', '--auto-approve', '--policy', 'old.yaml')).toMatchObject({ code: 0 });
});

test('examples say what nobody owns', () => {
  const policy = { on: 'live', kinds: ['reserved_addr'], expression: 'owner != ""' };
  const db = { reserved_addrs: { db: {} } };
  expect(verdict(policy, db, db)).toBe('passed');
  expect(verdict(policy, db, db, db)).toBe('violated p');
});
