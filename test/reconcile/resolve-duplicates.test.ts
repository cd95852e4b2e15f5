// What this run created although another run had filled the address is taken back: references first, and never the last one.

import { beforeEach, describe, expect, test } from 'vitest';
import { findDuplicates } from '../../src/apply/duplicates/duplicates.ts';
import type { RunHistory } from '../../src/apply/gate/run-history.ts';
import { noRecord } from '../../src/apply/recorder.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { ResolveDuplicatesInput } from '../../src/reconcile/resolve-duplicates.ts';
import { resolveDuplicates } from '../../src/reconcile/resolve-duplicates.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Snapshot } from '../../src/resource/snapshot.ts';
import type { Direct } from '../support/in-process.ts';
import { applyOn, createDirect, snapshotOf } from '../support/in-process.ts';
import { load } from '../support/world.ts';
import { historyOf, resultOf } from './sample.ts';

const POOL = 'failover_backends.pool';
const EDGE = 'tls_edges.a';
const PATHS: Readonly<Record<string, string>> = {
  failover_backends: '/backends/failover',
  tls_edges: '/edges/tls',
  https_edges: '/edges/https',
  reserved_addrs: '/reserved_addrs',
};
const manifest = load(
  `version: 1\nstack: shop\nfailover_backends: { pool: {} }\ntls_edges: { a: { backend: { backend_id: "\${${POOL}.id}" } } }\n`,
);

let direct: Direct;
beforeEach(() => {
  direct = createDirect();
});

/** Somebody creates an object of the address, and has its id; without an address it is nobody's. */
function make(address: string, spec: JsonObject = {}, path = PATHS[address.split('.')[0] ?? ''] ?? ''): string {
  const metadata = address.startsWith('/') ? '' : writeMarker('', { v: 1, stack: 'shop', address, applied: {} });
  const { status, body } = direct.ask('POST', address.startsWith('/') ? address : path, { ...spec, metadata });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return String((body as JsonObject)['id']);
}

/** Takes back what the run created, and gives what came of it. */
const planOptions = () =>
  ({
    destroy: false,
    allowDeletes: 'all',
    allowReplace: [],
    targets: [],
    capabilities: direct.capabilities,
  }) as const;

