// How many requests a plan costs: exact numbers, counted by the emulator.

import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import { startWorld } from '../support/world.ts';

const PAGE_SIZE = 50;

function manifest(count: number): JsonObject {
  const edges = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `edge${index}`,
      {
        hostports: [`host${index}.example.com:443`],
        routes: { all: { match_type: 'path_prefix', match: '/', backend: { backend_id: 'bkdhr_sample' } } },
      },
    ]),
  );
  const addrs = Object.fromEntries(Array.from({ length: count }, (_, index) => [`addr${index}`, { region: 'eu' }]));
  return { version: 1, stack: 'large', https_edges: edges, reserved_addrs: addrs };
}

test('a plan of 1,000 resources sends only list requests: the pages of every kind, and nothing else', async () => {
  const world = await startWorld({ pageSize: PAGE_SIZE });
  try {
    const wanted = manifest(333); // 333 edges, 333 routes, 333 addresses and one more object
    const text = { ...wanted, failover_backends: { one: { backends: ['bkdhr_sample'] } } };
    const { plan, results } = await world.apply(text);
    expect(plan.summary.create).toBe(1000);
    expect(results.filter((result) => result.status !== 'done')).toEqual([]);

    const before = world.emulator.requests.length;
    expect((await world.plan(text)).steps).toEqual([]);
    const sent = world.emulator.requests.slice(before);
    expect(sent.every((request) => request.method === 'GET')).toBe(true);

    const pagesOfFullKinds = 2 * Math.ceil(333 / PAGE_SIZE);
    const kindsWithOnePage = topLevelKinds.length - 2;
    expect(sent.length).toBe(pagesOfFullKinds + kindsWithOnePage);
    const listed = new Set(topLevelKinds.map((kind) => kind.operations.list?.path));
    expect(sent.filter((request) => !listed.has(request.path.split('?')[0] ?? ''))).toEqual([]);
  } finally {
    await world.close();
  }
});
