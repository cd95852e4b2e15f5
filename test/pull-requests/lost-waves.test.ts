// Merges whose run was cancelled when a wave was done and a later one waited for its approval.

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
