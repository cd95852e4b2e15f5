// Shards: which one a run is, and which stacks it takes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { readShard, shardNumber } from '../../src/fleet/select.ts';
import { applyFleet, createPlace, driftFleet, holderOf, outcomes, planFleet } from './place.ts';

const GITLAB = { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '4' };
const JOB = { JOB_COMPLETION_INDEX: '0', EDGEFORM_SHARDS: '64' };

test.each([
  ['1/1', {}, { index: 1, of: 1 }],
  ['4/4', GITLAB, { index: 4, of: 4 }],
  ['auto', GITLAB, { index: 2, of: 4 }],
  ['auto', JOB, { index: 1, of: 64 }],
  ['auto', { ...JOB, JOB_COMPLETION_INDEX: '63' }, { index: 64, of: 64 }],
  ['auto', { ...JOB, ...GITLAB }, { index: 2, of: 4 }],
])('%s is a shard', (text, env, shard) => {
  expect(readShard(text, env)).toEqual({ value: shard, diagnostics: [] });
});

test.each<readonly [string, Readonly<Record<string, string>>]>([
  ...['0/4', '5/4', '1/0', '1', '', '-1/4', '1/4 ', '1/9999999'].map((text) => [text, {}] as const),
  ['Auto', GITLAB],
  ['auto', {}],
  ['auto', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '4' }],
  ['auto', { CI_NODE_INDEX: '5', CI_NODE_TOTAL: '4' }],
  ['auto', { ...JOB, CI_NODE_INDEX: '1' }],
  ['auto', { CI_NODE_TOTAL: '1' }],
  ['auto', { ...JOB, JOB_COMPLETION_INDEX: '64' }],
  ['auto', { ...JOB, JOB_COMPLETION_INDEX: '' }],
  ['auto', { ...JOB, EDGEFORM_SHARDS: 'x' }],
])('%j is none with %j', (text, env) => {
  const { value, diagnostics } = readShard(text, env);
  expect(value).toBeUndefined();
  const message = `--shard ${JSON.stringify(text)} is not of the form INDEX/COUNT`;
  expect(diagnostics).toMatchObject([{ code: 'invalid-setting', severity: 'error', message }]);
});

const names = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/), { minLength: 1, maxLength: 40 });
const fleets = fc
  .tuple(names, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 20 }), fc.integer({ min: 1, max: 9 }))
  .map(([all, pairs, of]) => {
    const name = (at: number) => all[at % all.length] ?? '';
    return { all, of, links: pairs.map(([from, to]) => ({ from: name(from), to: name(to) })) };
  });
const shards = (all: readonly string[], links: Parameters<typeof shardNumber>[1], of: number) =>
  Array.from({ length: of }, (_, at) => {
    const shardOf = shardNumber(all, links, of);
    return all.filter((name) => shardOf(name) === at + 1);
  });

test('all shards together are the fleet, without overlap, and linked stacks are together', () => {
  fc.assert(
    fc.property(fleets, ({ all, links, of }) => {
      const parts = shards(all, links, of);
      expect(parts.flat().sort()).toEqual([...all].sort());
      for (const { from, to } of links)
        expect(parts.findIndex((part) => part.includes(from))).toBe(parts.findIndex((part) => part.includes(to)));
    }),
  );
});

test('neither the order of the file nor an entry that is linked to none moves another one', () => {
  fc.assert(
    fc.property(fleets, ({ all, links, of }) => {
      const before = shards(all, links, of);
      const after = shards(['added.first', ...[...all].reverse(), 'zz.added'], [...links].reverse(), of);
      const own = after.map((part) => part.filter((name) => !name.includes('.')).reverse());
      expect(own).toEqual(before);
    }),
  );
});

test('10,000 stacks are spread over 64 shards', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => `team-${at}`);
  const sizes = shards(all, [], 64).map((part) => part.length);
  expect(Math.max(...sizes)).toBeLessThan(230);
  expect(Math.min(...sizes)).toBeGreaterThan(100);
});

const site = (name: string, host: string, imports = '') =>
  `{ version: 1, stack: ${name}, ${imports} tls_edges: { web: { hostports: ["${host}.example.com:443"] } } }`;
const before = { a: site('a', 'moves'), b: site('b', 'b'), c: site('c', 'c') };
const OF = 4;

