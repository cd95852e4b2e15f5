// A length that is known only with the values that a text refers to is judged before the first write.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const LIMIT = 255;
const stack = (own: number, more: JsonObject = {}): JsonObject => ({
  version: 1,
  stack: 'shop',
  reserved_addrs: { a: {} },
  tls_edges: { e: { description: `${'x'.repeat(own)}\${reserved_addrs.a.addr}`, ...more } },
});
const problems = async (manifest: JsonObject) =>
  (await world.plan(manifest)).diagnostics.map(({ code, address }) => `${code} ${address ?? ''}`);

test('what may become too long is refused before anything is created', async () => {
  expect(await problems(stack(LIMIT - 20))).toEqual(['too-long tls_edges.e']);
  expect(await problems(stack(LIMIT - 100))).toEqual([]);
  const { plan, results } = await world.apply(stack(LIMIT - 100));
  expect([plan.diagnostics, results.filter(({ status }) => status !== 'done')]).toEqual([[], []]);
});

test('what is known counts as it is, in creations and updates', async () => {
  await world.apply({ version: 1, stack: 'shop', reserved_addrs: { a: {} } });
  const addr = String(world.emulator.objects('reserved_addrs')[0]?.['addr']);
  expect(await problems(stack(LIMIT - addr.length))).toEqual([]);
  expect(await problems(stack(LIMIT - addr.length + 1))).toEqual(['too-long tls_edges.e']);
  await world.apply(stack(10));
  expect(await problems(stack(LIMIT - addr.length))).toEqual([]);
  expect(await problems(stack(LIMIT - addr.length + 1))).toEqual(['too-long tls_edges.e']);
});

test('metadata leaves room for values that are not known yet', async () => {
  const metadata = (own: number) => stack(0, { metadata: `${'x'.repeat(own)}\${reserved_addrs.a.addr}` });
  expect(await problems(metadata(3_930))).toEqual(['metadata-too-long tls_edges.e']);
  expect(await problems(metadata(3_800))).toEqual([]);
});
