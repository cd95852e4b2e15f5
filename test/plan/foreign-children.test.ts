// A child that somebody added to an object of the stack: it is drift, the plan names it, and only an exclusive parent has it
// deleted.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { findDrift } from '../../src/drift/drift.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan, type PlanInput } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { applyOn, createDirect, driftOn, planOn, snapshotOf, type Direct } from '../support/in-process.ts';
import { load } from '../support/world.ts';

const ROUTES = { api: { match_type: 'path_prefix', match: '/api' } };
const ADMIN = {
  match_type: 'path_prefix',
  match: '/admin',
  compression: {},
  oauth: { provider: { github: { client_id: 'app', client_secret: 'hush-hush-1' } } },
};

interface Variant {
  readonly routes?: JsonObject;
  readonly lifecycle?: JsonObject;
  readonly more?: JsonObject;
  readonly stack?: string;
}

function manifest({ routes = ROUTES, lifecycle = {}, more = {}, stack = 'shop' }: Variant = {}): Manifest {
  return load({ version: 1, stack, https_edges: { site: { hostports: [], routes, lifecycle } }, ...more });
}

const EXCLUSIVE = { lifecycle: { exclusive: true } };

function edgeOf(direct: Direct): string {
  return direct.store.all().find(({ kind }) => kind === 'https_edge')?.id ?? '';
}

/** Somebody adds a route; its id. */
function add(direct: Direct, body: JsonObject): string {
  const { status, body: made } = direct.ask('POST', `/edges/https/${edgeOf(direct)}/routes`, body);
  expect(status).toBe(201);
  return isObject(made) ? String(made['id']) : '';
}

async function settled(direct: Direct, wanted: Manifest): Promise<void> {
  const results = await applyOn(direct, await planOn(direct, wanted));
  expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
  expect((await planOn(direct, wanted)).plan.steps).toEqual([]);
}

async function settledService(variant?: Variant): Promise<Direct> {
  const direct = createDirect();
  await settled(direct, manifest(variant));
  return direct;
}

async function inputOf(direct: Direct, wanted: Manifest, given: Partial<PlanOptions> = {}): Promise<PlanInput> {
  const bare = { destroy: false, allowDeletes: undefined, allowLoss: [], targets: [] };
  const options: PlanOptions = { ...bare, capabilities: new Set(CAPABILITIES), ...given };
  return { manifest: wanted, snapshot: await snapshotOf(direct), service: 'http://service.test', options };
}

const matches = (direct: Direct): Json[] =>
  direct.store.all().flatMap(({ spec }) => (spec['match'] === undefined ? [] : [spec['match']]));

const marked = (stack: string, address: string) => writeMarker('', { v: 1, stack, address, applied: {} });

/** What it has, its metadata, what is said of it, and whether a block may adopt it. */
const MARKED: readonly (readonly [string, string, string, boolean])[] = [
  [
    'the marker of another stack',
    marked('other', 'https_edges.x.routes.r'),
    'its marker names stack other (https_edges.x.routes.r), which cannot own what is in https_edges.site',
    false,
  ],
  [
    'the marker of another stack for this very edge',
    marked('other', 'https_edges.site.routes.api'),
    'stack other',
    false,
  ],
  [
    'a broken marker of another stack',
    'edgeform/v1 {"v":1,"stack":"other",',
    'its marker names stack other, which',
    false,
  ],
  [
    'a marker of ours in the wrong place',
    marked('shop', 'https_edges.x.routes.r'),
    'its marker names https_edges.x.routes.r',
    true,
  ],
  ['an empty marker', '{"edgeform":null}', 'its ownership marker is damaged', false],
  ['an unreadable marker', 'edgeform/v1 {broken', 'its ownership marker is damaged', false],
  ['a marker of a later version', '{"edgeform":{"v":9}}', 'its ownership marker is of version 9', false],
  ['the name of a marker in a sentence', 'see edgeform/v1 for it', 'its ownership marker is damaged', false],
];

