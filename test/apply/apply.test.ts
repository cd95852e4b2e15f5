// The applier at the HTTP border: a failure at each request, dependents, order, concurrency, and exactly the plan's requests.

import { APPLY_DEFAULTS } from '../support/applying.ts';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { ApiWrite, WriteClient } from '../../src/service/transport.ts';
import { requestType } from '../../src/service/outcomes.ts';
import { ApiError } from '../../src/service/transport.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { load } from '../support/world.ts';

const MANIFEST = {
  version: 1,
  stack: 'shop',
  failover_backends: { a: { backends: ['bkdhr_1'] }, b: { backends: ['${failover_backends.a.id}'] } },
  reserved_addrs: { db: { endpoint_configuration_id: 'ec_1' }, other: {} },
  tls_edges: { db: { hostports: ['${reserved_addrs.db.addr}'], backend: { backend_id: '${failover_backends.b.id}' } } },
  https_edges: { site: { routes: { r: { match_type: 'exact_path', match: '/', compression: {} } } } },
};

const plan: Plan = buildPlan({
  manifest: load(MANIFEST),
  snapshot: { resources: [], unread: [], requests: 0 },
  service: 'http://127.0.0.1/',
  options: { destroy: false, allowDeletes: undefined, allowLoss: [], targets: [], capabilities: new Set(CAPABILITIES) },
});

interface Fake {
  readonly client: WriteClient;
  readonly sent: ApiWrite[];
  readonly mostAtOnce: () => number;
}

/** Answers as the service would; the n-th write (from 0) fails as told. */
function fake(failAt = -1, known: 'refused' | 'lost' = 'refused'): Fake {
  const sent: ApiWrite[] = [];
  let running = 0;
  let most = 0;
  const write = async (request: ApiWrite): Promise<Json> => {
    await request.check?.({
      list: () => Promise.resolve({ items: [], requests: 1, shifted: false }),
      get: (path) => Promise.resolve({ id: path.split('/').at(-1) ?? '' }),
    });
    const number = sent.push(request) - 1;
    most = Math.max(most, ++running);
    await new Promise((next) => setImmediate(next));
    running -= 1;
    if (number === failAt)
      throw new ApiError({ code: 'api-refused', message: 'no', known, type: requestType(request.method) });
    if (request.method === 'DELETE') return null;
    if (request.method === 'PATCH') return { id: request.path.split('/').at(-1) ?? '' };
    const kind = kinds.find((one) =>
      new RegExp(`^${one.operations.create?.path.replace('{parent_id}', '[^/]+') ?? '-'}$`).test(request.path),
    );
    return { id: `${kind?.idPrefix ?? ''}${number}`, addr: `host:${number}` } satisfies JsonObject;
  };
  const reader = {
    list: () =>
      Promise.reject(new ApiError({ code: 'api-unreachable', message: 'no reads', known: 'lost', type: 'read' })),
    get: () =>
      Promise.reject(new ApiError({ code: 'api-unreachable', message: 'no reads', known: 'lost', type: 'read' })),
  };
  return { client: { ...reader, write, backOff: () => Promise.resolve(undefined) }, sent, mostAtOnce: () => most };
}

const run = (one: Fake, concurrency = 8, signal?: AbortSignal) =>
  applyPlan({
    plan,
    client: one.client,
    secrets: () => undefined,
    known: new Map(),
    ...APPLY_DEFAULTS,
    concurrency,
    ...(signal && { signal }),
  });

const requests = plan.steps.flatMap((step) => step.requests);

test('every step is done, and exactly the requests of the plan are sent', async () => {
  const one = fake();
  const results = await run(one);
  expect(results.map((result) => [result.id, result.status])).toEqual(plan.steps.map((step) => [step.id, 'done']));
  expect(one.sent).toHaveLength(requests.length);
  const bare = (path: string) => path.replace(/\$\{[^}]+\}|[a-z]+_\d+/g, 'ID');
  expect(one.sent.map((r) => `${r.method} ${bare(r.path)}`).sort()).toEqual(
    requests.map((r) => `${r.method} ${bare(r.path)}`).sort(),
  );
  expect(JSON.stringify(one.sent)).not.toContain('${');
});

