// Shards on the command line, and mistakes of the fleet file. Stacks a, b and c are in three of four shards, as far as the text shows.

import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const site = (name: string, host: string) =>
  `version: 1\nstack: ${name}\ntls_edges:\n  web: { hostports: ["${host}.example.com:443"] }\n`;
const fileOf = (...entries: readonly string[]) =>
  `version: 1\nstacks:\n${entries.map((one) => `  - ${one}\n`).join('')}`;
const ENTRIES = ['a', 'b', 'c'].map((name) => `{ name: ${name}, path: ${name}.yaml }`);
const place = usePlace({
  'edgeform.fleet.yaml': fileOf(...ENTRIES),
  'a.yaml': site('a', 'moves'),
  'b.yaml': site('b', 'b'),
  'c.yaml': site('c', 'c'),
});
const { run, write } = place;
const fleet = (...args: readonly string[]) => run('fleet', ...args);
const SHARDS = ['1/4', '2/4', '3/4', '4/4'];

/** All is applied, and then a value moves from a to b. */
async function move(): Promise<void> {
  expect((await fleet('apply', '--auto-approve')).code).toBe(0);
  write(site('a', 'other'), 'a.yaml');
  write(site('b', 'moves'), 'b.yaml');
}

/** The stacks that a command takes in each of the shards, or its exit code. */
async function taken(command: string, ...args: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const shard of SHARDS) {
    const { code, stdout } = await fleet(command, '--shard', shard, '--format', 'json', ...args);
    const { stacks = [] } = JSON.parse(stdout) as { stacks?: { name: string }[] };
    found.push(code === 0 ? stacks.map(({ name }) => name).join(' ') : String(code));
  }
  return found.filter((one) => one !== '');
}

test('a stack is linked to none that was not selected, and so is in the shard of the list', async () => {
  await move();
  expect(await taken('plan')).toEqual(['c', 'a b']);
  expect(await taken('list', '--only', 'b')).toEqual(['b']);
  // It claims what another stack holds, and says so as without shards.
  expect(await taken('plan', '--only', 'b', '--detailed-exitcode')).toEqual(['5']);
});

test.each([[SHARDS], [[...SHARDS].reverse()]])('shards may save to one directory: %j', async (order) => {
  await move();
  for (const shard of order) expect((await fleet('plan', '--out', 'plans', '--shard', shard)).code).toBe(0);
  expect(readdirSync(join(place.cwd, 'plans')).sort()).toEqual(['a.plan.json', 'b.plan.json', 'c.plan.json']);
  expect((await fleet('apply', 'plans', '--shard', '1/4')).code).toBe(64);
  expect((await fleet('apply', 'plans', '--auto-approve')).code).toBe(0);
});

test('each shard says how its plans are applied, and one without stacks that there is nothing to apply', async () => {
  const ends: string[] = [];
  for (const shard of SHARDS) {
    const { stderr } = await fleet('plan', '--out', `plans-${shard[0]}`, '--shard', shard);
    const line = /run: edgeform (.*)$/m.exec(stderr)?.[1]?.split(' ') ?? [];
    const applied = await run(...line, '--auto-approve');
    expect(applied.code, `${stderr}${applied.stderr}`).toBe(0);
    ends.push(/^There is no saved plan in .*$/m.exec(applied.stderr)?.[0] ?? 'applied');
  }
  expect(ends.filter((one) => one === 'applied')).toHaveLength(3);
  expect(ends.find((one) => one !== 'applied')).toMatch(
    /^There is no saved plan in plans-[1-4], so there is nothing to apply\.$/,
  );
});

test('options with addresses never reach a stack that joins', async () => {
  await move();
  expect(await taken('plan', '--target', 'tls_edges.web')).toEqual(SHARDS.map(() => '64'));
});

test('a shard needs no credentials of the others', async () => {
  const more = '{ name: c, path: c.yaml, base_url_env: OTHER_URL, api_key_env: OTHER_KEY }';
  write(fileOf(...ENTRIES.slice(0, 2), more), 'edgeform.fleet.yaml');
  place.env = { ...place.env, EDGEFORM_FLEET_CREDENTIALS: 'OTHER_URL, OTHER_KEY' };
  expect(await taken('plan')).toEqual(['4', 'b', 'a']);
});

test.each([
  [
    'a key that may not be used is not looked up',
    ['{ name: a, path: a.yaml, api_key_env: OTHER }'],
    'foreign-credential',
  ],
  ['nor is an address', ['{ name: a, path: a.yaml, base_url_env: OTHER }'], 'foreign-credential'],
  ['the usual key is for the usual address', ['{ name: a, path: a.yaml, base_url_env: LISTED }'], 'foreign-credential'],
  ['an inherited name is none', ['{ name: a, path: a.yaml, base_url_env: toString }'], 'foreign-credential'],
  [
    'files behind a misspelt key are no manifests',
    ['{ name: a, path: a }', '{ name: b, path: b.yaml, var_file: [a/v.yaml] }'],
    'unknown-field',
  ],
  [
    'nor those of the wrong type',
    ['{ name: a, path: a }', '{ name: b, path: b.yaml, var_files: a/v.yaml }'],
    'wrong-type',
  ],
  ['nor are they entries', ['{ each: a/*, var_file: [a/v.yaml] }'], 'unknown-field'],
  ['saved plans are not looked at', ['{ name: a, path: a.yaml, variables: 5 }'], 'wrong-type'],
])('of a mistake in the fleet file, nothing follows: %s', async (_, entries, code) => {
  mkdirSync(join(place.cwd, 'a'));
  mkdirSync(join(place.cwd, 'plans'));
  write('{}', 'plans/b.plan.json');
  write(site('a', 'a'), 'a/main.yaml');
  write('env: x\n', 'a/v.yaml');
  write(fileOf(...entries), 'edgeform.fleet.yaml');
  place.env = { ...place.env, OTHER: 'http://internal.example:8080', EDGEFORM_FLEET_CREDENTIALS: 'LISTED' };
  const { code: exit, stdout } = await fleet('apply', 'plans', '--auto-approve', '--format', 'json');
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string }[] };
  expect([exit, diagnostics.map((one) => one.code)]).toEqual([4, [code]]);
});

test('a shard that cannot be is told beside what else is wrong', async () => {
  const { code, stderr } = await fleet('plan', '--shard', '9/2', '--concurrency', 'x');
  expect([code, stderr.match(/^error: --[a-z]+/gm)]).toEqual([64, ['error: --concurrency', 'error: --shard']]);
});
