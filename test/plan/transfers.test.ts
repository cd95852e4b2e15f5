// Objects that `moved` brings from another stack: one write of the marker each, and nothing is deleted, created or taken by mistake.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { rules } from '../support/planning.ts';
import { startWorld, type World } from '../support/world.ts';

const stack = (name: string, content: JsonObject): JsonObject => ({ version: 1, stack: name, ...content });
const ROUTE = { match_type: 'path_prefix', match: '/api', compression: { enabled: true } };
const SITE = { hostports: ['shop.example.com:443'] };
const CONTENT = {
  reserved_addrs: { db: { region: 'eu' } },
  failover_backends: { app: { backends: ['bkdhr_2abc', 'bkdhr_2def'] } },
  tls_edges: {
    db: { hostports: ['${reserved_addrs.db.addr}'], backend: { backend_id: '${failover_backends.app.id}' } },
  },
  https_edges: { site: { ...SITE, routes: { api: ROUTE } } },
} satisfies JsonObject;
const WHOLE = { moved: [{ from: { stack: 'acme' } }] };
const one = (from: string, to = from) => ({ moved: [{ from: { stack: 'acme', address: from }, to }] });

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const steps = (plan: Plan) =>
  plan.steps.map(
    ({ action, address, from_stack: from }) => `${action} ${address}${from === undefined ? '' : ` from ${from}`}`,
  );
const codes = (plan: Plan) => plan.diagnostics.map(({ code }) => code);
const owners = (list: string) =>
  world.emulator.objects(list).map(({ metadata }) => {
    const { marker } = readMarker(String(metadata));
    return `${marker?.stack ?? ''}:${marker?.address ?? ''}${marker?.protect === true ? ' protected' : ''}`;
  });
const plan = (content: JsonObject, options?: Partial<PlanOptions>) => world.plan(stack('shop', content), options);

/** Somebody else changes an object. */
async function change(path: string, fields: JsonObject): Promise<void> {
  const authorization = `Bearer ${world.emulator.apiKey}`;
  const headers = { authorization, 'service-version': '2', 'content-type': 'application/json' };
  const response = await fetch(world.emulator.url + path, { method: 'PATCH', headers, body: JSON.stringify(fields) });
  expect(response.status).toBe(200);
}

async function applied(content: JsonObject, name = 'shop'): Promise<Plan> {
  const { plan: made, results } = await world.apply(stack(name, content));
  expect([made.refusals, codes(made), made.blocked]).toEqual([[], [], []]);
  expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(steps(await world.plan(stack(name, content)))).toEqual([]);
  return made;
}

test('edges of a stack that was renamed change places: they are taken over first, and then one is detached', async () => {
  const edges = (x: string, y: string) => ({ tls_edges: { x: { hostports: [x] }, y: { hostports: [y] } } });
  await applied(edges('a.test:443', 'b.test:443'), 'acme');
  world.writes();
  const made = await applied({ ...edges('b.test:443', 'a.test:443'), ...WHOLE });
  expect(steps(made)).toEqual([
    'adopt tls_edges.x from acme',
    'update tls_edges.x',
    'adopt tls_edges.y from acme',
    'update tls_edges.x',
  ]);
  expect(made.steps.map(({ phase, changes }) => [phase, changes.map(({ path }) => path)])).toEqual([
    [undefined, []],
    ['detach', ['hostports']],
    [undefined, ['hostports']],
    [undefined, ['hostports']],
  ]);
  expect(world.writes().map(({ body }) => Object.keys(body ?? {}).sort())).toEqual([
    ['metadata'],
    ['hostports', 'metadata'],
    ['hostports', 'metadata'],
    ['hostports', 'metadata'],
  ]);
});

