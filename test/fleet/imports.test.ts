// Imports between stacks of one run: in order, filled in when the other stack has created them, and never taken away.

import { describe, expect, test } from 'vitest';
import { reply } from '../support/fake-exchange.ts';
import type { Place } from './place.ts';
import { applyFleet, counted, createPlace, destroyFleet, driftFleet, outcomes, planFleet } from './place.ts';

const stack = (name: string, body: string) => `{ version: 1, stack: ${name}, ${body} }`;
const NETWORK = stack('network', 'reserved_addrs: { db: { description: x } }');
const uses = (name: string, source = 'network', address = 'reserved_addrs.db') =>
  stack(
    name,
    `imports: { db: { stack: ${source}, address: ${address} } }, tls_edges: { web: { hostports: ["\${imports.db.addr}"] } }`,
  );
const EMPTY = (name: string) => stack(name, 'reserved_addrs: {}');

describe('an import of what another stack of the run creates', () => {
  test('is known after apply, and filled in', async () => {
    const place = createPlace();
    const fleet = { shop: uses('shop'), network: NETWORK };
    expect(outcomes(await planFleet(place.fleet(fleet)))).toEqual({
      shop: 'create tls_edges.web',
      network: 'create reserved_addrs.db',
    });
    expect(outcomes(await driftFleet(place.fleet(fleet)))).toMatchObject({ shop: 'failed: import-missing' });
    expect(outcomes(await applyFleet(place.fleet(fleet)))).toEqual({ shop: 'done', network: 'done' });
    const objects = place.direct.store.all();
    const address = objects.find(({ kind }) => kind === 'reserved_addr');
    const edge = objects.find(({ kind }) => kind === 'tls_edge');
    const { body } = place.direct.ask('GET', `/reserved_addrs/${address?.id ?? ''}`);
    expect(edge?.spec['hostports']).toEqual([(body as Record<string, unknown>)['addr']]);
    expect(outcomes(await planFleet(place.fleet(fleet)))).toEqual({ shop: '', network: '' });
    expect(outcomes(await driftFleet(place.fleet(fleet)))).toEqual({ shop: '0 pending', network: '0 pending' });
  });

  test('is filled in over several stacks', async () => {
    const place = createPlace();
    const middle = stack(
      'middle',
      'imports: { db: { stack: network, address: reserved_addrs.db } }, reserved_addrs: { own: { description: "beside ${imports.db.id}" } }',
    );
    const fleet = { shop: uses('shop', 'middle', 'reserved_addrs.own'), middle, network: NETWORK };
    expect(outcomes(await applyFleet(place.fleet(fleet)))).toEqual({ shop: 'done', middle: 'done', network: 'done' });
    expect(outcomes(await planFleet(place.fleet(fleet)))).toEqual({ shop: '', middle: '', network: '' });
  });

  test('is missing when the other stack is not part of the run', async () => {
    const place = createPlace();
    expect(outcomes(await planFleet(place.fleet({ shop: uses('shop') })))).toEqual({
      shop: 'create tls_edges.web, refused: import-missing',
    });
  });

  test('is found although the lists do not show it yet', async () => {
    const place = createPlace();
    let lists = 0;
    place.intercept = ({ method, url }) => {
      if (method !== 'GET' || url.pathname !== '/reserved_addrs') return undefined;
      lists += 1;
      // The third is for the importer, and answered by a replica that is behind.
      return lists === 3 ? reply(200, { reserved_addrs: [], uri: url.href, next_page_uri: null }) : undefined;
    };
    const fleet = { shop: uses('shop'), network: NETWORK };
    expect(outcomes(await applyFleet(place.fleet(fleet)))).toEqual({ shop: 'done', network: 'done' });
    expect(lists).toBeGreaterThan(3);
  });
});

