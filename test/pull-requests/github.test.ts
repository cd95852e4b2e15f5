// The life of a change on GitHub, from the pull request to the schedule.

import { expect, test } from 'vitest';
import { BOT } from './fake-github.ts';
import { stubs } from './runner.ts';
import { servedStubs } from './served.ts';
import { exitCode, HOSTILE_BRANCH, KEY, logOf, manifest, results, TOKEN, useWorld } from './world.ts';

/** The built program once for each command; this process in its place for the rest. */
const BUILT = { path: [stubs()] };
const world = useWorld(await servedStubs());
const schedule = (files: string, how = {}) => world.onMain('schedule', files, { sha: 'c'.repeat(40), ...how });

test('the life of a change', async () => {
  // Opened: validated, planned, and one comment.
  const first = world.open(HOSTILE_BRANCH);
  const opened = await world.onPull(first, manifest('one'), BUILT);
  expect(results(opened), logOf(opened['plan'])).toEqual({ validate: 'success', plan: 'success' });
  expect(world.comments(first)).toHaveLength(1);
  const before = world.comments(first)[0]?.body;
  expect(before).toContain('1 to create');
  expect(before).toMatch(/^<!-- edgeform:plan stack=shop service=http:\S+ result=pending /);
  expect(opened['plan']?.summary).toContain('1 to create');

  // Pushed: the same comment, another plan.
  world.push(first);
  await world.onPull(first, manifest('two'));
  expect(world.comments(first)).toHaveLength(1);
  expect(world.comments(first)[0]?.body).not.toBe(before);
  expect(world.comments(first)[0]?.body).toContain(`Plan of commit ${first.head.sha.slice(0, 12)}`);

  // Merged: exactly that plan.
  const merged = await world.merge(first, manifest('two'), BUILT);
  expect(results(merged), logOf(merged['apply'])).toEqual({ apply: 'success' });
  expect(world.backend()).toMatchObject({ description: 'two' });
  expect(merged['apply']?.summary).toContain('Applied 1 of 1 step');
  expect(world.comments(first, 'report')).toEqual([]);
  expect([...world.caches.keys()]).toEqual([
    expect.stringMatching(/^edgeform-journal\/shop-[0-9a-f]{8}\/\d+-1-[0-9a-f]{8}$/),
  ]);

  // A second change is reviewed; then somebody changes the object by hand: the apply is refused, and the pull request says why.
  const second = world.open();
  await world.onPull(second, manifest('three'));
  world.edit('by hand');
  const refused = await world.merge(second, manifest('three'));
  expect(results(refused)).toEqual({ apply: 'failure' });
  expect(exitCode(refused['apply'])).toBe(6);
  expect(world.backend()).toMatchObject({ description: 'by hand' });
  const [report] = world.comments(second, 'report');
  expect(report?.body).toMatch(/result=stale[\s\S]*exit code 6[\s\S]*out of date[\s\S]*failover_backends\.app/);
  expect(report?.body).toContain('git commit --allow-empty');

  // What to do is done: another pull request with a new plan, which is applied.
  const third = world.open();
  await world.onPull(third, manifest('three'));
  expect(world.comments(third)[0]?.body).toContain('changed outside');
  const again = await world.merge(third, manifest('three'));
  expect(results(again), logOf(again['apply'])).toEqual({ apply: 'success' });
  expect(world.backend()).toMatchObject({ description: 'three' });

  // The schedule: nothing, drift, other drift, nothing again: one issue that is opened, kept and closed.
  expect(results(await schedule(manifest('three')))).toEqual({ drift: 'success' });
  expect(world.issues()).toEqual([]);
  world.edit('drifted once');
  const drifted = await schedule(manifest('three'));
  expect([results(drifted), exitCode(drifted['drift'])]).toEqual([{ drift: 'failure' }, 2]);
  expect(world.issues()).toMatchObject([{ title: 'Drift of stack shop', state: 'open', user: { login: BOT } }]);
  const [text] = world.issues().map(({ body }) => body);
  await schedule(manifest('three'));
  expect(world.issues().map(({ body }) => body)).toEqual([text]);
  world.edit('drifted twice');
  expect(exitCode((await schedule(manifest('three'), BUILT))['drift'])).toBe(2);
  expect(world.issues()).toHaveLength(1);
  expect(world.issues()[0]?.body).toContain('drifted twice');
  world.edit('three');
  expect(results(await schedule(manifest('three')))).toEqual({ drift: 'success' });
  expect(world.issues()).toMatchObject([{ state: 'closed' }]);

  // A pull request from a fork, by somebody who was given all secrets by mistake: the manifest is read, and that is all.
  const foreign = world.open(HOSTILE_BRANCH, 'mallory/shop');
  const requests = world.service.requests.length;
  const checked = await world.onPull(foreign, manifest('four'));
  expect(results(checked)).toEqual({ validate: 'success' });
  expect(JSON.stringify(checked['validate']?.steps.map(({ env }) => env))).not.toMatch(new RegExp(`${KEY}|${TOKEN}`));
  expect(checked['validate']?.steps.map(({ name }) => name.split('/').at(-1))).toContain('validate');
  expect([world.service.requests.length, world.comments(foreign)]).toEqual([requests, []]);
});
