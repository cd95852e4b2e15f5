// Runs that are repeated, or stand beside others: an old one brings nothing back, and each service has its own journal.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { stubs } from './runner.ts';
import { servedStubs } from './served.ts';
import { exitCode, KEY, logOf, manifest, results, useWorld, workflowOf } from './world.ts';

const world = useWorld(await servedStubs(), true);
const ONE = manifest('one');
const BOTH = `${ONE}  more: { description: more, backends: [bkdhr_1] }\n`;
const count = () => world.service.objects('backends').length;
const planned = (...[pull, files, more]: Parameters<typeof world.onPull>) =>
  world.onPull(pull, files, { jobs: ['plan'], ...more });
const change = async (text: string) => {
  const pull = world.open();
  await planned(pull, text);
  const sha = world.commit();
  world.github.merge(pull, sha);
  return { pull, sha, text, run: () => world.onMain('push', text, { sha }) };
};

test('an apply that is run again brings nothing back that a later one deleted', async () => {
  await (await change(ONE)).run();
  const added = await change(BOTH);
  await added.run();
  const again = world.github.runs.at(-1)?.id ?? 0;
  expect(results(await (await change(ONE)).run())).toEqual({ apply: 'success' });
  const { apply } = await world.onMain('push', BOTH, { sha: added.sha, again });
  expect([apply?.result, exitCode(apply), count()], logOf(apply)).toEqual(['failure', 1, 1]);
  expect(logOf(apply)).toMatch(/Nothing was applied: run \d+ of this workflow is newer/);
  expect(world.comments(added.pull, 'report')).toEqual([]);
});

