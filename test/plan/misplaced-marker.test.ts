// Markers that people copied to where they do not belong: nothing is written there, and it is said.

import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
afterEach(() => world.close());

const by = (address: string) => ({
  metadata: JSON.stringify({ edgeform: { v: 1, stack: 'shop', address, applied: {} } }),
});
const route = (id: string, more: JsonObject) => ({ id, match_type: 'exact_path', match: `/${id}`, ...more });
const stack = (content: JsonObject): Json => ({ version: 1, stack: 'shop', ...content });
const steps = (plan: Plan) => plan.steps.map((step) => `${step.action} ${step.address}`);
const told = (plan: Plan) => plan.diagnostics.map(({ code, severity }) => `${severity} ${code}`);
const seen = (list: string) => JSON.stringify(world.emulator.objects(list));

const EDGES = {
  tls_edges: { a: { description: 'ours' } },
  https_edges: { site: { routes: { api: { match_type: 'exact_path', match: '/api' } } } },
};

/** Objects with a copied marker, by the list and the words that name them. */
const COPIES: readonly (readonly [string, JsonObject, string])[] = [
  ['another kind', { keys: [{ id: 'ak_1', ...by('tls_edges.a') }] }, 'ak_1'],
  ['another kind, no longer in the manifest', { keys: [{ id: 'ak_1', ...by('tls_edges.gone') }] }, 'ak_1'],
  ['another kind, for what is inside', { keys: [{ id: 'ak_1', ...by('https_edges.site.routes.api') }] }, 'ak_1'],
  [
    'a route of an edge that nobody owns',
    { https_edges: [{ id: 'edghts_1', routes: [route('edghtsrt_1', by('https_edges.site.routes.api'))] }] },
    'edghtsrt_1',
  ],
];

describe.each(COPIES)('copied to %s', (_, seed, id) => {
  test('it is told and left alone by apply and destroy', async () => {
    world = await startWorld({ seed });
    const [list = ''] = Object.keys(seed);
    const before = seen(list);
    const first = await world.apply(stack(EDGES));
    expect(told(first.plan)).toEqual(['warning misplaced-marker']);
    expect(first.plan.diagnostics[0]?.message).toContain(id);
    expect(steps(first.plan).sort()).toEqual([
      'create https_edges.site',
      'create https_edges.site.routes.api',
      'create tls_edges.a',
    ]);
    expect(first.plan.unmanaged.map((one) => [one.id, one.owner])).toContainEqual([id, null]);
    const again = await world.plan(stack(EDGES));
    expect([steps(again), again.refusals]).toEqual([[], []]);
    await world.apply(stack({}), { destroy: true });
    expect(seen(list)).toBe(before);
  });
});

test('copied to a route of another edge of ours: the edge cannot be deleted with it', async () => {
  world = await startWorld({
    seed: {
      https_edges: [
        { id: 'edghts_1', ...by('https_edges.one'), routes: [route('edghtsrt_1', by('https_edges.two.routes.r'))] },
      ],
    },
  });
  const plan = await world.plan(stack({ https_edges: { one: {} } }));
  expect([steps(plan), told(plan)]).toEqual([[], ['warning misplaced-marker', 'warning foreign-child']]);
  const gone = await world.plan(stack({}), { destroy: true });
  expect(gone.refusals.map((one) => one.rule)).toEqual(['foreign-object']);
});

test('a value that such an object holds is refused with the line that takes it over, and that line adopts it', async () => {
  const hostports = ['h.example.com:443'];
  world = await startWorld({ seed: { tls_edges: [{ id: 'edgtls_1', hostports, ...by('https_edges.a') }] } });
  const wanted = { tls_edges: { a: { hostports } } };
  const plan = await world.plan(stack(wanted));
  expect(plan.refusals.map((one) => one.rule)).toEqual(['foreign-object']);
  expect(plan.refusals[0]?.message).toMatch(/which no stack owns$/);
  expect(plan.refusals[0]?.fix).toContain('to adopt it, add `lifecycle: { adopt: edgtls_1 }`');
  const adopting = stack({ tls_edges: { a: { hostports, lifecycle: { adopt: 'edgtls_1' } } } });
  const done = await world.apply(adopting);
  expect([steps(done.plan), told(done.plan)]).toEqual([['adopt tls_edges.a'], []]);
  expect(steps(await world.plan(stack(wanted)))).toEqual([]);
});

