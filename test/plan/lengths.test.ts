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
const stack = (own: number): JsonObject => ({
  version: 1,
  stack: 'shop',
  reserved_addrs: { a: {} },
  tls_edges: { e: { description: `${'x'.repeat(own)}\${reserved_addrs.a.addr}` } },
});
const problems = async (manifest: JsonObject) =>
  (await world.plan(manifest)).diagnostics.map(({ code, address }) => `${code} ${address ?? ''}`);

test('what is known counts as it is, in creations and updates', async () => {
  await world.apply({ version: 1, stack: 'shop', reserved_addrs: { a: {} } });
  const addr = String(world.emulator.objects('reserved_addrs')[0]?.['addr']);
  expect(await problems(stack(LIMIT - addr.length))).toEqual([]);
  expect(await problems(stack(LIMIT - addr.length + 1))).toEqual(['too-long tls_edges.e']);
  await world.apply(stack(10));
  expect(await problems(stack(LIMIT - addr.length))).toEqual([]);
  expect(await problems(stack(LIMIT - addr.length + 1))).toEqual(['too-long tls_edges.e']);
});