describe('a route that somebody added', () => {
  test('is drift with its edge, its match, its modules and what a person can do', async () => {
    const direct = await settledService();
    const id = add(direct, ADMIN);
    const drift = await driftOn(direct, manifest());
    expect(drift).toMatchObject({ drifted: true, pending: [] });
    const [finding, ...others] = drift.findings;
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      type: 'foreign-child',
      address: `https_edges.site.routes.${id}`,
      parent: 'https_edges.site',
      kind: 'https_edge_route',
      live_id: id,
      cause: 'drift',
      evidence: 'in https_edges.site: match_type: path_prefix, match: /admin, with compression and oauth',
      adopt: { under: 'https_edges.site.routes', variables: ['admin_client_secret'] },
    });
    expect(finding?.changes.map(({ path, after, cause, sensitive }) => [path, after, cause, sensitive])).toEqual([
      ['match_type', null, 'drift', false],
      ['match', null, 'drift', false],
      ['compression', null, 'drift', false],
      ['oauth', null, 'drift', true],
    ]);
    expect(JSON.stringify(drift)).not.toContain('hush-hush-1');
  });

  test('is named by the plan, and left by apply', async () => {
    const direct = await settledService();
    const id = add(direct, ADMIN);
    const { plan } = await planOn(direct, manifest());
    expect([plan.steps, plan.refusals]).toEqual([[], []]);
    expect(plan.foreign_children).toMatchObject([
      {
        address: `https_edges.site.routes.${id}`,
        parent: 'https_edges.site',
        live_id: id,
        values: { match: '/admin' },
      },
    ]);
    const [warning] = plan.diagnostics;
    expect(warning).toMatchObject({ code: 'foreign-child', severity: 'warning', address: 'https_edges.site' });
    expect(warning?.fix).toContain(plan.foreign_children?.[0]?.adopt?.block);
    expect(JSON.stringify(plan)).not.toContain('hush-hush-1');
    await settled(direct, manifest({ more: { reserved_addrs: { a: {} } } }));
    expect(matches(direct)).toEqual(['/api', '/admin']);
  });

  test('is another finding once one of its values is another one, a secret one among them, or its marker', async () => {
    const direct = await settledService();
    const id = add(direct, ADMIN);
    const prints = new Set<string>();
    const note = async () => {
      for (const { fingerprint } of (await driftOn(direct, manifest())).findings) prints.add(fingerprint);
    };
    await note();
    await note();
    expect(prints.size).toBe(1);
    const path = `/edges/https/${edgeOf(direct)}/routes/${id}`;
    direct.ask('PATCH', path, { match: '/other' });
    await note();
    const provider = { github: { client_id: 'app', client_secret: 'hush-hush-2' } };
    direct.ask('PATCH', path, { oauth: { provider } });
    await note();
    direct.ask('PATCH', path, { metadata: marked('other', 'https_edges.x.routes.r') });
    await note();
    expect(prints.size).toBe(4);
  });

  test('is named in a part of the manifest, and not deleted there', async () => {
    const direct = await settledService(EXCLUSIVE);
    add(direct, ADMIN);
    const input = await inputOf(direct, manifest(EXCLUSIVE), { targets: ['https_edges.site'] });
    const plan = buildPlan(input);
    expect(plan.steps).toEqual([]);
    expect(plan.foreign_children).toHaveLength(1);
    expect(plan.diagnostics[0]?.fix).toContain('let a plan without --target delete it');
  });

  test('is adopted by the block that wants its match, which is said in place of a second one', async () => {
    const direct = await settledService();
    const id = add(direct, { match_type: 'path_prefix', match: '/admin' });
    const wanted = { ...ROUTES, mine: { match_type: 'path_prefix', match: '/admin' } };
    const { plan } = await planOn(direct, manifest({ routes: wanted }));
    expect(plan.foreign_children).toMatchObject([{ adopt: null }]);
    expect(plan.diagnostics[0]?.fix).toContain(`add \`lifecycle: { adopt: ${id} }\` to https_edges.site.routes.mine`);
    const adopting = { ...wanted, mine: { ...wanted.mine, lifecycle: { adopt: id } } };
    await settled(direct, manifest({ routes: adopting }));
  });
});

