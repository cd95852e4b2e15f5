// What Gitea has otherwise, which has GitHub's actions and not all of its API.

import { expect, test } from 'vitest';
import { GITEA_BOT, SYNCHRONIZED } from './fake-gitea.ts';
import { servedStubs } from './served.ts';
import { logOf, manifest, results, useWorld } from './world.ts';

const world = useWorld(await servedStubs(), true, true);
const ONE = manifest('one');
const planned = (pull: Parameters<typeof world.onPull>[0], files = ONE) =>
  world.onPull(pull, files, { jobs: ['plan'] });

test('the plan of a later push is applied, its comment links to the run, and GraphQL is asked nothing', async () => {
  const pull = world.open();
  await planned(pull);
  world.push(pull);
  await planned(pull, manifest('two'));
  expect(world.comments(pull).map(({ body }) => body)).toEqual([
    expect.stringContaining('(https://gitea.example/acme/shop/actions/runs/'),
  ]);
  Object.assign(world.github.runs.at(-1) ?? {}, { event: SYNCHRONIZED });
  const merged = await world.merge(pull, manifest('two'));
  expect(results(merged), logOf(merged['apply'])).toEqual({ apply: 'success' });
  expect(world.github.requests.filter((line) => line.includes('graphql'))).toEqual([]);
});

test('a commit without a pull request applies nothing, and says so', async () => {
  const { apply } = await world.onMain('push', ONE);
  expect([apply?.result, world.backend()]).toEqual(['failure', undefined]);
  expect(logOf(apply)).toContain('belongs to no merged pull request');
});

test('a plan that another workflow stored is not taken, nor one for another event', async () => {
  for (const change of [{ path: '.gitea/workflows/other.yml' }, { event: 'push' }]) {
    const pull = world.open();
    await planned(pull);
    const run = world.github.runs.find(({ id }) => id === world.github.artifacts.at(-1)?.workflow_run.id);
    Object.assign(run ?? {}, change);
    const { apply } = await world.merge(pull, ONE);
    expect([apply?.result, world.backend()]).toEqual(['failure', undefined]);
    expect(world.comments(pull, 'report')[0]?.body).toContain('no saved plan');
  }
});

test('a run that is started again after a newer push applies nothing; runs of other workflows do not count', async () => {
  const pull = world.open();
  await planned(pull);
  const path = '.gitea/workflows/other.yml';
  world.github.runs.push({ id: 9000, run_number: 9000, event: 'push', path, status: 'completed' });
  const merged = await world.merge(pull, ONE);
  expect(results(merged), logOf(merged['apply'])).toEqual({ apply: 'success' });
  const own = '.gitea/workflows/edgeform.yml';
  world.github.runs.push({ id: 9001, run_number: 9001, event: 'push', path: own, status: 'completed', steps: 3 });
  world.edit('by hand');
  const { apply } = await world.merge(pull, ONE);
  expect([apply?.result, logOf(apply)]).toEqual(['failure', expect.stringContaining('is newer, and only')]);
});

test('a check for drift after the push is no newer run, though it calls itself one for a push', async () => {
  const pull = world.open();
  await planned(pull);
  const runs = world.github.runs.length;
  world.github.runs.push({
    id: 9000,
    run_number: 9000,
    event: 'schedule',
    path: '.gitea/workflows/edgeform.yml',
    status: 'completed',
  });
  expect(results(await world.merge(pull, ONE))).toEqual({ apply: 'success' });
  expect(world.github.runs.length).toBe(runs + 2);
});

test('its issue is found among those of all users, on all pages, and no pull request is asked for', async () => {
  const pull = world.open();
  await planned(pull);
  await world.merge(pull, ONE);
  for (const who of ['alice', GITEA_BOT, 'bob']) world.github.report(who, 'Something else', 'text');
  world.edit('by hand');
  await world.onMain('schedule', ONE);
  for (const who of ['alice', 'bob']) world.github.report(who, 'Drift of stack shop', 'text');
  world.edit('by hand again');
  await world.onMain('schedule', ONE);
  const ours = world.issues().filter(({ title, user }) => title === 'Drift of stack shop' && user.login === GITEA_BOT);
  expect(ours.map(({ body }) => body.includes('by hand again'))).toEqual([true]);
  expect(world.github.queries.filter((query) => query.includes('state=open'))).toEqual(
    expect.arrayContaining(['state=open&type=issues&limit=50']),
  );
  expect(world.github.queries.filter((query) => query.includes('creat'))).toEqual([]);
});