test('these three stacks are in three shards, as far as the text shows', () => {
  expect(shards(['a', 'b', 'c'], [], OF)).toEqual(expect.arrayContaining([['a'], ['b'], ['c']]));
});

test.each([[[1, 2, 3, 4]], [[4, 3, 2, 1]]])(
  'a value moves within one shard, and all of them are the fleet: %j',
  async (order) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const after = { ...before, a: site('a', 'other'), b: site('b', 'moves') };
    const shard = (index: number) => place.fleet(after, { shard: { index, of: OF } });
    const planned = await Promise.all(order.map((index) => planFleet(shard(index))));
    expect(planned.map(outcomes)).toEqual(
      expect.arrayContaining([{ a: 'update tls_edges.web', b: 'update tls_edges.web' }, { c: '' }, {}]),
    );
    const applied = [];
    for (const index of order) applied.push(await applyFleet(shard(index)));
    expect(new Set(applied.flatMap((results) => Object.values(outcomes(results))))).toEqual(new Set(['done']));
    expect(holderOf(place, 'moves.example.com')).toHaveLength(1);
    expect(outcomes(await planFleet(place.fleet(after)))).toEqual({ a: '', b: '', c: '' });
    const found = await Promise.all(order.map((index) => driftFleet(shard(index))));
    expect(
      found
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['a', 'b', 'c']);
  },
);

test('a stack is with the owner of what it imports by its id', async () => {
  const place = createPlace();
  await applyFleet(place.fleet({ ...before, c: '{ version: 1, stack: c, reserved_addrs: { db: {} } }' }));
  const [db] = place.direct.store.all().filter(({ kind }) => kind === 'reserved_addr');
  const a = site('a', '${imports.db.id}', `imports: { db: { kind: reserved_addr, id: ${db?.id} } },`);
  const stacks = { a, b: before.b, c: '{ version: 1, stack: c, reserved_addrs: { db: {} } }' };
  const parts = await Promise.all(
    [1, 2, 3, 4].map((index) => planFleet(place.fleet(stacks, { shard: { index, of: OF } }))),
  );
  expect(parts.map((part) => part.map(({ name }) => name))).toEqual(expect.arrayContaining([['a', 'c'], ['b'], []]));
});

test.each(['adopt', 'id'])(
  'a stack that names an object by `%s` is with the stack that releases it',
  async (setting) => {
    const place = createPlace();
    await applyFleet(place.fleet({ ...before, a: '{ version: 1, stack: a, reserved_addrs: { db: {} } }' }));
    const db = place.direct.store.all().find(({ kind }) => kind === 'reserved_addr')?.id ?? '';
    const a = '{ version: 1, stack: a, removed: [{ from: reserved_addrs.db, destroy: false }] }';
    const b = `{ version: 1, stack: b, reserved_addrs: { db: { lifecycle: { ${setting}: ${db} } } } }`;
    const parts = await Promise.all(
      [1, 2, 3, 4].map((index) => planFleet(place.fleet({ ...before, a, b }, { shard: { index, of: OF } }))),
    );
    expect(parts.map((part) => part.map(({ name }) => name))).toEqual(expect.arrayContaining([['a', 'b'], ['c'], []]));
  },
);

test('of objects that are not listed, shards know too little to join stacks', async () => {
  const place = createPlace();
  const secure = (name: string, host: string) => site(name, host).replace('tls_edges', 'https_edges');
  const capabilities = new Set(CAPABILITIES.filter((one) => one !== 'https-edge-list'));
  const stacks = { a: secure('a', 'moves'), b: secure('b', 'b') };
  await applyFleet(place.fleet(stacks, {}, { capabilities }));
  const after = { a: secure('a', 'other'), b: secure('b', 'moves') };
  const parts = await Promise.all(
    [1, 2, 3, 4].map((index) => planFleet(place.fleet(after, { shard: { index, of: OF } }, { capabilities }))),
  );
  expect(parts.map((part) => part.map(({ name }) => name)).filter((part) => part.length > 0)).toEqual([['b'], ['a']]);
});

test.each([
  [0, 4],
  [5, 4],
  [1.5, 4],
  [1, 0],
])('shard %d of %d is none for programs, either', async (index, of) => {
  await expect(planFleet(createPlace().fleet(before, { shard: { index, of } }))).rejects.toThrow(/is not of the form/);
});