describe('saved plans of a fleet', () => {
  const fleet = { shop: uses('shop'), network: NETWORK };
  /** The fleet with a plan of each stack from another run. */
  async function saved(place: Place) {
    const plans = new Map(
      (await planFleet(place.fleet(fleet))).map((one) => [one.name, one.is === 'planned' ? one.plan : undefined]),
    );
    const run = place.fleet(fleet);
    place.asked.splice(0);
    return { plans, run: { ...run, stacks: run.stacks.map((one) => ({ ...one, saved: plans.get(one.name) })) } };
  }

  test('are carried out exactly, with the values of what one of them creates', async () => {
    const place = createPlace();
    const { plans, run } = await saved(place);
    expect(outcomes(await applyFleet(run))).toEqual({ shop: 'done', network: 'done' });
    const planned = ['network', 'shop'].flatMap(
      (name) => plans.get(name)?.steps.flatMap((step) => step.requests) ?? [],
    );
    expect(place.asked.filter((one) => !one.startsWith('GET'))).toEqual(
      planned.map(({ method, path }) => `${method} ${path}`),
    );
    expect(outcomes(await planFleet(place.fleet(fleet)))).toEqual({ shop: '', network: '' });
  });

  test('are stale when what one of them imports has changed', async () => {
    const place = createPlace();
    await applyFleet(place.fleet({ network: NETWORK }));
    const { run } = await saved(place);
    for (const { kind, id } of place.direct.store.all())
      if (kind === 'reserved_addr') place.direct.ask('DELETE', `/reserved_addrs/${id}`);
    await applyFleet(place.fleet({ network: NETWORK }));
    place.asked.splice(0);
    const results = await applyFleet(run);
    const shop = results.find(({ name }) => name === 'shop');
    expect(shop?.is === 'failed' && [shop.failure.outcome, shop.failure.diagnostics[0]?.message]).toEqual([
      'stale',
      expect.stringContaining('imports.db is another object now'),
    ]);
    expect(counted(place.asked).writes).toBe(0);
  });
});

describe('what another stack imports', () => {
  test.each([
    ['deleted', stack('network', 'reserved_addrs: { other: {} }')],
    ['left out of the run', undefined],
  ])('stays: %s', async (_, network) => {
    const place = createPlace();
    await applyFleet(place.fleet({ shop: uses('shop'), network: NETWORK }));
    const without = { network: EMPTY('network') };
    const shop = place.fleet({ shop: uses('shop') }).stacks;
    if (network === undefined) {
      // The other stack still imports it, although this run leaves it out.
      const fleet = place.fleet(without, { others: shop });
      await expect(planFleet(fleet)).rejects.toMatchObject({ diagnostics: [{ code: 'bad-import' }] });
      const destroyed = await destroyFleet(place.fleet({ network: NETWORK }, { others: shop }));
      expect(outcomes(destroyed)).toMatchObject({ network: expect.stringContaining('imported') as string });
    } else {
      await expect(planFleet(place.fleet({ shop: uses('shop'), network }))).rejects.toMatchObject({
        diagnostics: [{ code: 'bad-import' }],
      });
    }
    expect(place.direct.store.all()).toHaveLength(2);
  });

  test('is not replaced', async () => {
    const place = createPlace();
    const edges = (domain: string) => stack('network', `agent_ingresses: { a: { domain: ${domain}.example.com } }`);
    const shop = stack(
      'shop',
      'imports: { a: { stack: network, address: agent_ingresses.a } }, reserved_addrs: { x: { description: "${imports.a.id}" } }',
    );
    await applyFleet(place.fleet({ shop, network: edges('one') }));
    const planned = outcomes(await planFleet(place.fleet({ shop, network: edges('two') })));
    expect(planned['network']).toContain('refused');
    place.asked.splice(0);
    expect(outcomes(await applyFleet(place.fleet({ shop, network: edges('two') })))).toEqual({
      shop: 'blocked by network',
      network: expect.stringContaining('imported') as string,
    });
    expect(counted(place.asked).writes).toBe(0);
  });
});