describe('of an exclusive edge', () => {
  test('it is deleted by a step that is shown, and is drift until then', async () => {
    const direct = await settledService(EXCLUSIVE);
    const id = add(direct, ADMIN);
    const wanted = manifest(EXCLUSIVE);
    const drift = await driftOn(direct, wanted);
    expect(drift).toMatchObject({ drifted: true, pending: [], findings: [{ type: 'foreign-child', live_id: id }] });
    const { plan } = await planOn(direct, wanted);
    expect(plan).toMatchObject({
      summary: { delete: 1 },
      unmanaged: [],
      steps: [
        {
          action: 'delete',
          address: `https_edges.site.routes.${id}`,
          live_id: id,
          reason: { code: 'foreign-child', text: 'not in the manifest, and https_edges.site is exclusive' },
        },
      ],
    });
    expect(plan).not.toHaveProperty('foreign_children');
    await settled(direct, wanted);
    expect(matches(direct)).toEqual(['/api']);
    expect((await driftOn(direct, wanted)).drifted).toBe(false);
  });

  test('it counts towards the deletion budget', async () => {
    const direct = await settledService(EXCLUSIVE);
    for (const match of ['/1', '/2', '/3', '/4']) add(direct, { match_type: 'exact_path', match });
    const plan = buildPlan(await inputOf(direct, manifest(EXCLUSIVE)));
    expect(plan.refusals).toMatchObject([{ rule: 'delete-budget', flag: '--allow-deletes 4' }]);
  });

  test('its match is released before a block claims it', async () => {
    const direct = await settledService(EXCLUSIVE);
    add(direct, ADMIN);
    const routes = { ...ROUTES, mine: { match_type: 'exact_path', match: '/admin' } };
    await settled(direct, manifest({ ...EXCLUSIVE, routes }));
    expect(matches(direct)).toEqual(['/api', '/admin']);
  });

  test('it is deleted in the plan that adopts the edge', async () => {
    const direct = createDirect();
    const { body } = direct.ask('POST', '/edges/https', { hostports: [] });
    const adopt = isObject(body) ? String(body['id']) : '';
    add(direct, ADMIN);
    const lifecycle = { exclusive: true, adopt };
    expect((await driftOn(direct, manifest({ lifecycle }))).findings.map(({ type }) => type)).not.toContain(
      'foreign-child',
    );
    await settled(direct, manifest({ lifecycle }));
    expect(matches(direct)).toEqual(['/api']);
  });

  test.each<readonly [string, string]>([
    ['nobody owns', 'adopt'],
    ['another stack owned', 'moved'],
  ])('that %s it is deleted after the edge became ours, and not at all if it did not', async (_, way) => {
    const direct = createDirect();
    if (way === 'moved') await settled(direct, manifest({ stack: 'acme' }));
    else direct.ask('POST', '/edges/https', { hostports: [] });
    add(direct, ADMIN);
    const wanted =
      way === 'moved'
        ? manifest({ ...EXCLUSIVE, more: { moved: [{ from: { stack: 'acme' } }] } })
        : manifest({ lifecycle: { exclusive: true, adopt: edgeOf(direct) } });
    const planned = await planOn(direct, wanted);
    const { steps } = planned.plan;
    const adoption = steps.find(({ action, address }) => action === 'adopt' && address === 'https_edges.site');
    const deletion = steps.find(({ action }) => action === 'delete');
    expect(deletion?.depends_on).toEqual([adoption?.id]);
    // Somebody else takes the edge over before the run does.
    const edge = edgeOf(direct);
    const { body } = direct.ask('GET', `/edges/https/${edge}`);
    const before = isObject(body) ? (body['metadata'] ?? null) : null;
    direct.ask('PATCH', `/edges/https/${edge}`, { metadata: marked('other', 'https_edges.site') });
    await applyOn(direct, planned);
    expect(matches(direct)).toContain('/admin');
    direct.ask('PATCH', `/edges/https/${edge}`, { metadata: before });
    await settled(direct, wanted);
    expect(matches(direct)).toEqual(['/api']);
  });

  test.each(MARKED)('one that has %s is named, and never deleted', async (_, metadata, mark, isAdoptable) => {
    const direct = await settledService(EXCLUSIVE);
    const id = add(direct, { ...ADMIN, metadata });
    const wanted = manifest(EXCLUSIVE);
    const { plan } = await planOn(direct, wanted);
    expect(plan.steps).toEqual([]);
    expect(plan.foreign_children).toMatchObject([{ live_id: id }]);
    const fix = plan.diagnostics.find(({ code }) => code === 'foreign-child')?.fix ?? '';
    expect(fix).toContain(
      'remove the text of the marker from its metadata, so that apply deletes it, or delete it yourself',
    );
    expect(fix.includes('to adopt it')).toBe(isAdoptable);
    // Followed literally.
    direct.ask('PATCH', `/edges/https/${edgeOf(direct)}/routes/${id}`, { metadata: '' });
    await settled(direct, wanted);
    expect(matches(direct)).toEqual(['/api']);
    expect(mark).not.toBe('');
  });

  test('one that may be the stack’s is an error and a change of its marker, as anywhere else', async () => {
    const direct = await settledService(EXCLUSIVE);
    add(direct, { ...ADMIN, metadata: 'edgeform/v1 {"v":1,"stack":"shop",' });
    const input = await inputOf(direct, manifest(EXCLUSIVE));
    const { drift, plan } = findDrift(input);
    expect(plan).not.toHaveProperty('foreign_children');
    expect(plan.diagnostics).toMatchObject([{ code: 'broken-marker', severity: 'error' }]);
    expect(drift).toMatchObject({ drifted: true, findings: [{ type: 'changed', cause: 'unknown' }] });
  });

  test('one that another stack takes over after the plan is not deleted', async () => {
    const direct = await settledService(EXCLUSIVE);
    const id = add(direct, ADMIN);
    const planned = await planOn(direct, manifest(EXCLUSIVE));
    const metadata = marked('other', 'https_edges.x.routes.r');
    direct.ask('PATCH', `/edges/https/${edgeOf(direct)}/routes/${id}`, { metadata });
    const results = await applyOn(direct, planned);
    expect(results.map(({ status }) => status)).toEqual(['failed']);
    expect(matches(direct)).toEqual(['/api', '/admin']);
  });
});

