// What is pending in one wave and is not of the plan of the merge: what somebody did by hand, and merges whose run was cancelled between waves.

import { expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { servedStubs } from './served.ts';
import { logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true);
const about = { version: '0.1.0', stack: 'acme', fleet: 'edgeform.fleet.yaml', hasWaves: true };
const inWaves = { workflow: pipelineText('github', about) };
const FLEET = `version: 1
stacks:
  - { name: shop, path: shop.yaml }
  - { name: blog, path: blog.yaml, wave: 2 }
  - { name: news, path: news.yaml, wave: 2 }
`;
const files = (shop: string, blog: string, news: string) => ({
  'edgeform.fleet.yaml': FLEET,
  'shop.yaml': manifest(shop),
  'blog.yaml': manifest(blog).replace('stack: shop', 'stack: blog'),
  'news.yaml': manifest(news).replace('stack: shop', 'stack: news'),
});
const found = () => world.service.objects('backends').map(({ description }) => description);

/** Everything is applied. */
async function begin(): Promise<void> {
  const pull = world.open();
  await world.onPull(pull, files('one', 'one', 'one'), inWaves);
  await world.merge(pull, files('one', 'one', 'one'), inWaves);
}

test.each([
  ['another stack of the wave', files('one', 'one', 'three'), files('one', 'two', 'three'), 'success'],
  ['a stack of an earlier wave alone', files('three', 'one', 'one'), files('three', 'two', 'one'), 'failure'],
])('a merge is named by the next one where that changes %s', async (_, planned, merged, result) => {
  await begin();
  const [lost, next] = [world.open(), world.open()];
  await world.onPull(lost, files('one', 'two', 'one'), inWaves);
  await world.onPull(next, planned, inWaves);
  await world.merge(lost, files('one', 'two', 'one'), { ...inWaves, jobs: ['apply-1'] });
  Object.assign(world.github.runs.at(-1) ?? {}, { conclusion: 'cancelled' });
  const end = await world.merge(next, merged, inWaves);
  expect(results(end)).toMatchObject({ 'apply-1': 'success', 'apply-2': result });
  expect(found()).not.toContain('two');
  expect(logOf(end['apply-1'])).not.toContain('never applied');
  expect(logOf(end['apply-2'])).toMatch(new RegExp(`never applied.*pull request #${lost.number}\\.`));
  expect(world.comments(lost, 'report').map(({ body }) => body)).toEqual([
    expect.stringContaining('**Never applied.**'),
  ]);
});

/** Everything is applied; then a change is planned, somebody edits the object of a stack by hand, and the change is merged. */
async function mergeAfterEdit(change: ReturnType<typeof files>, stack: string) {
  await begin();
  const pull = world.open();
  await world.onPull(pull, change, inWaves);
  const object = world.service.objects('backends').find((backend) => JSON.stringify(backend).includes(stack));
  world.service.mutate('backends', String(object?.['id']), { description: 'by hand' });
  return world.merge(pull, change, inWaves);
}

test('a reviewed plan of a later wave is applied whatever somebody changed by hand in an earlier one', async () => {
  const end = await mergeAfterEdit(files('one', 'two', 'one'), 'shop');
  expect(results(end)).toEqual({ 'apply-1': 'success', 'apply-2': 'success', 'apply-3': 'success' });
  expect(found().sort()).toEqual(['by hand', 'one', 'two']);
  expect(logOf(end['apply-1'])).toMatch(/::warning .*no stack of wave 1 had changes.*nobody has reviewed the pending/);
  expect(end['apply-1']?.summary).toContain('by hand');
});

test('where no later wave has a plan, what nobody reviewed makes the wave red', async () => {
  const end = await mergeAfterEdit(files('two', 'one', 'one'), 'blog');
  expect(results(end)).toEqual({ 'apply-1': 'success', 'apply-2': 'failure' });
});
