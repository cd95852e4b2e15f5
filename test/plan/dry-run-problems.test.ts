// What the dry run of a plan may call a problem: values that a step newly takes, and no state that was there before.

import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const shop = (content: JsonObject): JsonObject => ({ version: 1, stack: 'shop', ...content });

/** Two edges of nobody that both hold `h:1`, and their ids. */
async function sharing(): Promise<readonly [string, string]> {
  await world.apply({ version: 1, stack: 'other', tls_edges: { x: { hostports: ['h:1'] }, y: {} } });
  const [one, two] = world.emulator.objects('tls_edges').map((edge) => String(edge['id']));
  for (const id of [one!, two!]) world.emulator.mutate('tls_edges', id, { hostports: ['h:1'], metadata: '' });
  return [one!, two!];
}

const keeping = (adopt: string): JsonObject => ({ lifecycle: { adopt, ignore_changes: ['hostports'] } });

test('edges that share a value already may both be adopted', async () => {
  const [one, two] = await sharing();
  const content = shop({ tls_edges: { a: keeping(one), b: keeping(two) } });
  const plan = await world.plan(content);
  expect(plan.steps.map((step) => step.action)).toEqual(['adopt', 'adopt']);
  expect(plan.diagnostics).toEqual([]);
});

test('a value that another object keeps is still a problem for the one that takes it', async () => {
  const [one, two] = await sharing();
  world.emulator.mutate('tls_edges', two, { hostports: [] });
  const taking = { hostports: ['h:1'], lifecycle: { adopt: two } };
  const plan = await world.plan(shop({ tls_edges: { a: keeping(one), b: taking } }));
  expect([...plan.refusals, ...plan.diagnostics]).not.toEqual([]);
});

test('one of them may give the value up', async () => {
  const [one, two] = await sharing();
  const edges = (hostports: readonly string[]) =>
    shop({ tls_edges: { a: { hostports, lifecycle: { adopt: one } }, b: keeping(two) } });
  expect((await world.plan(edges([]))).diagnostics).toEqual([]);
  expect((await world.plan(edges(['h:1', 'i:1']))).diagnostics).toEqual([]);
});
