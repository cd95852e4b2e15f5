// Two accounts of one service, and one journal: what is written down in one account says nothing about the other.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const manifest = (names: string, stack = 'shop') =>
  `version: 1\nstack: ${stack}\ntls_edges: { ${names
    .split('')
    .map((name) => `${name}: { description: ${name} }`)
    .join(', ')} }\n`;
const place = usePlace({
  'edgeform.yaml': manifest('abc'),
  'edgeform.fleet.yaml': 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n',
});
const { run, write } = place;
const apply = (...more: string[]) => run('apply', '--auto-approve', ...more);
const edges = () => place.emulator.objects('tls_edges');
const remove = (id: unknown) => place.emulator.remove('tls_edges', String(id));
const codeOf = async (...args: string[]) => (await run(...args)).code;

/** The key of an account: the same address, and objects of its own. */
async function use(account: 'A' | 'B'): Promise<void> {
  const port = Number(new URL(place.emulator.url).port);
  await place.restart({ port, stateFile: join(place.cwd, `${account}.json`) });
  if (account === 'B' && edges().length === 0) for (let at = 0; at < 9; at++) await useId();
}

/** Ids of an emulator are numbered, and those of two accounts are never the same. */
async function useId(): Promise<void> {
  const headers = {
    authorization: `Bearer ${place.emulator.apiKey}`,
    'service-version': '2',
    'content-type': 'application/json',
  };
  await fetch(`${place.emulator.url}/edges/tls`, { method: 'POST', headers, body: '{}' });
  remove(edges()[0]?.['id']);
}

async function findings(): Promise<readonly JsonObject[]> {
  const { stdout } = await run('drift', '--format', 'json');
  return (JSON.parse(stdout) as { readonly findings: readonly JsonObject[] }).findings;
}

/** Both accounts have the stack; the second was made with the flag that the first refusal prints. */
async function both(): Promise<void> {
  await use('A');
  expect((await apply()).code).toBe(0);
  await use('B');
  expect((await apply()).code).toBe(5);
  expect((await apply('--recreate')).code).toBe(0);
  expect(edges()).toHaveLength(3);
}

test('each key is the right one, there and back', async () => {
  await both();
  for (const account of ['A', 'B', 'A', 'B'] as const) {
    await use(account);
    expect(await codeOf('plan', '--detailed-exitcode')).toBe(0);
    expect(await codeOf('drift')).toBe(0);
    expect(await codeOf('fleet', 'plan', '--detailed-exitcode')).toBe(0);
    expect((await apply()).stdout).toContain('No changes');
  }
});

test('what a run does in one account stands in the lines of that account', async () => {
  await both();
  await use('A');
  write(manifest('abcd'));
  expect((await apply()).code).toBe(0);
  const lines = readFileSync(place.journal(), 'utf8').split('\n');
  const accountOf = (id: string) => {
    const begun = lines
      .slice(
        0,
        lines.findLastIndex((line) => line.includes(id)),
      )
      .filter((line) => /"type":"begin"/.test(line));
    return /"account":2/.test(begun.at(-1) ?? '') ? 2 : 1;
  };
  const added = edges().find(({ description }) => description === 'd');
  expect(accountOf(String(added?.['id']))).toBe(1);
  // The other account has three, and none of them was deleted outside.
  await use('B');
  expect((await run('drift')).stdout).toContain('No drift. 1 resource to create');
});

test('drift names ids of its own account only', async () => {
  await both();
  const other = edges().map(({ id }) => String(id));
  await use('A');
  const [lost] = edges();
  remove(lost?.['id']);
  const { code, stdout } = await run('drift');
  expect([code, other.filter((id) => stdout.includes(id))]).toEqual([2, []]);
  expect(stdout).toContain(String(lost?.['id']));
});

test('what was destroyed in one account is still expected in the other', async () => {
  await both();
  expect(await codeOf('destroy', '--auto-approve')).toBe(0);
  await use('A');
  remove(edges()[0]?.['id']);
  expect(await findings()).toMatchObject([{ type: 'missing', cause: 'drift' }]);
  expect(await codeOf('drift')).toBe(2);
  expect(await codeOf('fleet', 'drift')).toBe(2);
  expect((await apply()).code).toBe(0);
  expect(edges()).toHaveLength(3);
  // Nothing is alive there, so the last run in the other account counts, and a person has to say that this is right.
  await use('B');
  expect(await codeOf('plan')).toBe(5);
  expect((await apply('--recreate')).code).toBe(0);
});