test('an apply that was killed halfway goes on with the same plan when its job is run again', async () => {
  const { sha, pull } = await change(BOTH);
  const folder = mkdtempSync(join(tmpdir(), 'killing-'));
  const real = join(stubs(), 'edgeform');
  const script = `[ "$1" = apply ] || exec '${real}' "$@"
'${real}' "$@" & until grep -q '"outcome"' .edgeform/*/shop.journal.jsonl 2>/dev/null; do kill -0 $! 2>/dev/null || break; sleep 0.02; done; kill -9 $!; kill -9 $PPID`;
  writeFileSync(join(folder, 'edgeform'), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
  const killed = await world.onMain('push', BOTH, { sha, path: [folder, stubs()] });
  expect(results(killed)).toEqual({ apply: 'failure' });
  expect(world.comments(pull, 'report')[0]?.body).toContain('Run the job again: it goes on with the same plan.');
  const again = world.github.runs.at(-1)?.id ?? 0;
  const { apply } = await world.onMain('push', BOTH, { sha, again });
  expect([apply?.result, count()], logOf(apply)).toEqual(['success', 2]);
});

const TESTS = { name: 'tests', steps: [{}] };
const WAITING = { name: 'apply', steps: [] };

test.each([
  ['waits for its turn', { status: 'pending' }, 'success'],
  ['was cancelled while it waited', { status: 'completed', conclusion: 'cancelled' }, 'success'],
  ['was cancelled in the middle', { status: 'completed', conclusion: 'cancelled', steps: 3 }, 'failure'],
  ['is under way', { status: 'in_progress', steps: 1 }, 'failure'],
  ['failed', { status: 'completed', conclusion: 'failure', steps: 3 }, 'failure'],
  ['waits while another job of its run is under way', { status: 'in_progress', jobs: [TESTS, WAITING] }, 'success'],
  ['waits for another job of its run, so that it is not listed', { status: 'in_progress', jobs: [TESTS] }, 'success'],
  ['was skipped', { status: 'completed', conclusion: 'skipped' }, 'success'],
  ['was never made, by a mistake in the workflow', { status: 'completed', conclusion: 'startup_failure' }, 'success'],
  ['was not approved', { status: 'completed', conclusion: 'failure' }, 'success'],
  [
    'is that of another wave, under way',
    { status: 'in_progress', jobs: [{ name: 'apply-2', steps: [{}] }] },
    'failure',
  ],
])('an apply whose successor %s', async (_name, successor, result) => {
  const { run } = await change(ONE);
  const path = '.github/workflows/edgeform.yml';
  world.github.runs.push({ id: 5000, run_number: 5000, event: 'push', path, ...successor });
  expect(results(await run())).toEqual({ apply: result });
});

test('one stack at two services in one job has two journals', async () => {
  const other: Emulator = await startEmulator({ apiKey: KEY });
  const services = [{}, { 'base-url': other.url }];
  const pull = world.open();
  await world.onPull(pull, ONE, { workflow: workflowOf(...services.map((one) => ['plan', one] as const)) });
  const sha = world.commit();
  world.github.merge(pull, sha);
  const workflow = workflowOf(...services.map((one) => ['apply', one] as const));
  const { one } = await world.onMain('push', ONE, { sha, workflow });
  await other.close();
  expect([one?.result, count(), other.objects('backends').length], logOf(one)).toEqual(['success', 1, 1]);
  const kept = [...world.caches.values()].map((journal) => new Set(journal.match(/"service":"[^"]+"/g)));
  expect(kept).toEqual([world.service.url, other.url].map((url) => new Set([`"service":"${url}/"`])));
});

test.each([
  ['in one job', 'one'],
  ['in jobs of one run', 'two'],
])('two applies of one stack %s keep the journal of both', async (_, second) => {
  const folder = mkdtempSync(join(tmpdir(), 'noting-'));
  const note = 'mkdir -p .edgeform/any; echo "{\\"of\\":\\"$PPID\\"}" >> .edgeform/any/shop.journal.jsonl';
  writeFileSync(join(folder, 'edgeform'), `#!/bin/bash\n[ "$1" = show ] || { ${note}; }\n`, { mode: 0o755 });
  const { one } = (JSON.parse(workflowOf(['apply'])) as { jobs: { one: { steps: readonly object[] } } }).jobs;
  const jobs = second === 'one' ? { one: { steps: [...one.steps, one.steps.at(-1)] } } : { one, two: one };
  const ends = await world.onMain('push', ONE, { workflow: JSON.stringify({ jobs }), path: [folder, stubs()] });
  expect(results(ends), logOf(ends['one'])).toEqual(
    second === 'one' ? { one: 'success' } : { one: 'success', two: 'success' },
  );
  const kept = [...world.caches.values()];
  expect(kept.map((journal) => journal.split('\n').length - 1)).toEqual([1, 2]);
  expect(kept[1]?.startsWith(kept[0] ?? '?')).toBe(true);
});

test('a journal of another service is not saved again', async () => {
  const { run } = await change(ONE);
  await run();
  const [key, journal] = [...world.caches][0] ?? ['', ''];
  world.caches.set(key, journal.replaceAll(world.service.url, 'http://127.0.0.2:1'));
  expect(results(await (await change(manifest('two'))).run())).toEqual({ apply: 'failure' });
  expect(world.caches.size).toBe(1);
});

test.each(['plan', 'apply', 'drift'])('%s takes the address from its input only', async (action) => {
  const inputs = { 'base-url': '', arguments: `--base-url=${world.service.url}` };
  const { one } = await world.onPull(world.open(), ONE, { workflow: workflowOf([action, inputs]) });
  expect([one?.result, logOf(one), world.service.requests.length]).toEqual([
    'failure',
    expect.stringContaining('give the address as the input base-url'),
    0,
  ]);
});

test.each([
  ['plan', '--out=mine.json', 'remove it, because the action saves the plan'],
  ['plan', '--format json', 'remove it, because the action sets the format'],
  ['apply', '--format=json', 'remove it, because the action sets the format'],
  ['apply', '--summary-file\nmine.md', 'remove it, because'],
  ['drift', '--summary-file=mine.md', 'remove it, because'],
])('%s refuses %s, which it gives itself', async (action, given, why) => {
  const workflow = workflowOf([action, { arguments: given }]);
  const { one } = await world.onMain('push', ONE, { workflow });
  const [name = ''] = given.split(/[\s=]/);
  const said = expect.stringContaining(`arguments: ${name}: ${why}`);
  expect([one?.result, logOf(one), world.service.requests.length]).toEqual(['failure', said, 0]);
});

test('a plan that failed with more than a comment can hold', async () => {
  const pull = world.open();
  const field = `bakends_${'x'.repeat(60)}`;
  const { plan } = await planned(
    pull,
    ONE + Array.from({ length: 400 }, (_, at) => `  app${at}: { ${field}: 1 }\n`).join(''),
  );
  const [comment] = world.comments(pull);
  expect([exitCode(plan), comment?.body]).toEqual([4, expect.stringContaining('Everything is in the log of the job')]);
  expect(plan?.summary.length).toBeGreaterThan(65_536);
});

test('options are given to the commands that have them', async () => {
  const files = { 'edgeform.yaml': ONE, 'v.yaml': '{}\n', 'prod.yaml': 'stack: shop\nadd: { outputs: { a: "b" } }\n' };
  const given =
    '--overlay=prod.yaml\n--var-file\nv.yaml\n--var-file v.yaml\n--allow-deletes=5\n--settle\n30\n--token-dir=tokens\n--debug';
  for (const action of ['plan', 'apply', 'drift']) {
    const workflow = workflowOf([action, { arguments: given }]);
    const { one } = await world.onMain('push', '', { files, workflow });
    expect(logOf(one)).not.toMatch(/unknown option|argument missing|too many arguments|does not exist/);
    expect(exitCode(one), logOf(one)).toBe({ plan: 0, apply: 1, drift: 0 }[action]);
  }
});

test('a plan with an exit code for changes is stored, too', async () => {
  const pull = world.open();
  const inputs = { arguments: '--detailed-exitcode' };
  const { one } = await world.onPull(pull, ONE, { workflow: workflowOf(['plan', inputs]) });
  expect([exitCode(one), world.github.artifacts.length]).toEqual([2, 1]);
  const sha = world.commit();
  world.github.merge(pull, sha);
  const { one: apply } = await world.onMain('push', ONE, { sha, workflow: workflowOf(['apply', inputs]) });
  expect([apply?.result, count()], logOf(apply)).toEqual(['success', 1]);
});

test('two pull requests of one commit have a plan each', async () => {
  const [first] = [world.open()];
  const second = world.github.open({ ...first.head }, 'release');
  await planned(first, ONE);
  await planned(second, manifest('release'));
  expect(results(await world.merge(first, ONE))).toEqual({ apply: 'success' });
  expect(world.backend()?.['description']).toBe('one');
});

test('an apply that never began is told, and is not said to be killed', async () => {
  const { pull, sha } = await change(ONE);
  const workflow = workflowOf(['apply', { arguments: '--base-url=x' }]);
  const { one } = await world.onMain('push', ONE, { sha, workflow });
  expect(one?.result).toBe('failure');
  expect(world.comments(pull, 'report').map(({ body }) => body)).toEqual([
    expect.stringMatching(/result=error[\s\S]*exit code 1[\s\S]* {4}arguments: --base-url/),
  ]);
});

test('a run that is gone has no plan, and GitHub that does not answer is told', async () => {
  const { run, pull } = await change(ONE);
  world.github.runs.length = 0;
  const { apply } = await run();
  expect([apply?.result, logOf(apply)]).toEqual(['failure', expect.stringMatching(/no saved plan/)]);
  const next = await change(ONE);
  world.github.away = /artifacts/;
  const end = await next.run();
  expect(end['apply']?.result).toBe('failure');
  expect([pull, next.pull].flatMap((one) => world.comments(one, 'report')).at(-1)?.body).toContain(
    'an earlier step of the job failed',
  );
});
