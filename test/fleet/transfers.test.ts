// Objects that move between the stacks of a fleet: the taking stack wins, in either order, and nothing is deleted.

import { live, manifest, snapshot } from '../plan/sample.ts';
import { describe, expect, test } from 'vitest';
import { linkStacks } from '../../src/fleet/order.ts';
import { transferredFrom } from '../../src/fleet/transfers.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { loadTexts } from '../support/loading.ts';
import { applyFleet, createPlace, destroyFleet, driftFleet, planFleet } from './place.ts';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const ROUTES = 'routes: { api: { match_type: path_prefix, match: /api, compression: {} } }';
const SITE = `{ hostports: ["www.example.com:443"], ${ROUTES} }`;
const OTHER = 'tls_edges: { other: { hostports: ["other.example.com:443"] } }';
const TAKE = 'moved: [{ from: { stack: acme, address: https_edges.site }, to: https_edges.shop }]';

const before = { acme: stack('acme', `${OTHER}, https_edges: { site: ${SITE} }`) };
const acme = stack('acme', OTHER);
const shop = stack('shop', `https_edges: { shop: ${SITE} }, ${TAKE}`);

type Place = ReturnType<typeof createPlace>;

const owners = ({ direct }: Place) =>
  direct.store
    .all()
    .map(({ spec }) => readMarker(String(spec['metadata'])).marker)
    .map((marker) => `${marker?.stack ?? ''}:${marker?.address ?? ''}`)
    .sort();
const MOVED = ['acme:tls_edges.other', 'shop:https_edges.shop', 'shop:https_edges.shop.routes.api'];

describe('one object', () => {
  test.each([
    ['when the taking stack comes first', { shop, acme }],
    ['when it comes last', { acme, shop }],
  ])('%s', async (_, stacks) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const ids = place.direct.store.all().map(({ id }) => id);
    place.asked.splice(0);
    const planned = await planFleet(place.fleet(stacks));
    const steps = planned.flatMap((one) =>
      one.is === 'planned'
        ? one.plan.steps.map(({ action, address, from_stack: from }) => [one.name, action, address, from])
        : [],
    );
    expect(steps).toEqual([
      ['shop', 'adopt', 'https_edges.shop', 'acme'],
      ['shop', 'adopt', 'https_edges.shop.routes.api', 'acme'],
    ]);
    const drift = await driftFleet(place.fleet(stacks));
    expect(drift.map((one) => one.is === 'drift' && one.drift.drift.drifted)).toEqual([false, false]);
    const ended = await applyFleet(place.fleet(stacks));
    expect(ended.map((one) => one.is === 'applied' && one.report.result)).toEqual(['done', 'done']);
    expect(owners(place)).toEqual(MOVED);
    expect(place.direct.store.all().map(({ id }) => id)).toEqual(ids);
    expect(place.asked.filter((request) => request.startsWith('DELETE') || request.startsWith('POST'))).toEqual([]);
    const after = await planFleet(place.fleet(stacks));
    expect(after.map((one) => one.is === 'planned' && one.plan.steps)).toEqual([[], []]);
  });

  test('is not deleted by its old stack alone while the fleet knows who takes it', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const [only] = place.fleet({ acme }).stacks;
    const others = place.fleet({ shop }).stacks;
    const fleet = { ...place.fleet({ acme }), others };
    expect(only?.name).toBe('acme');
    const [planned] = await planFleet(fleet);
    expect(planned?.is === 'planned' && planned.plan.steps).toEqual([]);
    const [destroyed] = await destroyFleet(fleet);
    expect(destroyed?.is === 'applied' && destroyed.report.result).toBe('done');
    expect(owners(place)).toEqual(['acme:https_edges.site', 'acme:https_edges.site.routes.api']);
  });

  test.each([
    ['alone', true],
    ['together with the stack that takes it', false],
  ])('is not destroyed with its old stack, %s, and that is said once', async (_, isAlone) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const [edge] = place.direct.store.all().filter(({ kind }) => kind === 'https_edge');
    const fleet = isAlone
      ? { ...place.fleet({ acme }), others: place.fleet({ shop }).stacks }
      : place.fleet({ shop, acme });
    const [destroyed] = (await destroyFleet(fleet)).filter(({ name }) => name === 'acme');
    const report = destroyed?.is === 'applied' ? destroyed.report : undefined;
    expect([report?.result, report?.plan.diagnostics.map(({ code, message }) => [code, message])]).toEqual([
      'done',
      [
        [
          'left-to-taker',
          `https_edges.site (${edge?.id ?? ''}) is not destroyed: stack shop takes it as https_edges.shop, by an entry of \`moved\``,
        ],
      ],
    ]);
    expect(owners(place)).toEqual(['acme:https_edges.site', 'acme:https_edges.site.routes.api']);
    // What the fix says.
    await applyFleet(place.fleet({ acme, shop }));
    await destroyFleet(place.fleet({ acme, shop }));
    expect(owners(place)).toEqual([]);
  });

  test('stays where it is when its new address has an object already, and its old stack does not delete it either', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    await applyFleet(place.fleet({ shop: stack('shop', `https_edges: { shop: { ${ROUTES} } }`) }));
    const ended = await applyFleet(place.fleet({ acme, shop }));
    expect(ended.map((one) => one.is === 'applied' && one.report.result)).toEqual(['done', 'refused']);
    expect(owners(place)).toContain('acme:https_edges.site');
  });
});