test('a stack of one object is noticed in each account, without any consent', async () => {
  write(manifest('a'));
  await use('A');
  expect((await apply()).code).toBe(0);
  await use('B');
  expect((await apply()).code).toBe(0);
  expect(await codeOf('destroy', '--auto-approve')).toBe(0);
  await use('A');
  expect(await codeOf('drift')).toBe(0);
  write(manifest('ab'));
  expect((await apply()).code).toBe(0);
  remove(edges().find(({ description }) => description === 'a')?.['id']);
  expect(await findings()).toMatchObject([{ type: 'missing', address: 'tls_edges.a', cause: 'drift' }]);
});

test('a journal that knows the other account only is not believed where the stack has its objects', async () => {
  await use('A');
  expect((await apply('--journal', 'a.jsonl')).code).toBe(0);
  await use('B');
  expect((await apply('--journal', 'b.jsonl')).code).toBe(0);
  for (const command of ['plan', 'drift']) expect(await codeOf(command, '--journal', 'a.jsonl')).toBe(0);
  expect((await apply('--journal', 'a.jsonl')).code).toBe(0);
  // Both are in it by now.
  remove(edges()[0]?.['id']);
  expect(await codeOf('drift', '--journal', 'a.jsonl')).toBe(2);
  await use('A');
  expect(await codeOf('drift', '--journal', 'a.jsonl')).toBe(0);
});

test('the refusal names the journal of its own, and that works as it is printed', async () => {
  await use('A');
  expect((await apply()).code).toBe(0);
  await use('B');
  const { code, stdout, stderr } = await run('plan');
  expect([code, `${stdout}${stderr}`.replace(/\s+/g, ' ')]).toEqual([
    5,
    expect.stringContaining('for two accounts at one address, give each a journal of its own with --journal FILE'),
  ]);
  expect((await apply('--journal', 'b.jsonl')).code).toBe(0);
  expect(edges()).toHaveLength(3);
});

test('a journal without a second account says nothing of accounts', async () => {
  await use('A');
  expect((await apply()).code).toBe(0);
  expect(readFileSync(place.journal(), 'utf8')).not.toContain('account');
});

test('a run that wrote nothing, or whose writes all failed, begins no account', async () => {
  await use('A');
  expect((await apply()).code).toBe(0);
  for (const { id } of edges()) remove(id);
  expect(await codeOf('apply', '--recreate')).not.toBe(0);
  expect(await codeOf('plan')).toBe(5);
  const { port } = new URL(place.emulator.url);
  const faults = [1, 2, 3].map(() => ({ match: { method: 'POST' }, action: 'status' as const, status: 400 }));
  await place.restart({ port: Number(port), stateFile: join(place.cwd, 'A.json'), faults });
  expect((await apply('--recreate')).code).toBe(1);
  expect(await codeOf('plan')).toBe(5);
  expect(await codeOf('drift')).toBe(2);
});

test('a creation that was cut off in one account keeps its lines apart from those of the other, and nothing is created twice', async () => {
  await use('A');
  write(manifest('ab'));
  expect((await apply()).code).toBe(0);
  write(manifest('abc'));
  expect((await apply()).code).toBe(0);
  const lines = readFileSync(place.journal(), 'utf8').split('\n');
  const last = lines.findLastIndex((line) => line.includes('"type":"intent"'));
  writeFileSync(place.journal(), `${lines.slice(0, last + 1).join('\n')}\n`);
  await use('B');
  expect((await apply('--recreate', '--settle', '1')).code).toBe(0);
  expect(edges()).toHaveLength(3);
  for (const account of ['A', 'B'] as const) {
    await use(account);
    expect((await run('plan')).stdout).toContain('No changes');
    const lost = String(edges().find((one) => one['description'] === 'a')?.['id']);
    remove(lost);
    const { code, stdout } = await run('drift');
    expect([code, stdout]).toEqual([2, expect.stringContaining(lost)]);
  }
});
