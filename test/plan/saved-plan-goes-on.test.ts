// A saved plan after any number of its requests: the rest of it is left, the other steps are done, and what others changed of either
// makes it stale.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { reviewSavedPlan } from '../../src/plan/review-saved-plan.ts';
import { applyOn, createDirect, planOn, snapshotOf, type Direct } from '../support/in-process.ts';
import { manifest, options } from './sample.ts';

const edges = (...hosts: readonly string[]) => ({
  tls_edges: Object.fromEntries(hosts.map((host, at) => [`e${at}`, { hostports: [`${host}.test:443`] }])),
});
const ignoring = (...hosts: readonly string[]) => ({
  tls_edges: Object.fromEntries(
    hosts.map((host, at) => [
      `e${at}`,
      { hostports: [`${host}.test:443`], description: 'ours', lifecycle: { ignore_changes: ['description'] } },
    ]),
  ),
});
const POOL = { failover_backends: { app: { backends: ['bkdhr_1'] } } };
const hook = (secret: string) => ({
  https_edges: {
    e: {
      routes: { r: { match_type: 'path_prefix', match: '/', webhook_verification: { provider: 'slack', secret } } },
    },
  },
});
const destination = (target: JsonObject) => ({
  event_destinations: { a: { target } },
  event_subscriptions: {
    s: { sources: [{ type: 'ip_policy_created.v0' }], destination_ids: ['${event_destinations.a.id}'] },
  },
});
const ROLE = { auth: { role: { role_arn: 'arn:aws:iam::1:role/events' } } };

/** The manifests before and after, by what the plan does. */
const CHANGES: Readonly<Record<string, readonly [before: JsonObject, after: JsonObject]>> = {
  'objects that refer to each other are created': [
    {},
    {
      ...POOL,
      tls_edges: {
        a: { backend: { backend_id: '${failover_backends.app.id}' }, description: 'to ${failover_backends.app.id}' },
      },
    },
  ],
  'one is created in two requests': [
    {},
    { reserved_addrs: { db: { region: 'eu', endpoint_configuration_id: 'ec_1' } } },
  ],
  'texts hold values of a new object, and what only looks like them': [
    {},
    {
      reserved_addrs: { db: {} },
      tls_edges: {
        a: { description: '$${reserved_addrs.db.addr} at ${reserved_addrs.db.addr}' },
        b: { description: '$$$${reserved_addrs.db.addr} is $${reserved_addrs.db.id}' },
      },
    },
  ],
  'an edge and its routes are created': [{}, hook('hush-1')],
  'a secret changes': [hook('hush-1'), hook('hush-2')],
  'a module goes, and a field changes': [
    { tls_edges: { a: { ip_restriction: { ip_policy_ids: ['ipp_1'] }, description: 'a' } } },
    { tls_edges: { a: { description: 'b' } } },
  ],
  'hostports are swapped': [edges('a', 'b'), edges('b', 'a')],
  'hostports are swapped, and descriptions ignored': [ignoring('a', 'b'), ignoring('b', 'a')],
  'three hostports go round': [edges('a', 'b', 'c'), edges('b', 'c', 'a')],
  'an object is renamed': [
    { tls_edges: { old: { description: 'a' } } },
    { tls_edges: { new: { description: 'b' } }, moved: [{ from: 'tls_edges.old', to: 'tls_edges.new' }] },
  ],
  'an object is replaced under a reference': [
    destination({ kinesis: { stream_arn: 'arn:s', ...ROLE } }),
    destination({ firehose: { delivery_stream_arn: 'arn:f', ...ROLE } }),
  ],
  'one is released': [
    { reserved_addrs: { db: {}, web: {} } },
    { reserved_addrs: { web: { description: 'new' } }, removed: [{ from: 'reserved_addrs.db', destroy: false }] },
  ],
  'objects are deleted': [
    { ...POOL, ...hook('hush-1'), tls_edges: { a: { backend: { backend_id: '${failover_backends.app.id}' } } } },
    { reserved_addrs: { db: {} } },
  ],
};

const service = 'http://service.test';
const given = options({ allowDeletes: 'all', allowLoss: ['event_destinations.a'] });

/** The plan of a change, after so many of its requests. */
async function afterRequests(name: string, count: number) {
  const [before, after] = CHANGES[name] ?? [{}, {}];
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, manifest(before)));
  const wanted = manifest(after);
  const planned = await planOn(direct, wanted);
  await applyOn(cutOff(direct, count), planned);
  return { direct, saved: planned.plan, wanted };
}

/** The service without what comes after so many writes. */
function cutOff(direct: Direct, count: number): Direct {
  let left = count;
  const { client } = direct;
  const write: typeof client.write = (request) => {
    left -= 1;
    return left >= 0 ? client.write(request) : Promise.reject(new Error('cut off'));
  };
  return { ...direct, client: { ...client, write } };
}

async function review({ direct, saved, wanted }: Awaited<ReturnType<typeof afterRequests>>) {
  const { stale, left, done } = reviewSavedPlan(saved, {
    manifest: wanted,
    snapshot: await snapshotOf(direct),
    service,
    options: given,
  });
  const requests = left.reduce((sum, step) => sum + step.requests.length, 0);
  return { stale: stale.map(({ message }) => message), left, done, requests };
}

describe.each(Object.keys(CHANGES))('%s', (name) => {
  test('after each request the rest is left, and it leads to an empty plan', async () => {
    const { saved } = await afterRequests(name, 0);
    const all = saved.steps.flatMap((step) => step.requests).length;
    for (let count = 0; count <= all; count++) {
      const state = await afterRequests(name, count);
      const found = await review(state);
      expect([found.stale, found.requests], `after ${count} requests`).toEqual([[], all - count]);
      expect([...found.left, ...found.done].map(({ id }) => id).sort()).toEqual(saved.steps.map(({ id }) => id).sort());
      const snapshot = await snapshotOf(state.direct);
      await applyOn(state.direct, { manifest: state.wanted, snapshot, plan: { ...saved, steps: found.left } });
      expect((await planOn(state.direct, state.wanted)).plan.steps, `after ${count} requests`).toEqual([]);
    }
  });
});

