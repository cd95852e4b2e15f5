// A merge queue: the checks report for what would be merged, and what is applied after it is still what was reviewed.

import { expect, test } from 'vitest';
import { servedStubs } from './served.ts';
import { exitCode, logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true);
const ONE = manifest('one');
const queued = (files: string) => world.onMain('merge_group', files);
const stored = () => world.github.artifacts.map(({ workflow_run: run }) => run.id);
const writes = () => world.service.requests.filter(({ method }) => method !== 'GET').length;

test('what would be merged is validated and planned, with the plan in the summary, and nothing is said or written elsewhere', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE);
  const comments = structuredClone(world.comments(pull));
  const jobs = await queued(ONE);
  expect(results(jobs)).toEqual({ validate: 'success', plan: 'success' });
  expect(jobs['plan']?.summary).toContain('1 to create');
  expect([world.comments(pull), writes()]).toEqual([comments, 0]);
});

test('what cannot be planned, or may not be applied, takes its pull request out of the queue', async () => {
  const wrong = await queued(ONE.replace('backends: [', 'bakends: ['));
  expect(results(wrong)).toEqual({ validate: 'failure', plan: 'failure' });
  const pull = world.open();
  await world.onPull(pull, ONE);
  await world.merge(pull, ONE);
  const refused = await queued('version: 1\nstack: shop\n');
  expect([results(refused), exitCode(refused['plan'])]).toEqual([{ validate: 'success', plan: 'failure' }, 5]);
});

test('the plan of the queue is never applied: the one in the comment is, from the run that wrote it', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE);
  const [reviewed] = stored();
  await queued(ONE);
  expect(stored()).toHaveLength(2);
  // The one that was reviewed is gone.
  for (const artifact of world.github.artifacts) artifact.expired = artifact.workflow_run.id === reviewed;
  const merged = await world.merge(pull, ONE);
  expect([results(merged), writes()]).toEqual([{ apply: 'failure' }, 0]);
  expect(logOf(merged['apply'])).toContain('no saved plan');
});

test('the comment of an older commit is no review of the newest one, which has no plan', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE);
  const older = pull.head.sha;
  world.push(pull);
  const { plan } = await world.onQueue(pull, ONE);
  expect([plan?.result, logOf(plan)]).toEqual(['failure', expect.stringContaining('was reviewed by nobody')]);
  expect(logOf(plan)).toContain(`the plan in its comment is of commit ${older.slice(0, 12)}`);
  expect(logOf(plan)).not.toContain('Already reviewed');
});