describe('an import by id of what another stack owns', () => {
  const byId = (id: string) =>
    stack(
      'shop',
      `imports: { db: { kind: reserved_addr, id: ${id} } }, reserved_addrs: { x: { description: "\${imports.db.id}" } }`,
    );
  const begun = async () => {
    const place = createPlace();
    await applyFleet(place.fleet({ network: NETWORK }));
    const shop = byId(place.direct.store.all()[0]?.id ?? '');
    await applyFleet(place.fleet({ network: NETWORK, shop }));
    place.asked.splice(0);
    return { place, shop };
  };

  test('keeps it, also from a stack that is planned alone', async () => {
    const { place, shop } = await begun();
    const network = stack('network', 'reserved_addrs: { other: {} }');
    const refused = expect.stringContaining('imported') as string;
    expect(outcomes(await applyFleet(place.fleet({ network, shop })))).toMatchObject({ network: refused });
    const others = place.fleet({ shop }).stacks;
    expect(outcomes(await applyFleet(place.fleet({ network }, { others })))).toMatchObject({ network: refused });
    expect(outcomes(await destroyFleet(place.fleet({ network: NETWORK }, { others })))).toMatchObject({
      network: refused,
    });
    expect(place.direct.store.all()).toHaveLength(2);
  });

  test('is gone before it when both are destroyed', async () => {
    const { place, shop } = await begun();
    const fleet = place.fleet({ network: NETWORK, shop });
    expect(outcomes(await destroyFleet(fleet))).toEqual({ network: 'done', shop: 'done' });
    expect(place.direct.store.all()).toEqual([]);
  });

  test('orders nothing where two stacks do so of each other', async () => {
    const { place, shop } = await begun();
    const own = place.direct.store.all().find(({ spec }) => String(spec['metadata']).includes('"shop"'))?.id ?? '';
    const network = stack(
      'network',
      `imports: { x: { kind: reserved_addr, id: ${own} } }, reserved_addrs: { db: { description: "x \${imports.x.id}" } }`,
    );
    expect(outcomes(await applyFleet(place.fleet({ network, shop })))).toEqual({ network: 'done', shop: 'done' });
  });
});

test('a plan that cannot be carried out is said with what is wrong', async () => {
  const place = createPlace();
  await applyFleet(place.fleet({ network: NETWORK }));
  const [first] = place.direct.store.all();
  place.direct.ask('POST', '/reserved_addrs', { metadata: first?.spec['metadata'] ?? '' });
  expect(outcomes(await applyFleet(place.fleet({ network: NETWORK })))).toEqual({
    network: expect.stringContaining('duplicate-marker') as string,
  });
});

test('destroy goes against the imports', async () => {
  const place = createPlace();
  const fleet = { network: NETWORK, shop: uses('shop') };
  await applyFleet(place.fleet(fleet));
  place.asked.splice(0);
  expect(outcomes(await destroyFleet(place.fleet(fleet)))).toEqual({ network: 'done', shop: 'done' });
  const deletions = place.asked.filter((one) => one.startsWith('DELETE')).map((one) => one.split('/')[1]);
  expect(deletions).toEqual(['edges', 'reserved_addrs']);
  expect(place.direct.store.all()).toEqual([]);
});

test('stacks that cannot be together are refused before any request', async () => {
  const place = createPlace();
  const circle = {
    a: stack(
      'a',
      'imports: { x: { stack: b, address: reserved_addrs.a } }, reserved_addrs: { a: { description: "${imports.x.id}" } }',
    ),
    b: stack(
      'b',
      'imports: { x: { stack: a, address: reserved_addrs.a } }, reserved_addrs: { a: { description: "${imports.x.id}" } }',
    ),
  };
  const twice = {
    a: stack('a', 'tls_edges: { x: { hostports: ["x.example.com:443"] } }'),
    b: stack('b', 'tls_edges: { x: { hostports: ["x.example.com:443"] } }'),
  };
  const pinned = {
    a: stack('a', 'tls_edges: { x: { hostports: [], lifecycle: { adopt: edgtls_1 } } }'),
    b: stack('b', 'tls_edges: { x: { hostports: [], lifecycle: { adopt: edgtls_1 } } }'),
  };
  const same = { a: EMPTY('one'), b: EMPTY('one') };
  for (const [fleet, code] of [
    [circle, 'import-cycle'],
    [twice, 'not-unique'],
    [pinned, 'bad-lifecycle'],
    [same, 'bad-fleet'],
  ] as const)
    for (const run of [planFleet, driftFleet, applyFleet, destroyFleet])
      await expect(run(place.fleet(fleet))).rejects.toMatchObject({ outcome: 'invalid', diagnostics: [{ code }] });
  expect(place.asked).toEqual([]);
});