test.each([1, 2, 3, 8])(
  'with concurrency %i no more requests are under way, and the result is the same',
  async (concurrency) => {
    const one = fake();
    expect((await run(one, concurrency)).every((result) => result.status === 'done')).toBe(true);
    expect(one.mostAtOnce()).toBeLessThanOrEqual(concurrency);
  },
);

describe.each(['refused', 'lost'] as const)('a request that ends %s', (known) => {
  test.each(requests.map((_, index) => index))(
    'at position %i blocks what waits for it and nothing else',
    async (position) => {
      const one = fake(position, known);
      const results = await run(one, 1);
      expect(results).toHaveLength(plan.steps.length);
      const byId = new Map(results.map((result) => [result.id, result]));
      const broken = results.filter((result) => result.status === (known === 'refused' ? 'failed' : 'unknown'));
      expect(broken).toHaveLength(1);
      const waits = (id: string): boolean =>
        (plan.steps.find((step) => step.id === id)?.depends_on ?? []).some(
          (dep) => dep === broken[0]?.id || waits(dep),
        );
      for (const step of plan.steps) {
        if (step.id === broken[0]?.id) continue;
        expect(byId.get(step.id)?.status, step.address).toBe(waits(step.id) ? 'blocked' : 'done');
      }
    },
  );
});

test('a step that ended tells how long it took by the clock of the run', async () => {
  let time = 0;
  const { client } = fake();
  const times = new Map<string, number>();
  await applyPlan({
    plan,
    client: {
      ...client,
      write: (request) => {
        time += 1_500;
        return client.write(request);
      },
    },
    secrets: () => undefined,
    known: new Map(),
    ...APPLY_DEFAULTS,
    clock: { now: () => time, sleep: () => Promise.resolve() },
    concurrency: 1,
    onEvent: (event) => {
      if (event.type === 'step-ended') times.set(event.step.id, event.ms);
    },
  });
  expect(times).toEqual(new Map(plan.steps.map((step) => [step.id, 1_500 * step.requests.length])));
});

test('a step starts only after all it waits for', async () => {
  const ended: string[] = [];
  await applyPlan({
    plan,
    client: fake().client,
    secrets: () => undefined,
    known: new Map(),
    ...APPLY_DEFAULTS,
    concurrency: 8,
    onEvent: (event) => {
      if (event.type === 'step-started') for (const id of event.step.depends_on) expect(ended).toContain(id);
      if (event.type === 'step-ended') ended.push(event.step.id);
    },
  });
  expect(ended).toHaveLength(plan.steps.length);
});

test('once stopped, nothing new starts and every step is accounted for', async () => {
  const controller = new AbortController();
  controller.abort();
  const one = fake();
  const results = await run(one, 8, controller.signal);
  expect(results.map((result) => result.status)).toEqual(plan.steps.map(() => 'not_attempted'));
  expect(one.sent).toEqual([]);
});

test('an answer about another object is unknown, not done', async () => {
  const one = fake();
  const write = one.client.write;
  const client: WriteClient = {
    ...one.client,
    write: async (request) => (request.method === 'PATCH' ? { id: 'ra_other' } : write(request)),
  };
  const results = await run({ ...one, client });
  expect(results.filter((result) => result.status === 'unknown').map((result) => result.address)).toEqual([
    'reserved_addrs.db',
  ]);
});

test.each([
  { has: 'left', isOut: [true], expected: 'unknown' },
  { has: 'been answered 429, and waits', isOut: [true, false], expected: 'not_attempted' },
  { has: 'not left', isOut: [], expected: 'not_attempted' },
])('of a run that is given up, a request that has $has ends its step as $expected', async ({ isOut, expected }) => {
  const [stop, hard] = [new AbortController(), new AbortController()];
  const write: WriteClient['write'] = async ({ onSend }) => {
    for (const one of isOut) onSend?.(one);
    stop.abort();
    hard.abort();
    await new Promise((next) => setImmediate(next));
    throw new ApiError({ code: 'interrupted', message: 'stopped', known: 'unsent', type: 'creation' });
  };
  const shared = { plan, secrets: () => undefined, known: new Map<string, JsonObject>(), ...APPLY_DEFAULTS };
  const client = { ...fake().client, write };
  const results = await applyPlan({ ...shared, client, concurrency: 1, signal: stop.signal, hardCancel: hard.signal });
  expect(results.filter(({ error }) => !error?.startsWith('not started')).map(({ status }) => status)).toEqual([
    expected,
  ]);
});