async function resolve(
  created: Readonly<Record<string, string>>,
  more: Partial<ResolveDuplicatesInput> = {},
  of: Manifest = manifest,
) {
  const snapshot = await snapshotOf(direct);
  const history: RunHistory = historyOf(created);
  const taken: string[] = [];
  const options = planOptions();
  const ended = await resolveDuplicates({
    client: direct.client,
    manifest: of,
    snapshot,
    duplicates: findDuplicates({ ownershipScope: of, snapshot, history }),
    planFor: (found: Snapshot, wanted): Plan =>
      buildPlan({ manifest: wanted, snapshot: found, service: 'http://service.test', options }),
    carryOut: (plan, found, onlyFields) =>
      applyOn(direct, { manifest: of, snapshot: found, plan, history, onlyFields }),
    onRolledBack: (_, { id }) => taken.push(id),
    record: noRecord,
    history,
    ...more,
  });
  return {
    ended,
    taken,
    history,
    writes: direct.sent.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`),
  };
}

describe('of two objects of one address', () => {
  test('that of this run is deleted, when it is the later one', async () => {
    const theirs = make(POOL);
    const ours = make(POOL);
    const { ended, taken, history, writes } = await resolve({ [ours]: POOL });
    expect([writes, taken, [...history.deleted]]).toEqual([[`DELETE ${ours}`], [ours], [ours]]);
    expect(ended).toMatchObject([
      { id: ours, isGone: true, diagnostic: { code: 'created-twice', severity: 'error', address: POOL } },
    ]);
    expect(ended[0]?.diagnostic.message).toContain(theirs);
  });

  test('the later one goes without an error when this run made both', async () => {
    const [first, second] = [make(POOL), make(POOL)];
    const { ended } = await resolve({ [first]: POOL, [second]: POOL });
    expect(ended).toMatchObject([{ id: second, isGone: true, survivorId: first, diagnostic: { severity: 'warning' } }]);
  });

  test('nothing goes when this run made the older one, or none', async () => {
    const ours = make(POOL);
    make(POOL);
    expect((await resolve({ [ours]: POOL })).ended).toEqual([]);
    expect((await resolve({})).writes).toEqual([]);
  });
});

describe('what refers to the object that goes', () => {
  test('is pointed to the one that stays, first', async () => {
    const theirs = make(POOL);
    const ours = make(POOL);
    const edge = make(EDGE, { backend: { backend_id: ours } });
    const { ended, writes } = await resolve({ [ours]: POOL });
    expect([writes, ended[0]?.isGone]).toEqual([[`PATCH ${edge}`, `DELETE ${ours}`], true]);
    expect(direct.store.get(edge)?.spec['backend']).toEqual({ backend_id: theirs });
  });

  test('is pointed to the one that stays also when another run has made the same, later', async () => {
    make(POOL);
    const ours = make(POOL);
    const edge = make(EDGE, { backend: { backend_id: ours } });
    make(EDGE);
    const { writes } = await resolve({ [ours]: POOL, [edge]: EDGE });
    expect(writes).toEqual([`PATCH ${edge}`, `DELETE ${ours}`]);
  });

  describe.each([
    { name: 'differs in a field that cannot be changed', region: 'us', lifecycle: {} },
    {
      name: 'is referred to by a field that the block ignores',
      region: 'eu',
      lifecycle: { ignore_changes: ['hostports'] },
    },
    { name: 'is also referred to by one', region: 'eu', lifecycle: { ignore_changes: ['backend'] } },
  ])('when the one that stays $name', ({ region, lifecycle }) => {
    test('every field is pointed to it, before the deletion', async () => {
      const ADDR = 'reserved_addrs.db';
      const wanted = load({
        version: 1,
        stack: 'shop',
        failover_backends: { pool: {} },
        reserved_addrs: { db: { region: 'eu' } },
        tls_edges: {
          a: { hostports: [`\${${ADDR}.addr}`], backend: { backend_id: `\${${POOL}.id}` }, lifecycle },
        },
      });
      const [pool, addr] = [make(POOL), make(ADDR, { region })];
      const [ownPool, ownAddr] = [make(POOL), make(ADDR, { region: 'eu' })];
      const served = (id: string) => String((direct.ask('GET', `/reserved_addrs/${id}`).body as JsonObject)['addr']);
      const edge = make(EDGE, { hostports: [served(ownAddr)], backend: { backend_id: ownPool } });
      const text = served(addr);
      direct.sent.length = 0;
      const { ended, writes } = await resolve({ [ownPool]: POOL, [ownAddr]: ADDR }, {}, wanted);
      expect(direct.store.get(edge)?.spec).toMatchObject({ hostports: [text], backend: { backend_id: pool } });
      expect(ended.map(({ isGone }) => isGone)).toEqual([true, true]);
      expect(writes[0]).toBe(`PATCH ${edge}`);
    });
  });

  test('keeps it when only another field could be changed', async () => {
    const ADDR = 'reserved_addrs.db';
    const block = { backend: { backend_id: `\${${POOL}.id}` }, lifecycle: { ignore_changes: ['hostports'] } };
    const base = { version: 1, stack: 'shop', failover_backends: { pool: {} }, reserved_addrs: { db: {} } };
    const only = load({ ...base, tls_edges: { a: block } });
    make(POOL);
    make(ADDR);
    const [ownPool, ownAddr] = [make(POOL), make(ADDR)];
    const { addr } = direct.ask('GET', `/reserved_addrs/${ownAddr}`).body as JsonObject;
    const edge = make(EDGE, { hostports: [String(addr)], backend: { backend_id: ownPool } });
    direct.sent.length = 0;
    const planFor = (found: Snapshot): Plan =>
      buildPlan({ manifest: only, snapshot: found, service: 'http://service.test', options: planOptions() });
    const { ended, writes } = await resolve({ [ownPool]: POOL, [ownAddr]: ADDR }, { planFor }, only);
    expect(writes).toEqual([`PATCH ${edge}`, `DELETE ${ownPool}`]);
    expect(ended.map(({ id, isGone }) => [id, isGone])).toContainEqual([ownAddr, false]);
  });

  test('keeps it when it cannot be changed', async () => {
    make(POOL);
    const ours = make(POOL);
    make(EDGE, { backend: { backend_id: ours } });
    const carryOut = () => Promise.resolve([resultOf('s1', { status: 'failed', error: 'no way', address: EDGE })]);
    const { ended, taken, writes } = await resolve({ [ours]: POOL }, { carryOut });
    expect([writes, taken, ended[0]?.isGone]).toEqual([[], [], false]);
    expect(ended[0]?.diagnostic.message).toMatch(/no way/);
  });

  test('keeps it when a safety rule forbids the change', async () => {
    make(POOL);
    const ours = make(POOL);
    make(EDGE, { backend: { backend_id: ours } });
    const snapshot = await snapshotOf(direct);
    const options = planOptions();
    const planFor = (found: Snapshot, wanted: Manifest): Plan => ({
      ...buildPlan({ manifest: wanted, snapshot: found, service: 'http://service.test', options }),
      refusals: [{ rule: 'delete-budget', message: 'forbidden', addresses: [EDGE], flag: null }],
    });
    const { ended, writes } = await resolve({ [ours]: POOL }, { planFor, snapshot });
    expect([writes, ended[0]?.isGone, ended[0]?.diagnostic.message]).toEqual([
      [],
      false,
      expect.stringMatching(/forbidden/),
    ]);
  });

  test('keeps it when it is nobody’s, and says how to choose', async () => {
    make(POOL);
    const ours = make(POOL);
    make('/edges/tls', { backend: { backend_id: ours } });
    const { ended, writes } = await resolve({ [ours]: POOL });
    expect([writes, ended[0]?.isGone]).toEqual([[], false]);
    expect(ended[0]?.diagnostic.fix).toMatch(/lifecycle/);
  });
});

test('the last object of an address never goes: the other one is looked at once more', async () => {
  const theirs = make(POOL);
  const ours = make(POOL);
  const snapshot = await snapshotOf(direct);
  direct.ask('DELETE', `/backends/failover/${theirs}`);
  const duplicates = findDuplicates({ ownershipScope: manifest, snapshot, history: historyOf({ [ours]: POOL }) });
  const { ended, writes } = await resolve({ [ours]: POOL }, { snapshot, duplicates });
  expect([writes, ended[0]?.isGone]).toEqual([[], false]);
});

test('an object that is pinned by its id stays', async () => {
  make(POOL);
  const ours = make(POOL);
  const pinned = load(`version: 1\nstack: shop\nfailover_backends: { pool: { lifecycle: { id: ${ours} } } }\n`);
  const snapshot = await snapshotOf(direct);
  const duplicates = findDuplicates({ ownershipScope: manifest, snapshot, history: historyOf({ [ours]: POOL }) });
  const { writes } = await resolve({ [ours]: POOL }, { duplicates }, pinned);
  expect(writes.filter((one) => one.startsWith('DELETE'))).toEqual([]);
});

describe('what lives inside goes with its parent', () => {
  const site = 'https_edges.site';
  const route = { match_type: 'path_prefix', match: '/', compression: {} };
  const sites = load({ version: 1, stack: 'shop', https_edges: { site: { routes: { all: route } } } });

  test.each([
    {
      name: 'and is made anew in the one that stays, if that is of this run, too',
      isOwn: true,
      methods: ['POST', 'DELETE'],
    },
    { name: 'and nothing is made in that of another run', isOwn: false, methods: ['DELETE'] },
  ])('$name', async ({ isOwn, methods }) => {
    const stays = make(site);
    const ours = make(site);
    const inside = make(`${site}.routes.all`, route, `/edges/https/${ours}/routes`);
    const created = { [ours]: site, [inside]: `${site}.routes.all`, ...(isOwn && { [stays]: site }) };
    const { ended, writes } = await resolve(created, {}, sites);
    expect(writes.map((one) => one.split(' ')[0])).toEqual(methods);
    const made = direct.store.all().filter(({ parentId }) => parentId === stays);
    expect(made).toHaveLength(isOwn ? 1 : 0);
    expect([...(ended[0]?.children ?? [])]).toEqual([[inside, made[0]?.id]]);
  });
});

describe('a manifest that asks for more than the other run did', () => {
  const OTHER = load(`version: 1
stack: shop
failover_backends: { pool: {} }
tls_edges:
  a: { hostports: ["b.example.com:443"], backend: { backend_id: "\${${POOL}.id}" } }
  b: { hostports: ["c.example.com:443"], description: new, backend: { backend_id: "\${${POOL}.id}" } }
`);
  const MORE = { tls_termination: { terminate_at: 'edge', min_version: '1.2' } };

  test('changes nothing of the object that stays', async () => {
    const pool = make(POOL);
    const edge = make(EDGE, { hostports: ['a.example.com:443'], backend: { backend_id: pool }, ...MORE });
    const before = structuredClone(direct.store.get(edge)?.spec);
    const ours = make(POOL);
    const copy = make(EDGE, { hostports: ['b.example.com:443'], backend: { backend_id: ours } });
    const { ended, writes } = await resolve({ [ours]: POOL, [copy]: EDGE }, {}, OTHER);
    expect(writes).toEqual([`DELETE ${copy}`, `DELETE ${ours}`]);
    expect(ended.map(({ isGone }) => isGone)).toEqual([true, true]);
    expect(direct.store.get(edge)?.spec).toEqual(before);
  });

  test('changes only the reference of what refers to the duplicate', async () => {
    const pool = make(POOL);
    const ours = make(POOL);
    const edge = make('tls_edges.b', { hostports: ['d.example.com:443'], backend: { backend_id: ours }, ...MORE });
    const { metadata, ...before } = { ...direct.store.get(edge)?.spec };
    const { ended, writes } = await resolve({ [ours]: POOL }, {}, OTHER);
    expect([writes, ended[0]?.isGone]).toEqual([[`PATCH ${edge}`, `DELETE ${ours}`], true]);
    expect(direct.sent[0]?.body).toEqual({ backend: { backend_id: pool } });
    expect(direct.store.get(edge)?.spec).toEqual({ ...before, metadata, backend: { backend_id: pool } });
  });

  test('deletes what nothing refers to, when something else cannot be re-pointed', async () => {
    make(POOL);
    make(EDGE, { hostports: ['a.example.com:443'] });
    const ours = make(POOL);
    const copy = make(EDGE, { hostports: ['b.example.com:443'] });
    make('tls_edges.b', { backend: { backend_id: ours } });
    const carryOut = () =>
      Promise.resolve([resultOf('s1', { status: 'failed', error: 'no way', address: 'tls_edges.b' })]);
    const { writes } = await resolve({ [ours]: POOL, [copy]: EDGE }, { carryOut }, OTHER);
    expect(writes).toEqual([`DELETE ${copy}`]);
  });

  test('deletes nothing that a duplicate refers to which stays', async () => {
    make(POOL);
    make(EDGE);
    const ours = make(POOL);
    const copy = make(EDGE, { backend: { backend_id: ours } });
    const pinned = load(
      `version: 1\nstack: shop\nfailover_backends: { pool: {} }\ntls_edges: { a: { lifecycle: { id: ${copy} } } }\n`,
    );
    expect((await resolve({ [ours]: POOL, [copy]: EDGE }, {}, pinned)).writes).toEqual([]);
  });
});