describe('a stack that was renamed', () => {
  beforeEach(async () => {
    await applied(CONTENT, 'acme');
    world.writes();
  });

  test('moves everything with one write of the marker each, and without any other change', async () => {
    const made = await applied({ ...CONTENT, ...WHOLE });
    expect(steps(made)).toEqual([
      'adopt failover_backends.app from acme',
      'adopt https_edges.site from acme',
      'adopt https_edges.site.routes.api from acme',
      'adopt reserved_addrs.db from acme',
      'adopt tls_edges.db from acme',
    ]);
    expect(made.steps.map(({ changes }) => changes)).toEqual([[], [], [], [], []]);
    expect(made.steps[0]?.reason.text).toBe('moved from stack acme to stack shop');
    const writes = world.writes();
    expect(writes.map(({ method }) => method)).toEqual(['PATCH', 'PATCH', 'PATCH', 'PATCH', 'PATCH']);
    expect(owners('tls_edges')).toEqual(['shop:tls_edges.db']);
  });

  test('leaves nothing to do in the old stack, which sees no deletion', async () => {
    await applied({ ...CONTENT, ...WHOLE });
    expect(steps(await world.plan(stack('acme', {})))).toEqual([]);
  });

  test('the entry is silent for ever', async () => {
    await applied({ ...CONTENT, ...WHOLE });
    const { failover_backends: _, tls_edges: _edges, ...rest } = CONTENT;
    const more = { ...rest, ...WHOLE, agent_ingresses: { new: { domain: 'in.example.com' } } };
    expect(codes(await plan(more))).toEqual([]);
  });
});

describe('a later stack of the old name', () => {
  const edge = (host: string) => ({ tls_edges: { main: { hostports: [`${host}.example.com:443`] } } });

  test('keeps its objects at addresses that this stack has, for ever', async () => {
    await applied(edge('a'), 'acme');
    const content = { ...edge('a'), ...WHOLE };
    await applied(content);
    await world.apply(stack('acme', edge('b')));
    const made = await plan(content);
    expect([steps(made), codes(made), rules(made)]).toEqual([[], [], []]);
    // It is the other stack's, and can be imported like any other.
    const imports = { theirs: { stack: 'acme', address: 'tls_edges.main' } };
    const importing = await plan({ ...content, imports, outputs: { theirs: '${imports.theirs.id}' } });
    expect([steps(importing), codes(importing), rules(importing)]).toEqual([[], [], []]);
    const renamed = {
      tls_edges: { first: edge('a').tls_edges.main },
      moved: [...WHOLE.moved, { from: 'tls_edges.main', to: 'tls_edges.first' }],
    };
    expect(steps(await plan(renamed))).toEqual(['update tls_edges.first']);
    expect(owners('tls_edges').sort()).toEqual(['acme:tls_edges.main', 'shop:tls_edges.main']);
  });

  test('loses to the entry what this stack wants and does not have yet, which the plan shows', async () => {
    await applied(edge('a'), 'acme');
    await applied({ ...edge('a'), ...WHOLE });
    const content = { tls_edges: { more: {} } };
    await applied(content, 'acme');
    const made = await plan({ tls_edges: { ...edge('a').tls_edges, ...content.tls_edges }, ...WHOLE });
    expect(steps(made)).toEqual(['adopt tls_edges.more from acme']);
  });
});

