// The key of another account: what the journal knows is not there, and nothing is created a second time by mistake.

import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

function smallStack(name: string): string {
  return `version: 1\nstack: ${name}\ntls_edges: { web: { description: ${name} } }\n`;
}

const TWO = 'version: 1\nstack: shop\ntls_edges: { a: { description: a }, b: { description: b } }\n';
const place = usePlace({
  'edgeform.yaml': TWO,
  'edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n',
  ...Object.fromEntries(['one', 'two', 'new'].map((stack) => [`${stack}.yaml`, smallStack(stack)])),
});
const { run, writes } = place;
const apply = (...more: string[]) => run('apply', '--auto-approve', ...more);
const edges = () => place.emulator.objects('tls_edges');

/** Applies the stack; then the service has nothing of it, as for another key. */
async function lost(): Promise<void> {
  expect((await apply()).code).toBe(0);
  for (const { id } of edges()) place.emulator.remove('tls_edges', String(id));
  place.emulator.requests.length = 0;
}

test.each([
  ['plan', ['plan'], /--recreate/],
  ['apply', ['apply', '--auto-approve'], /--recreate/],
  ['destroy', ['destroy', '--auto-approve'], /nothing to destroy here.*--deleted-outside/],
  ['apply of a target', ['apply', '--auto-approve', '--target', 'tls_edges.a'], /--recreate/],
  ['fleet plan', ['fleet', 'plan'], /--recreate --only shop/],
  ['fleet apply', ['fleet', 'apply', '--auto-approve'], /--recreate --only shop/],
  ['fleet destroy', ['fleet', 'destroy', '--auto-approve'], /nothing to destroy here.*--deleted-outside --only shop/],
])('%s is refused, and says how to go on', async (_, args, flag) => {
  await lost();
  const { code, stdout, stderr } = await run(...args);
  expect([code, `${stdout}${stderr}`.replace(/\s+/g, ' ')]).toEqual([
    5,
    expect.stringMatching(/2 objects of stack shop.*\[another-account\].*/),
  ]);
  expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toMatch(flag);
  expect(writes()).toEqual([]);
});

test('drift reports what is missing, and the refusal', async () => {
  await lost();
  const { code, stdout } = await run('drift', '--format', 'json');
  expect(code).toBe(2);
  const { findings, refusals } = JSON.parse(stdout) as Record<string, readonly JsonObject[]>;
  expect([findings?.map(({ type }) => type), refusals?.map(({ rule }) => rule)]).toEqual([
    ['missing', 'missing'],
    ['another-account'],
  ]);
});

test('--recreate says that they were deleted outside, once', async () => {
  await lost();
  expect((await apply('--recreate')).code).toBe(0);
  expect(edges()).toHaveLength(2);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await apply()).code).toBe(0);
});

test('a saved plan keeps what was said when it was made', async () => {
  await lost();
  expect((await run('plan', '--out', 'refused.json')).code).toBe(5);
  expect((await apply('refused.json')).code).toBe(5);
  expect((await run('plan', '--recreate', '--out', 'p.json')).code).toBe(0);
  expect((await apply('p.json')).code).toBe(0);
  expect((await apply('p.json')).stdout).toContain('Already applied');
  expect(edges()).toHaveLength(2);
});

test.each([
  ['destroy', ['destroy', '--auto-approve', '--deleted-outside']],
  ['fleet destroy', ['fleet', 'destroy', '--auto-approve', '--deleted-outside', '--only', 'shop']],
])('%s takes the consent as it is printed, and ends with nothing', async (_, args) => {
  await lost();
  expect((await run(...args)).code).toBe(0);
  expect((await apply()).code).toBe(0);
  expect(edges()).toHaveLength(2);
});

test('each name of the consent is known where it says what happens', async () => {
  expect((await run('destroy', '--auto-approve', '--recreate')).code).toBe(64);
  expect((await apply('--deleted-outside')).code).toBe(64);
});

