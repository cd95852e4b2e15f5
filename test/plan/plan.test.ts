// The planner as a pure function on worlds that the emulator made: order, hand-over, causes, guards, permutations.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { renderPlanAs } from '../../src/render/formats.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';
import { plain } from '../render/sample.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const stack = (content: JsonObject): JsonObject => ({ version: 1, stack: 'shop', ...content });
const lines = (plan: Plan) =>
  plan.steps.map((step) => `${step.action}${step.phase ? ` ${step.phase}` : ''} ${step.address}`);
const done = async (content: JsonObject, options?: Parameters<World['apply']>[1]) => {
  const { plan, results } = await world.apply(stack(content), options);
  expect(results.filter((result) => result.status !== 'done')).toEqual([]);
  expect((await world.plan(stack(content), options)).steps).toEqual([]);
  return plan;
};
const idOf = (list: string, index = 0) => String(world.emulator.objects(list)[index]?.['id']);

describe('order', () => {
  test('what is referred to comes first, referrers go first', async () => {
    const full = { reserved_addrs: { z: {} }, tls_edges: { a: { hostports: ['${reserved_addrs.z.addr}'] } } };
    expect(lines(await done(full))).toEqual(['create reserved_addrs.z', 'create tls_edges.a']);
    expect(lines(await done({ tls_edges: {}, reserved_addrs: {} }, { destroy: true }))).toEqual([
      'delete tls_edges.a',
      'delete reserved_addrs.z',
    ]);
  });

  test('a hostport leaves one edge before another takes it', async () => {
    await done({ tls_edges: { z: { hostports: ['h.example.com:443', 'i.example.com:443'] } } });
    const plan = await done({
      tls_edges: { a: { hostports: ['h.example.com:443'] }, z: { hostports: ['i.example.com:443'] } },
    });
    expect(lines(plan)).toEqual(['update tls_edges.z', 'create tls_edges.a']);
  });

  test('a hostport leaves a deleted edge before another takes it', async () => {
    await done({ tls_edges: { z: { hostports: ['h.example.com:443'] } } });
    const plan = await done({ tls_edges: { a: { hostports: ['h.example.com:443'] } } });
    expect(lines(plan)).toEqual(['delete tls_edges.z', 'create tls_edges.a']);
  });

  test('a replacement makes the new object, re-points what refers to it, then deletes the old one', async () => {
    const content = (kind: string) => ({
      event_destinations: {
        d: {
          target: {
            [kind]: {
              [kind === 'kinesis' ? 'stream_arn' : 'log_group_arn']: 'arn:x',
              auth: { role: { role_arn: 'arn:r' } },
            },
          },
        },
      },
      event_subscriptions: { s: { sources: [{ type: 'a.v0' }], destination_ids: ['${event_destinations.d.id}'] } },
    });
    await done(content('kinesis'));
    expect(lines(await done(content('cloudwatch_logs')))).toEqual([
      'replace create event_destinations.d',
      'update event_subscriptions.s',
      'replace delete event_destinations.d',
    ]);
  });

  test('a replacement that keeps a unique value deletes the old object first', async () => {
    await done({ ssh_credentials: { k: { public_key: 'ssh-ed25519 AAAA' } } });
    const plan = await done({ ssh_credentials: { k: { public_key: 'ssh-ed25519 AAAA', owner_id: 'usr_other' } } });
    expect(lines(plan)).toEqual(['replace delete ssh_credentials.k', 'replace create ssh_credentials.k']);
  });

  test('a deleted edge takes its routes with it, in one step', async () => {
    await done({ https_edges: { e: { routes: { r: { match_type: 'exact_path', match: '/' } } }, keep: {} } });
    const plan = await done({ https_edges: { keep: {} } });
    expect(lines(plan)).toEqual(['delete https_edges.e']);
    expect(plan.steps[0]?.loss?.children).toEqual(['https_edges.e.routes.r']);
  });

  test('switching the sign-in module removes the old one first', async () => {
    const route = (module: JsonObject) => ({
      https_edges: { e: { routes: { r: { match_type: 'exact_path', match: '/', ...module } } } },
    });
    await done(route({ oauth: { provider: { github: {} } } }));
    const plan = await done(route({ oidc: { issuer: 'https://i', client_id: 'c', client_secret: 'sssss' } }));
    expect(plan.steps[0]?.requests.map((request) => [request.method, request.path.split('/').at(-1)])).toEqual([
      ['DELETE', 'oauth'],
      ['PATCH', expect.stringMatching(/^edghtsrt_/)],
    ]);
  });

  test('values that two edges swap: one is detached first', async () => {
    await done({ tls_edges: { a: { hostports: ['h:1'] }, b: { hostports: ['i:1'] } } });
    const plan = await done({ tls_edges: { a: { hostports: ['i:1'] }, b: { hostports: ['h:1'] } } });
    expect(lines(plan)).toEqual(['update detach tls_edges.a', 'update tls_edges.b', 'update tls_edges.a']);
  });
});

