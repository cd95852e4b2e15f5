// Markers that cannot be read and name no stack: their objects are left alone, and nothing waits for them.

import { afterEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
afterEach(() => world.close());

const stack = (content: JsonObject): Json => ({ version: 1, stack: 'shop', ...content });
const steps = (plan: Plan) => plan.steps.map((step) => `${step.action} ${step.address}`);
const told = (plan: Plan) =>
  plan.diagnostics.map(({ code, severity, address }) => `${severity} ${code}${address === null ? '' : ` ${address}`}`);
const theirs = () => JSON.stringify(world.emulator.objects('tls_edges').find((edge) => edge['id'] === 'edgtls_x'));
const by = (address: string, more: JsonObject = {}) => ({
  metadata: JSON.stringify({ edgeform: { v: 1, stack: 'shop', address, applied: {}, ...more } }),
});
const begin = async (metadata: string, more: JsonObject = {}) => {
  world = await startWorld({ seed: { tls_edges: [{ id: 'edgtls_x', description: 'theirs', metadata }], ...more } });
};

const STRANGE: readonly string[] = [
  '{"edgeform":"managed"}',
  '{"edgeform":null}',
  '{"edgeform":{}}',
  '{"edgeform":true,"team":"a"}',
  '{"a":{"edgeform":{"v":1}}}',
  'note\nedgeform/v1 {"state":"mine"}\nmore',
  'note\nedgeform/v1 {',
];

describe.each(STRANGE)('on an object of others: %s', (metadata) => {
  test('it stops neither other kinds, nor updates and deletions, nor destroy, and is left alone', async () => {
    await begin(metadata);
    const before = theirs();
    const first = stack({
      https_edges: { b: {} },
      reserved_addrs: { r: {} },
      ssh_credentials: { k: { public_key: 'ssh-ed25519 AAAA' } },
    });
    const made = await world.apply(first);
    expect([told(made.plan), made.plan.steps.length]).toEqual([['warning broken-marker'], 3]);
    expect(made.plan.diagnostics[0]).toMatchObject({
      message: expect.stringMatching(/edgtls_x .*left alone/u) as string,
      fix: expect.stringContaining('`lifecycle: { adopt: edgtls_x }`') as string,
    });
    const second = await world.apply(stack({ https_edges: { b: { description: 'new' } }, reserved_addrs: { r: {} } }));
    expect(steps(second.plan).sort()).toEqual(['delete ssh_credentials.k', 'update https_edges.b']);
    const end = await world.apply(stack({}), { destroy: true });
    expect(end.results.map((result) => result.status)).toEqual(['done', 'done']);
    expect(theirs()).toBe(before);
  });

  test.each(['adopt', 'id'])('`lifecycle.%s` takes it over', async (key) => {
    await begin(metadata);
    const wanted = (more: JsonObject) => stack({ tls_edges: { a: { metadata: 'ours', ...more } } });
    const done = await world.apply(wanted({ lifecycle: { [key]: 'edgtls_x' } }));
    expect([steps(done.plan), told(done.plan)]).toEqual([['adopt tls_edges.a'], []]);
    expect(done.results.map((result) => result.status)).toEqual(['done']);
    const next = await world.plan(wanted({}));
    expect([steps(next), told(next)]).toEqual([[], []]);
  });
});

test.each([
  ['{"edgeform":true,"team":"a"}', '{"team":"a"}'],
  ['note\nedgeform/v1 {"state":"mine"}\nmore', 'note\nmore'],
])('what else is in the text of %j is kept', async (metadata, user) => {
  await begin(metadata);
  const done = await world.apply(
    stack({
      tls_edges: { a: { description: 'theirs', lifecycle: { adopt: 'edgtls_x', ignore_changes: ['metadata'] } } },
    }),
  );
  expect(done.results.map((result) => result.status)).toEqual(['done']);
  const next = await world.plan(stack({ tls_edges: { a: { description: 'theirs', metadata: user } } }));
  expect([next.steps.flatMap((step) => step.changes), told(next)]).toEqual([[], []]);
});

test('text that cannot be told from a marker is not kept: the plan says so before the first write', async () => {
  await begin('note\nedgeform/v1 {');
  const keeping = { lifecycle: { adopt: 'edgtls_x', ignore_changes: ['metadata'] } };
  expect(told(await world.plan(stack({ tls_edges: { a: keeping } })))).toEqual([
    'error marker-in-metadata tls_edges.a',
  ]);
});

test('what names another stack, too, is not taken over', async () => {
  await begin('{"edgeform":{"v":1,"stack":"other","stack":"shop"}}');
  const plan = await world.plan(stack({ tls_edges: { a: { lifecycle: { adopt: 'edgtls_x' } } } }));
  expect(told(plan)).toContain('error pinned-not-found tls_edges.a');
  expect(plan.diagnostics[0]?.message).toContain('names another stack');
});

test('an edge that is taken over takes its routes along', async () => {
  const api = { match_type: 'exact_path', match: '/api' };
  const route = { id: 'edghtsrt_1', ...api, ...by('https_edges.site.routes.api') };
  world = await startWorld({
    seed: { https_edges: [{ id: 'edghts_1', metadata: '{"edgeform":{}}', routes: [route] }] },
  });
  const site = (more: JsonObject) => stack({ https_edges: { site: { routes: { api }, ...more } } });
  expect(told(await world.plan(site({})))).toEqual(['warning broken-marker']);
  const done = await world.apply(site({ lifecycle: { adopt: 'edghts_1' } }));
  expect([steps(done.plan), told(done.plan)]).toEqual([['adopt https_edges.site'], []]);
  expect(steps(await world.plan(site({})))).toEqual([]);
});

test('a route of others holds back the deletion of its edge', async () => {
  const inside = { match_type: 'exact_path', match: '/x', metadata: '{"edgeform":true}' };
  const edges = [
    { id: 'edghts_1', ...by('https_edges.one'), routes: [{ id: 'edghtsrt_1', ...inside }] },
    { id: 'edghts_2', ...by('https_edges.two') },
  ];
  world = await startWorld({ seed: { https_edges: edges } });
  const gone = await world.plan(stack({}), { destroy: true });
  expect(gone.refusals.map((one) => [one.rule, one.addresses])).toEqual([['foreign-object', ['https_edges.one']]]);
  expect(gone.refusals[0]?.message).toContain('whose ownership marker cannot be read');
});

test('a value that such an object holds is refused with the line that takes it over', async () => {
  const hostports = ['h.example.com:443'];
  world = await startWorld({
    seed: {
      tls_edges: [
        { id: 'edgtls_x', hostports, metadata: '{"edgeform":1}' },
        { id: 'edgtls_b', ...by('tls_edges.b') },
      ],
    },
  });
  const plan = await world.plan(stack({ tls_edges: { a: { hostports }, b: {} } }));
  expect(plan.refusals.map((one) => one.rule)).toEqual(['foreign-object']);
  expect(plan.refusals[0]?.fix).toContain('`lifecycle: { adopt: edgtls_x }` to tls_edges.a');
});