test('what an entry names is taken from its old stack, also where the new address has an object already', () => {
  const edge = { tls_edges: { main: {} } };
  const taker = manifest({ ...edge, moved: [{ from: { stack: 'acme' } }] });
  const both = snapshot(live('edgtls_1', 'acme:tls_edges.main'), live('edgtls_2', 'shop:tls_edges.main'));
  const taken = transferredFrom({ ...taker, stack: 'acme' }, both, [taker]);
  expect([...taken]).toEqual([['edgtls_1', { stack: 'shop', address: 'tls_edges.main' }]]);
});

test('a stack that was renamed beside another new one is not taken for it', async () => {
  const place = createPlace();
  await applyFleet(place.fleet(before));
  const twin = stack('twin', 'tls_edges: { other: {} }');
  const codes = async (stacks: Record<string, string>) => {
    const planned = await planFleet(place.fleet(stacks));
    return planned.flatMap((one) => (one.is === 'planned' ? one.plan.diagnostics.map(({ code }) => code) : []));
  };
  expect(await codes({ twin })).toEqual(['stack-renamed']);
  expect(await codes({ ...before, twin })).toEqual([]);
});

describe('what two manifests cannot both say', () => {
  const member = (name: string, text: string) => {
    const { value: manifest } = loadTexts(text, { name: `${name}.yaml` });
    if (manifest === undefined) throw new Error(text);
    return { name, service: 'one', journal: name, stack: manifest.stack, manifest };
  };
  const problems = (...texts: readonly (readonly [string, string])[]) =>
    linkStacks(texts.map(([name, text]) => member(name, text))).diagnostics.map(
      ({ code, message, range, related = [] }) => [
        code,
        message,
        [range, ...related.map((other) => other.range)].map((place) => place?.file ?? ''),
      ],
    );
  const edge = (name: string) => `tls_edges: { ${name}: {} }`;

  test('the block of an object is still in the manifest that it leaves', () => {
    const take = 'moved: [{ from: { stack: acme, address: tls_edges.a }, to: tls_edges.b }]';
    expect(problems(['acme', stack('acme', edge('a'))], ['shop', stack('shop', `${edge('b')}, ${take}`)])).toEqual([
      ['bad-move', 'shop takes tls_edges.a from stack acme, whose manifest still has it', ['shop.yaml', 'acme.yaml']],
    ]);
    const whole = 'moved: [{ from: { stack: acme } }]';
    expect(problems(['shop', stack('shop', `${edge('a')}, ${whole}`)], ['acme', stack('acme', edge('a'))])).toEqual([
      ['bad-move', 'shop takes tls_edges.a from stack acme, whose manifest still has it', ['shop.yaml', 'acme.yaml']],
    ]);
    expect(problems(['shop', stack('shop', `${edge('a')}, ${whole}`)], ['acme', stack('acme', edge('b'))])).toEqual([]);
  });

  test('two manifests take the same object', () => {
    const whole = 'moved: [{ from: { stack: acme } }]';
    expect(problems(['a', stack('a', `${edge('x')}, ${whole}`)], ['b', stack('b', `${edge('x')}, ${whole}`)])).toEqual([
      ['bad-move', 'tls_edges.x of stack acme is taken by a and by b', ['b.yaml', 'a.yaml']],
    ]);
  });
});

describe('shards', () => {
  const names = Array.from({ length: 6 }, (_, at) => `alone-${at}`);
  const separate = Object.fromEntries(names.map((name) => [name, stack(name, OTHER.replaceAll('other', name))]));

  test.each([
    ['one object', shop],
    ['a whole stack', stack('shop', `https_edges: { site: ${SITE} }, moved: [{ from: { stack: acme } }]`)],
  ])('both stacks of a move are in one, and all shards together do it: %s', async (_, taker) => {
    const place = createPlace();
    await applyFleet(place.fleet(before));
    const fleet = { acme, ...separate, shop: taker };
    const parts: string[][] = [];
    for (const index of [1, 2, 3, 4]) {
      const ended = await applyFleet(place.fleet(fleet, { shard: { index, of: 4 } }));
      parts.push(ended.map(({ name }) => name));
      expect(ended.filter((one) => one.is !== 'applied' || one.report.result !== 'done')).toEqual([]);
    }
    expect(parts.flat().sort()).toEqual(Object.keys(fleet).sort());
    expect(parts.filter((part) => part.includes('acme')).map((part) => part.includes('shop'))).toEqual([true]);
    expect(owners(place)).toEqual(expect.arrayContaining([expect.stringMatching(/^shop:https_edges/)]));
    expect(place.asked.filter((request) => request.startsWith('DELETE'))).toEqual([]);
  });
});