describe('causes', () => {
  test('a module is removed although the service had chosen some of its values: only the manifest changed', async () => {
    await done({ tls_edges: { a: { tls_termination: { terminate_at: 'edge' } } } });
    const plan = await world.plan(stack({ tls_edges: { a: {} } }));
    expect(plan.steps[0]?.changes).toMatchObject([{ path: 'tls_termination', cause: 'config' }]);
    expect(plan.summary.drifted).toBe(0);
  });

  test('an adopted object has no history: unknown', async () => {
    await world.apply({ version: 1, stack: 'other', tls_edges: { x: { description: 'theirs' } } });
    const id = idOf('tls_edges');
    world.emulator.mutate('tls_edges', id, { metadata: 'their own text' });
    const content = { tls_edges: { a: { description: 'ours', metadata: 'their own text', lifecycle: { adopt: id } } } };
    const plan = await world.plan(stack(content));
    expect(lines(plan)).toEqual(['adopt tls_edges.a']);
    expect(plan.steps[0]?.changes).toMatchObject([{ path: 'description', cause: 'unknown' }]);
    await done(content);
    expect(
      String(world.emulator.objects('tls_edges')[0]?.['metadata']).startsWith('their own text\nedgeform/v1 {'),
    ).toBe(true);
  });
});

describe('guards', () => {
  const many = (count: number) => ({
    reserved_addrs: Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, {}])),
  });

  test('other stacks and unmarked objects are in no request', async () => {
    await world.apply({ version: 1, stack: 'other', reserved_addrs: { x: {} } });
    const foreign = idOf('reserved_addrs');
    const plan = await world.plan(stack(many(2)));
    expect(JSON.stringify(plan.steps)).not.toContain(foreign);
    expect(plan.unmanaged).toMatchObject([{ id: foreign, owner: 'other: reserved_addrs.x' }]);
    expect((await world.plan(stack({}), { destroy: true })).steps).toEqual([]);
  });
});

describe('capabilities', () => {
  test('without module deletion a removed module is switched off, and that converges', async () => {
    await world.close();
    world = await startWorld({ disabled: ['module-delete'] });
    await done({ tls_edges: { a: { tls_termination: { terminate_at: 'edge', min_version: '1.2' } } } });
    const plan = await done({ tls_edges: { a: {} } });
    expect(plan.steps[0]?.requests.map((request) => request.method)).toEqual(['PATCH']);
    expect(plan.steps[0]?.changes[0]?.note).toContain('switched off');
  });

  test.each([{ disabled: [] }, { disabled: ['module-delete'] }] as const)(
    'an endpoint configuration cannot be detached, whatever the service can do (%o off): blocked and said',
    async ({ disabled }) => {
      await world.close();
      world = await startWorld({ disabled: [...disabled] });
      await done({ reserved_addrs: { a: { endpoint_configuration_id: 'ec_1' } } });
      const plan = await world.plan(stack({ reserved_addrs: { a: {} } }));
      expect([plan.steps, plan.blocked]).toMatchObject([
        [],
        [
          {
            address: 'reserved_addrs.a',
            path: 'endpoint_configuration_id',
            code: 'cannot-remove',
            message: 'the service has no operation that removes endpoint_configuration_id',
            fix: 'name it in the manifest, or list it in lifecycle.ignore_changes',
          },
        ],
      ]);
      const ignoring = { a: { lifecycle: { ignore_changes: ['endpoint_configuration_id'] } } };
      expect(await world.plan(stack({ reserved_addrs: ignoring }))).toMatchObject({ blocked: [] });
    },
  );
});

test('the plan is the same to the byte for any order of keys', async () => {
  await done({
    reserved_addrs: { x: { description: 'x' }, y: {} },
    tls_edges: { t: { hostports: ['a:1', 'b:1', 'c:1'] } },
  });
  const content: readonly (readonly [string, Json])[] = [
    ['reserved_addrs', { x: { description: 'y' }, new: { region: 'eu' } }],
    ['failover_backends', { f: { backends: ['bkdhr_1', 'bkdhr_2'] }, g: { backends: ['${failover_backends.f.id}'] } }],
    [
      'https_edges',
      {
        e: {
          hostports: ['d:1'],
          routes: { r: { match_type: 'exact_path', match: '/', response_headers: { remove: ['a', 'b'] } } },
        },
      },
    ],
  ];
  const expected = await world.plan(stack(Object.fromEntries(content)));
  const placeless = (plan: Plan) => ({ ...plan, steps: plan.steps.map((step) => ({ ...step, source: null })) });
  const bytes = JSON.stringify(placeless(expected));
  const comment = renderPlanAs('markdown', placeless(expected), plain);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([...content], { minLength: content.length }), async (order) => {
      const shuffled = Object.fromEntries(order.map(([key, value]) => [key, reversed(value)]));
      const plan = await world.plan(stack(shuffled));
      expect(JSON.stringify(placeless(plan))).toBe(bytes);
      expect(renderPlanAs('markdown', placeless(plan), plain)).toBe(comment);
    }),
    { numRuns: 15 },
  );
});

/** All keys, at every level, in the other order. */
function reversed(value: Json): Json {
  if (isList(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