/** An object of the stack, by its kind, and that of them with these values. */
const idOf = (direct: Direct, kind: string, has: JsonObject = {}) =>
  direct.store
    .all()
    .find(
      (one) =>
        one.kind === kind && Object.entries(has).every(([key, value]) => String(one.spec[key]) === String(value)),
    )?.id ?? '';
const patch = (direct: Direct, path: string, body: JsonObject) => {
  expect(direct.ask('PATCH', path, body).status).toBe(200);
};

/** A text of somebody else beside the marker. */
const noteOn = (direct: Direct, kind: string, has?: JsonObject) => {
  const { id = '', spec } = direct.store.all().find((one) => one.id === idOf(direct, kind, has)) ?? {};
  const marker = JSON.parse(String(spec?.['metadata'])) as JsonObject;
  patch(direct, `${kind === 'tls_edge' ? '/edges/tls' : '/reserved_addrs'}/${id}`, {
    metadata: JSON.stringify({ user: 'theirs', ...marker }),
  });
};

describe('others', () => {
  test.each<readonly [what: string, change: string, count: number, edit: (direct: Direct) => void, says: RegExp]>([
    [
      'change what was created',
      'objects that refer to each other are created',
      1,
      (direct) => patch(direct, `/backends/failover/${idOf(direct, 'failover_backend')}`, { backends: ['bkdhr_9'] }),
      /^failover_backends\.app exists now, as .*backends/,
    ],
    [
      'change what was changed',
      'hostports are swapped',
      3,
      (direct) => patch(direct, `/edges/tls/${idOf(direct, 'tls_edge')}`, { description: 'theirs' }),
      /^tls_edges\.e\d .*description/,
    ],
    [
      'change what is half done',
      'a module goes, and a field changes',
      1,
      (direct) => patch(direct, `/edges/tls/${idOf(direct, 'tls_edge')}`, { hostports: ['theirs.test:443'] }),
      /^tls_edges\.a .*has changed since the plan was made: hostports/,
    ],
    [
      'give a detached object another value',
      'hostports are swapped',
      1,
      (direct) =>
        patch(direct, `/edges/tls/${idOf(direct, 'tls_edge', { hostports: '' })}`, { hostports: ['theirs.test:443'] }),
      /^tls_edges\.e\d .*has changed since the plan was made: hostports/,
    ],
    [
      'write a text into the metadata of a detached object',
      'hostports are swapped',
      1,
      (direct) => noteOn(direct, 'tls_edge', { hostports: '' }),
      /^tls_edges\.e\d .*has changed since the plan was made: metadata/,
    ],
    [
      'write a text into the metadata of what is created by half',
      'one is created in two requests',
      1,
      (direct) => noteOn(direct, 'reserved_addr'),
      /^reserved_addrs\.db .*has changed since the plan was made: metadata/,
    ],
    [
      'change an ignored field of a detached object',
      'hostports are swapped, and descriptions ignored',
      1,
      (direct) => patch(direct, `/edges/tls/${idOf(direct, 'tls_edge', { hostports: '' })}`, { description: 'theirs' }),
      /^tls_edges\.e\d .*has changed since the plan was made: description/,
    ],
    [
      'remove the marker of what was renamed',
      'an object is renamed',
      1,
      (direct) => patch(direct, `/edges/tls/${idOf(direct, 'tls_edge')}`, { metadata: '' }),
      /^tls_edges\.new .*metadata/,
    ],
    [
      'delete what is to be changed',
      'an object is renamed',
      0,
      (direct) => void direct.ask('DELETE', `/edges/tls/${idOf(direct, 'tls_edge')}`),
      /is gone/,
    ],
    [
      'delete what was changed',
      'an object is renamed',
      1,
      (direct) => void direct.ask('DELETE', `/edges/tls/${idOf(direct, 'tls_edge')}`),
      /is gone/,
    ],
  ])('%s: stale', async (_, change, count, edit, says) => {
    const state = await afterRequests(change, count);
    edit(state.direct);
    const { stale } = await review(state);
    expect(stale).toEqual(expect.arrayContaining([expect.stringMatching(says)]));
  });
});

test('a deletion is not done while its object is there, whoever owns it by now', async () => {
  const state = await afterRequests('objects are deleted', 0);
  const id = idOf(state.direct, 'tls_edge');
  patch(state.direct, `/edges/tls/${id}`, { metadata: '' });
  const { stale } = await review(state);
  expect(stale).toEqual([expect.stringContaining(`(${id}) still exists, but a plan made now would leave it as it is`)]);
});

test('what others put back to what the plan saw is done again', async () => {
  const state = await afterRequests('a module goes, and a field changes', 1);
  const id = idOf(state.direct, 'tls_edge');
  patch(state.direct, `/edges/tls/${id}`, { ip_restriction: { ip_policy_ids: ['ipp_1'] } });
  expect(await review(state)).toMatchObject({ stale: [], requests: 2 });
});

test('a release is done once its object is gone, whoever deleted it', async () => {
  const state = await afterRequests('one is released', 2);
  const { id = '' } = state.direct.store.all().find(({ spec }) => spec['description'] !== 'new') ?? {};
  expect(state.direct.ask('DELETE', `/reserved_addrs/${id}`).status).toBe(204);
  expect(await review(state)).toMatchObject({ stale: [], requests: 0 });
});