test('a parent that lost its marker takes its routes along when it is taken over again', async () => {
  const inside = route('edghtsrt_1', by('https_edges.site.routes.api'));
  world = await startWorld({ seed: { https_edges: [{ id: 'edghts_1', routes: [inside] }] } });
  const api = { match_type: 'exact_path', match: '/edghtsrt_1' };
  const plan = await world.plan(stack({ https_edges: { site: { routes: { api } } } }));
  expect(told(plan)).toEqual(['warning misplaced-marker']);
  const done = await world.apply(
    stack({ https_edges: { site: { routes: { api }, lifecycle: { adopt: 'edghts_1' } } } }),
  );
  expect([steps(done.plan), told(done.plan)]).toEqual([['adopt https_edges.site'], []]);
  expect(steps(await world.plan(stack({ https_edges: { site: { routes: { api } } } })))).toEqual([]);
});

test('a release goes from the inside out, so that it can be finished when it was cut short', async () => {
  world = await startWorld();
  await world.apply(stack(EDGES));
  const plan = await world.plan(
    stack({ tls_edges: EDGES.tls_edges, removed: [{ from: 'https_edges.site', destroy: false }] }),
  );
  expect(steps(plan)).toEqual(['release https_edges.site.routes.api', 'release https_edges.site']);
  expect(plan.steps[1]?.depends_on).toEqual([plan.steps[0]?.id]);
});

test.each([
  ['deleted', {}],
  ['deleted with the whole stack', { destroy: true }],
])(
  'a route is not released out of an edge that is %s, and the plan says so before its first write',
  async (_, options) => {
    world = await startWorld();
    await world.apply(stack(EDGES));
    const removed = (...addresses: string[]) => addresses.map((from) => ({ from, destroy: false }));
    const route = 'https_edges.site.routes.api';
    const plan = await world.plan(stack({ tls_edges: EDGES.tls_edges, removed: removed(route) }), options);
    expect(plan.refusals.map((one) => [one.rule, one.addresses])).toEqual([
      ['release-inside', ['https_edges.site', route]],
    ]);
    expect(plan.refusals[0]?.fix).toContain('`removed: [{ from: https_edges.site, destroy: false }]`');
    expect(told(plan)).toEqual([]);
    const ways = [
      stack({ tls_edges: EDGES.tls_edges, removed: removed('https_edges.site') }),
      stack({ tls_edges: EDGES.tls_edges, https_edges: { site: {} }, removed: removed(route) }),
    ];
    for (const way of ways) {
      const { refusals, diagnostics } = await world.plan(way);
      expect([refusals, diagnostics]).toEqual([[], []]);
    }
  },
);

test('what a renamed parent no longer has goes before the rename, while its marker still fits', async () => {
  world = await startWorld();
  await world.apply(stack(EDGES));
  const id = String(world.emulator.objects('https_edges')[0]?.['id']);
  const { site } = EDGES.https_edges;
  const renamed = stack({ ...EDGES, https_edges: { other: { ...site, lifecycle: { id } } } });
  const { plan, results } = await world.apply(renamed);
  expect(steps(plan)).toEqual([
    'delete https_edges.site.routes.api',
    'update https_edges.other',
    'create https_edges.other.routes.api',
  ]);
  expect(plan.steps[1]?.depends_on).toEqual([plan.steps[0]?.id]);
  expect(results.map((result) => result.status)).toEqual(['done', 'done', 'done']);
  expect(steps(await world.plan(renamed))).toEqual([]);
});