test('what goes with an edge that the stack deletes is no other account', async () => {
  const routes = ['a', 'b'].map((name) => `${name}: { match_type: exact_path, match: /${name} }`).join(', ');
  place.write(`version: 1\nstack: shop\nhttps_edges: { site: { routes: { ${routes} } } }\n`);
  expect((await apply()).code).toBe(0);
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  expect((await apply()).code).toBe(0);
});

test('what the stack deleted itself is created again without a word', async () => {
  expect((await apply()).code).toBe(0);
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  expect((await apply()).code).toBe(0);
  expect(edges()).toHaveLength(2);
});

test('one object that is gone is created again, as ever', async () => {
  place.write('version: 1\nstack: shop\ntls_edges: { a: {} }\n');
  await lost();
  expect((await apply()).code).toBe(0);
  expect(edges()).toHaveLength(1);
});

// Stacks with one object each, of which one folder has the journals.

const of = (stack: string) => ['-f', `${stack}.yaml`];

/** Both are applied; then the service has nothing of these. */
async function bothLost(gone: readonly string[] = ['one', 'two']): Promise<void> {
  for (const stack of ['one', 'two']) expect((await apply(...of(stack))).code).toBe(0);
  for (const { id, description } of edges())
    if (gone.includes(String(description))) place.emulator.remove('tls_edges', String(id));
  place.emulator.requests.length = 0;
}

test.each([
  ['plan', ['plan', ...of('one')]],
  ['apply', ['apply', '--auto-approve', ...of('two')]],
  ['apply of a stack that is new', ['apply', '--auto-approve', ...of('new')]],
  ['destroy', ['destroy', '--auto-approve', ...of('one')]],
])('%s counts what the journals beside its own know', async (_, args) => {
  await bothLost();
  const { code, stdout, stderr } = await run(...args);
  expect([code, `${stdout}${stderr}`.replace(/\s+/g, ' ')]).toEqual([
    5,
    expect.stringMatching(
      /the journals in this folder know 2 objects of 2 stacks at this service.*\[another-account\]/,
    ),
  ]);
  expect(writes()).toEqual([]);
});

test('what the journals beside its own doubt is not accepted as drift', async () => {
  await bothLost();
  const { code, stderr } = await run('drift', ...of('one'), '--accept', 'all', '--write');
  expect([code, stderr]).toEqual([2, expect.stringContaining('is doubted by a safety rule')]);
  expect(readFileSync(join(place.cwd, 'one.yaml'), 'utf8')).toBe(smallStack('one'));
});

test('the consent for one stack shows that the objects of the others were deleted, too', async () => {
  await bothLost();
  expect((await apply(...of('new'), '--recreate')).code).toBe(0);
  expect((await apply(...of('one'))).code).toBe(0);
  expect((await apply(...of('two'))).code).toBe(0);
  expect(edges()).toHaveLength(3);
});

test('an object of any stack that is there shows that the key is the right one', async () => {
  await bothLost(['one']);
  expect((await apply(...of('one'))).code).toBe(0);
  expect((await apply(...of('new'))).code).toBe(0);
  expect(edges()).toHaveLength(3);
});

test.each<readonly [string, (journal: string) => void]>([
  ['that cannot be parsed', (journal) => writeFileSync(journal, 'no journal\n')],
  ['that names another stack', (journal) => renameSync(journal, journal.replace('two.', 'three.'))],
  [
    'that names another service',
    (journal) =>
      writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll('"service":"http', '"service":"https')),
  ],
  ['that a run holds', (journal) => writeFileSync(`${journal}.lock`, '')],
])('a journal beside it %s counts for nothing', async (_, change) => {
  await bothLost();
  change(place.journal('two'));
  expect((await apply(...of('one'))).code).toBe(0);
});

test('what another stack deleted itself is not expected', async () => {
  await bothLost(['one']);
  expect((await run('destroy', '--auto-approve', ...of('two'))).code).toBe(0);
  expect((await apply(...of('one'))).code).toBe(0);
});

test('a journal that a user names has none beside it, wherever it lies', async () => {
  await bothLost();
  expect((await apply(...of('new'), '--journal', place.journal('mine'))).code).toBe(0);
});