test.each(MARKED)('a route that has %s is drift, whoever its marker names', async (_, metadata, mark, isAdoptable) => {
  const direct = await settledService();
  const id = add(direct, { ...ADMIN, metadata });
  const { drift } = findDrift(await inputOf(direct, manifest()));
  expect(drift).toMatchObject({
    drifted: true,
    coverage: 2 / 3,
    findings: [{ type: 'foreign-child', live_id: id, cause: 'drift', parent: 'https_edges.site' }],
  });
  const [finding] = drift.findings;
  expect(finding?.evidence).toContain(mark);
  expect(finding?.adopt === null).toBe(!isAdoptable);
  const { plan } = await planOn(direct, manifest());
  const warning = plan.diagnostics.find(({ code }) => code === 'foreign-child');
  expect(warning?.message).toContain('which the manifest does not have; its ');
  expect(warning?.message).toContain(mark);
  expect(warning?.fix).toContain('remove the text of the marker from its metadata, or delete it yourself');
  if (!isAdoptable) expect(warning?.fix).not.toContain('adopt');
});

test('routes of the stack are no foreign children', async () => {
  const direct = await settledService();
  expect((await planOn(direct, manifest())).plan).not.toHaveProperty('foreign_children');
  // One that is no longer in the manifest is deleted as ever.
  const { plan } = await planOn(direct, manifest({ routes: {} }));
  expect(plan.steps.map(({ action, address }) => `${action} ${address}`)).toEqual([
    'delete https_edges.site.routes.api',
  ]);
});

describe('an edge of another stack that a block names by its id', () => {
  test.each<readonly ['adopt' | 'id', boolean]>([
    ['adopt', false],
    ['adopt', true],
    ['id', true],
  ])('is refused (%s, exclusive: %s), and what is in it is no business of this stack', async (setting, exclusive) => {
    const direct = createDirect();
    await settled(direct, manifest({ stack: 'other' }));
    add(direct, ADMIN);
    const wanted = manifest({ routes: {}, lifecycle: { [setting]: edgeOf(direct), exclusive } });
    const { plan } = await planOn(direct, wanted);
    expect(plan.refusals).toMatchObject([{ rule: 'foreign-object', addresses: ['https_edges.site'] }]);
    expect(plan).not.toHaveProperty('foreign_children');
    expect([plan.diagnostics, plan.summary.delete]).toEqual([[], 0]);
    const { findings } = await driftOn(direct, wanted);
    expect(findings.map(({ type }) => type)).not.toContain('foreign-child');
  });
});

describe('an edge that comes from another stack', () => {
  const transfer = {
    more: { moved: [{ from: { stack: 'old', address: 'https_edges.site' }, to: 'https_edges.site' }] },
  };
  const old = (): Manifest =>
    load({
      version: 1,
      stack: 'old',
      https_edges: {
        site: { hostports: [], routes: { ...ROUTES, more: { match_type: 'exact_path', match: '/more' } } },
      },
    });

  test('leaves a route there until it has come; then the route is a foreign child', async () => {
    const direct = createDirect();
    await settled(direct, old());
    const planned = await planOn(direct, manifest(transfer));
    expect(planned.plan.diagnostics.map(({ code }) => code)).toEqual(['child-left-behind']);
    expect(planned.plan).not.toHaveProperty('foreign_children');
    await applyOn(direct, planned);
    const { findings } = await driftOn(direct, manifest());
    expect(findings).toMatchObject([{ type: 'foreign-child', adopt: null }]);
    expect(findings[0]?.evidence).toContain('its marker names stack old (https_edges.site.routes.more)');
  });
});
