// Texts with references, once these are filled in: a value that its field does not take is an error of the plan.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test('a referred value that is no hostport is an error that shows it, and nothing is sent', async () => {
  const manifest = {
    version: 1,
    stack: 'shop',
    reserved_addrs: { db: {} },
    tls_edges: { web: { hostports: ['${reserved_addrs.db.addr}', 'a.example:443'] } },
  };
  const { results } = await world.apply({ ...manifest, tls_edges: { web: { hostports: ['a.example:443'] } } });
  expect(results.every(({ status }) => status === 'done')).toBe(true);
  expect((await world.plan(manifest)).diagnostics).toEqual([]);

  const id = String(world.emulator.objects('reserved_addrs')[0]?.['id']);
  world.emulator.mutate('reserved_addrs', id, { addr: '$HOST:1' });
  const { diagnostics } = await world.plan(manifest);
  expect(diagnostics).toMatchObject([{ code: 'wrong-reference', severity: 'error', address: 'tls_edges.web' }]);
  expect(diagnostics[0]?.message).toMatch(/hostports\.0 refers to .* it is "\$host:1", expected host:port/);
});