describe.each(['adopt', 'id'])('an object that one stack releases and another names by `%s`', (setting) => {
  const NOTE = 'metadata: "owner: web team"';
  const withNote = `{ ${NOTE}, ${SITE.slice(1)}`;
  const owned = { acme: stack('acme', `${OTHER}, https_edges: { site: ${withNote} }`) };
  const releasing = stack('acme', `${OTHER}, removed: [{ from: https_edges.site, destroy: false }]`);
  const idOf = ({ direct }: Place, kind: string) => direct.store.all().find((one) => one.kind === kind)?.id ?? '';
  /** The edge and its route, each by its id. */
  const adopting = (place: Place) => {
    const [edge, route] = ['https_edge', 'https_edge_route'].map(
      (kind) => `lifecycle: { ${setting}: ${idOf(place, kind)} }, `,
    );
    const block = withNote.replace('api: { ', `api: { ${route}`).replace('{ ', `{ ${edge}`);
    return stack('shop', `https_edges: { shop: ${block} }`);
  };
  const both = (place: Place) => [
    { acme: releasing, shop: adopting(place) },
    { shop: adopting(place), acme: releasing },
  ];

  test.each([
    ['when the old stack comes first', 0],
    ['when it comes last', 1],
  ])('is free before it is taken, %s', async (_, order) => {
    const place = createPlace();
    await applyFleet(place.fleet(owned));
    const id = idOf(place, 'https_edge');
    const stacks = both(place)[order] ?? {};
    const planned = await planFleet(place.fleet(stacks));
    const refused = planned.flatMap((one) => (one.is === 'planned' ? one.plan.refusals : []));
    expect(refused).toEqual([]);
    place.asked.splice(0);
    const ended = await applyFleet(place.fleet(stacks));
    expect(ended.map((one) => one.is === 'applied' && one.report.result)).toEqual(['done', 'done']);
    expect(owners(place)).toEqual(MOVED);
    expect(place.direct.store.all().find((one) => one.id === id)?.spec['metadata']).toMatch(/^owner: web team\n/);
    expect(place.asked.filter((request) => request.startsWith('DELETE') || request.startsWith('POST'))).toEqual([]);
    const after = await planFleet(place.fleet(stacks));
    expect(after.map((one) => one.is === 'planned' && one.plan.steps)).toEqual([[], []]);
  });

  test('is released with what is inside of it, which an exclusive block then deletes', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(owned));
    const edge = `lifecycle: { ${setting}: ${idOf(place, 'https_edge')}, exclusive: true }`;
    const shopAlone = stack('shop', `https_edges: { shop: { hostports: ["www.example.com:443"], ${edge} } }`);
    const stacks = { acme: releasing, shop: shopAlone };
    const planned = await planFleet(place.fleet(stacks));
    const actions = planned.map((one) => (one.is === 'planned' ? one.plan.steps.map(({ action }) => action) : []));
    expect(actions[1]?.toSorted()).toEqual(['adopt', 'delete']);
    const ended = await applyFleet(place.fleet(stacks));
    expect(ended.map((one) => one.is === 'applied' && one.report.result)).toEqual(['done', 'done']);
    expect(owners(place)).toEqual(['acme:tls_edges.other', 'shop:https_edges.shop']);
  });

  test('is refused while the old stack is left out, or in a later wave', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(owned));
    const refusals = async (fleet: ReturnType<Place['fleet']>) =>
      (await planFleet(fleet)).flatMap((one) =>
        one.is === 'planned' ? one.plan.refusals.map(({ rule }) => rule) : [],
      );
    const alone = { ...place.fleet({ shop: adopting(place) }), others: place.fleet({ acme: releasing }).stacks };
    expect(await refusals(alone)).toEqual(['foreign-object', 'foreign-object']);
    const fleet = place.fleet({ shop: adopting(place), acme: releasing });
    const waves = fleet.stacks.map((one) => ({ ...one, wave: one.name === 'acme' ? 2 : 1 }));
    expect(await refusals({ ...fleet, stacks: waves })).toEqual(['later-wave', 'later-wave']);
  });

  test('is refused where both stacks wait for each other, and the fix says that two runs are needed', async () => {
    const place = createPlace();
    await applyFleet(place.fleet(owned));
    const importing = `imports: { app: { stack: shop, address: failover_backends.shop } }, reserved_addrs: { a: { description: "\${imports.app.id}" } }`;
    const acme = releasing.replace(/^\{/, '{').replace(OTHER, `${OTHER}, ${importing}`);
    const shop = adopting(place).replace(
      'https_edges:',
      'failover_backends: { shop: { backends: [bkdhr_2b] } }, https_edges:',
    );
    const planned = await planFleet(place.fleet({ acme, shop }));
    const fixes = planned.flatMap((one) => (one.is === 'planned' ? one.plan.refusals.map(({ fix }) => fix) : []));
    expect(fixes[0]).toBe(
      'acme and shop wait for each other, so that two runs are needed: leave https_edges.shop out and apply the fleet, so that acme releases it; then put it back, and apply again',
    );
  });
});
