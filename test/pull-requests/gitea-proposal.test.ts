// The pull request about drift on Gitea: the calls that it has otherwise than GitHub, with its recorded answers.

import { expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { GITEA_BOT } from './fake-gitea.ts';
import { servedStubs } from './served.ts';
import { logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true, true);
const WORKFLOW = pipelineText('github', { version: '0.1.0', stack: 'shop', proposesDrift: true });
const ONE = manifest('one');
const schedule = (text = ONE) => world.onMain('schedule', text, { workflow: WORKFLOW });
const proposals = () => world.github.pulls.filter(({ head }) => head.ref.startsWith('edgeform/'));
const branch = () => [...world.github.repository.branches.keys()].find((name) => name.startsWith('edgeform/')) ?? '';
const proposed = () => world.github.repository.at(branch())?.['edgeform.yaml'];

test('is opened, kept up to date, and closed', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE, { jobs: ['plan'] });
  await world.merge(pull, ONE);
  world.edit('by hand');
  const opened = await schedule();
  expect(results(opened), logOf(opened['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
  expect(proposals()).toMatchObject([
    { title: 'Accept the drift of stack shop', state: 'open', user: { login: GITEA_BOT } },
  ]);
  expect(proposed()).toBe(ONE.replace(': one', ': by hand'));

  const head = world.github.repository.branches.get(branch());
  await schedule(ONE);
  expect(world.github.repository.branches.get(branch())).toBe(head);

  world.edit('by another hand');
  await schedule();
  expect([proposals().length, proposed()]).toEqual([1, ONE.replace(': one', ': by another hand')]);

  world.edit('one');
  const gone = await schedule();
  expect(results(gone), logOf(gone['drift-pull-request'])).toMatchObject({ 'drift-pull-request': 'success' });
  expect([proposals()[0]?.state, branch()]).toEqual(['closed', '']);
  expect(world.github.requests.filter((line) => line.includes('graphql') || / .*\/git\//.test(line))).toEqual([]);
});

test('is found behind any number of newer pull requests', async () => {
  const pull = world.open();
  await world.onPull(pull, ONE, { jobs: ['plan'] });
  await world.merge(pull, ONE);
  world.edit('by hand');
  await schedule();
  for (let newer = 0; newer < 5; newer += 1) world.open(`topic-${newer}`);
  const known = world.github.requests.length;
  await schedule();
  expect(world.github.requests.slice(known).filter((line) => /^(?:POST|PATCH) .*pulls/.test(line))).toEqual([]);

  // One that a person closed, too.
  Object.assign(proposals()[0] ?? {}, { state: 'closed' });
  const { 'drift-pull-request': job } = await schedule();
  expect(logOf(job)).toMatch(/pull request #\d+ with the same changes was closed by a person/);
  expect(proposals()).toMatchObject([{ state: 'closed' }]);
});
