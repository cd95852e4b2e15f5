// What only GitHub shows and keeps beside the comment: the summary of the run, and the journal under a key of its own.

import { expect, test } from 'vitest';
import { servedStubs } from './served.ts';
import { logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true);

test('summaries show what the comment shows, and what was done; the journal is kept', async () => {
  const pull = world.open();
  const opened = await world.onPull(pull, manifest('one'));
  expect(results(opened), logOf(opened['plan'])).toEqual({ validate: 'success', plan: 'success' });
  expect(opened['plan']?.summary).toContain('1 to create');
  const merged = await world.merge(pull, manifest('one'));
  expect(results(merged), logOf(merged['apply'])).toEqual({ apply: 'success' });
  expect(merged['apply']?.summary).toContain('Applied 1 of 1 step');
  expect([...world.caches.keys()]).toEqual([
    expect.stringMatching(/^edgeform-journal\/shop-[0-9a-f]{8}\/\d+-1-[0-9a-f]{8}$/),
  ]);
});
