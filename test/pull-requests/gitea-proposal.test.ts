// The pull request about drift on Gitea: the calls that it has otherwise than GitHub, with its recorded answers.

import { expect, test } from 'vitest';
import { pipelineText } from '../../src/render/scaffold/pipelines.ts';
import { servedStubs } from './served.ts';
import { logOf, manifest, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true, true);
const WORKFLOW = pipelineText('github', { version: '0.1.0', stack: 'shop', proposesDrift: true });
const ONE = manifest('one');
const schedule = (text = ONE) => world.onMain('schedule', text, { workflow: WORKFLOW });
const proposals = () => world.github.pulls.filter(({ head }) => head.ref.startsWith('edgeform/'));

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
  expect(world.github.requests.filter((line) => line.includes('graphql') || / .*\/git\//.test(line))).toEqual([]);

  // One that a person closed, too.
  Object.assign(proposals()[0] ?? {}, { state: 'closed' });
  const { 'drift-pull-request': job } = await schedule();
  expect(logOf(job)).toMatch(/pull request #\d+ with the same changes was closed by a person/);
  expect(proposals()).toMatchObject([{ state: 'closed' }]);
});
