// The key of another account, for a fleet of stacks with one object each: what all journals know counts together.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];
const stackOf = (name: string) => `version: 1\nstack: ${name}\ntls_edges: { web: { description: ${name} } }\n`;
const fleetOf = (names: readonly string[]) =>
  `version: 1\nstacks: [${names.map((name) => `{ name: ${name}, path: ${name}.yaml }`).join(', ')}]\n`;
const place = usePlace({
  'edgeform.fleet.yaml': fleetOf(NAMES),
  ...Object.fromEntries([...NAMES, 'new'].map((name) => [`${name}.yaml`, stackOf(name)])),
});
const { run, write, writes } = place;
const edges = () => place.emulator.objects('tls_edges');

interface Fleet {
  readonly stacks: readonly {
    readonly exit_code: number;
    readonly plan?: { readonly refusals: readonly { readonly rule: string; readonly flag: string }[] };
  }[];
}
const asJson = async (...args: string[]) => JSON.parse((await run(...args, '--format', 'json')).stdout) as Fleet;
const codesOf = ({ stacks }: Fleet) => stacks.map(({ exit_code: code }) => code);

/** Applies the fleet; then the service has nothing of these, as for another key. */
async function lost(names = NAMES): Promise<void> {
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  for (const { id, description } of edges())
    if (names.includes(String(description))) place.emulator.remove('tls_edges', String(id));
  place.emulator.requests.length = 0;
}

test.each([
  ['plan', ['fleet', 'plan'], 5],
  ['apply', ['fleet', 'apply', '--auto-approve'], 5],
  ['apply of one of them', ['fleet', 'apply', '--auto-approve', '--only', 'c'], 5],
  ['apply of a shard', ['fleet', 'apply', '--auto-approve', '--shard', '1/3'], 5],
  ['destroy', ['fleet', 'destroy', '--auto-approve'], 5],
])('fleet %s is refused for each', async (_, args, expected) => {
  await lost();
  const codes = codesOf(await asJson(...args));
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).toEqual(codes.map(() => expected));
  expect(writes()).toEqual([]);
});

test('fleet drift finds what is missing, and accepts none of it', async () => {
  await lost();
  expect((await run('fleet', 'drift')).code).toBe(2);
  const before = NAMES.map((name) => readFileSync(join(place.cwd, `${name}.yaml`), 'utf8'));
  const { code, stderr } = await run('fleet', 'drift', '--accept', 'all', '--write');
  expect([code, stderr]).toEqual([2, expect.stringContaining('is doubted by a safety rule')]);
  expect(NAMES.map((name) => readFileSync(join(place.cwd, `${name}.yaml`), 'utf8'))).toEqual(before);
});

test('one that is new to the fleet is not created there either', async () => {
  await lost();
  write(fleetOf([...NAMES, 'new']), 'edgeform.fleet.yaml');
  expect(codesOf(await asJson('fleet', 'apply', '--auto-approve'))).toEqual([5, 5, 5, 5, 5, 5]);
  expect(codesOf(await asJson('fleet', 'apply', '--auto-approve', '--only', 'new'))).toEqual([5]);
  expect(edges()).toEqual([]);
});

test('the consent as it is printed is for its stack, and shows that the others were deleted, too', async () => {
  await lost();
  const flags = (await asJson('fleet', 'plan')).stacks.flatMap(({ plan }) => plan?.refusals.map(({ flag }) => flag));
  expect(flags).toEqual(NAMES.map((name) => `--recreate --only ${name}`));
  expect((await run('fleet', 'apply', '--auto-approve', ...(flags[1] ?? '').split(' '))).code).toBe(0);
  expect(edges().map(({ description }) => description)).toEqual(['b']);
  // Something of the fleet is there now: the key is the right one.
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  expect(edges()).toHaveLength(5);
});

test.each([
  ['one object of one stack', ['c']],
  ['one object each of several, while others have theirs', ['a', 'c', 'd']],
])('%s was deleted outside', async (_, gone) => {
  await lost(gone);
  expect(codesOf(await asJson('fleet', 'apply', '--auto-approve'))).toEqual([0, 0, 0, 0, 0]);
  expect(edges()).toHaveLength(5);
});

test('plans that were saved with the right key are refused with another one', async () => {
  await lost([]);
  for (const name of NAMES) write(stackOf(name).replace('description', 'metadata: x, description'), `${name}.yaml`);
  expect((await run('fleet', 'plan', '--out', 'plans')).code).toBe(0);
  for (const { id } of edges()) place.emulator.remove('tls_edges', String(id));
  const codes = codesOf(await asJson('fleet', 'apply', 'plans', '--auto-approve'));
  expect(codes.every((code) => code === 5 || code === 6)).toBe(true);
  expect(edges()).toEqual([]);
});