describe('one object', () => {
  beforeEach(async () => {
    await applied(CONTENT, 'acme');
    world.writes();
  });

  test('gets its new address and other changes in one step', async () => {
    const content = { https_edges: { shop: { ...SITE, description: 'ours now', routes: { api: ROUTE } } } };
    const again = await applied({ ...content, ...one('https_edges.site', 'https_edges.shop') });
    expect(steps(again)).toEqual(['adopt https_edges.shop from acme', 'adopt https_edges.shop.routes.api from acme']);
    expect(again.steps[0]?.reason.text).toBe('moved from https_edges.site of stack acme to stack shop');
    expect(again.steps[0]?.changes.map(({ path, cause }) => `${path} ${cause}`)).toEqual(['description config']);
    expect(again.steps[1]?.depends_on).toEqual(['s1']);
  });

  test('a child without a block stays with its stack, which is said', async () => {
    const made = await plan({ https_edges: { site: SITE }, ...one('https_edges.site') });
    expect([steps(made), codes(made)]).toEqual([['adopt https_edges.site from acme'], ['child-left-behind']]);
    // Nothing is left behind by what the targets leave out.
    const content = { https_edges: { site: SITE }, reserved_addrs: { db: {} }, ...one('https_edges.site') };
    expect(codes(await plan(content, { targets: ['reserved_addrs.db'] }))).toEqual([]);
  });

  test('keeps the cause of each difference: what changed outside is drift, and what the manifest changes is not', async () => {
    await applied(
      { ...CONTENT, agent_ingresses: { in: { domain: 'in.example.com', description: 'as applied' } } },
      'acme',
    );
    const [{ id = '' } = {}] = world.emulator.objects('ingresses');
    await change(`/agent_ingresses/${String(id)}`, { description: 'by hand' });
    const moved = one('agent_ingresses.in');
    const block = (description: string) => ({ agent_ingresses: { in: { domain: 'in.example.com', description } } });
    const causes = async (description: string) =>
      (await plan({ ...block(description), ...moved })).steps.flatMap(({ changes }) =>
        changes.map(({ cause }) => cause),
      );
    expect([await causes('as applied'), await causes('new')]).toEqual([['drift'], ['both']]);
  });

  test('is not replaced on the way', async () => {
    const made = await plan({ reserved_addrs: { db: { region: 'us' } }, ...one('reserved_addrs.db') });
    expect(rules(made)).toContain('move-replaces');
  });

  test('stays with its stack where the new address has an object already: the entry is done', async () => {
    await world.apply(stack('shop', { failover_backends: CONTENT.failover_backends }));
    const made = await plan({ failover_backends: CONTENT.failover_backends, ...one('failover_backends.app') });
    expect([steps(made), codes(made), rules(made)]).toEqual([[], [], []]);
    expect(made.unmanaged.map(({ owner }) => owner)).toContain('acme: failover_backends.app');
  });

  test('is not taken by its id alone', async () => {
    const [{ id = '' } = {}] = world.emulator.objects('backends');
    const block = { ...CONTENT.failover_backends.app, lifecycle: { adopt: String(id) } };
    const made = await plan({ failover_backends: { app: block } });
    expect(rules(made)).toEqual(['foreign-object']);
    expect(made.refusals[0]?.fix).toContain(
      'add `moved: [{ from: { stack: acme, address: failover_backends.app }, to: failover_backends.app }]`',
    );
    const allowed = await plan({ failover_backends: { app: block }, ...one('failover_backends.app') });
    expect([rules(allowed), steps(allowed)]).toEqual([[], ['adopt failover_backends.app from acme']]);
    const elsewhere = { failover_backends: { app: CONTENT.failover_backends.app, other: block } };
    expect(rules(await plan({ ...elsewhere, ...one('failover_backends.app') }))).toContain('foreign-object');
  });

  test('is not destroyed by a stack that has not taken it yet', async () => {
    const made = await plan({ ...CONTENT, ...WHOLE }, { destroy: true });
    expect(steps(made)).toEqual([]);
  });
});

describe('protection', () => {
  const edges = (lifecycle?: JsonObject) => ({ tls_edges: { web: { ...(lifecycle && { lifecycle }) } } });
  beforeEach(async () => {
    await applied(edges({ prevent_destroy: true }), 'acme');
  });

  test.each([
    ['stays with the block that has it', { prevent_destroy: true }, [], 'shop:tls_edges.web protected'],
    ['ends when the block says so', { prevent_destroy: false }, [], 'shop:tls_edges.web'],
    ['is never lost in silence', undefined, ['move-protection'], 'acme:tls_edges.web protected'],
  ] as const)('%s', async (_, lifecycle, refused, owner) => {
    const content = stack('shop', { ...edges(lifecycle), ...WHOLE });
    expect(rules(await world.plan(content))).toEqual(refused);
    if (refused.length === 0) await world.apply(content);
    expect(owners('tls_edges')).toEqual([owner]);
  });
});

test('an object of the other stack with an unreadable marker is an error while something is missing', async () => {
  await applied({ tls_edges: { web: {} } }, 'acme');
  const [{ id = '' } = {}] = world.emulator.objects('tls_edges');
  await change(`/edges/tls/${String(id)}`, { metadata: '{"edgeform":{"stack":"acme"' });
  const made = await plan({ tls_edges: { web: {} }, ...WHOLE });
  expect(made.diagnostics.map(({ code, severity }) => `${severity} ${code}`)).toContain('error broken-marker');
});
