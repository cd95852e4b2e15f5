// Moves from one stack to another on the command line: saved plans, a run that was killed, targets, exports, the built program, the
// library, and the file of a token.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { applyManifest, createRun, loadManifest, makePlan } from '../../src/index.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { edgeform } from '../support/cli.ts';
import { usePlace } from '../support/place.ts';

const ROUTES = '{ api: { match_type: path_prefix, match: /api } }';
const SITE = `{ hostports: ["www.example.com:443"], routes: ${ROUTES} }`;
const OTHER = 'version: 1\nstack: acme\ntls_edges: { other: { description: other } }\n';
const BEFORE = `${OTHER}https_edges: { site: ${SITE} }\n`;
const SHOP = `version: 1
stack: shop
https_edges: { shop: ${SITE} }
moved: [{ from: { stack: acme, address: https_edges.site }, to: https_edges.shop }]
`;
const MOVED = ['acme:tls_edges.other', 'shop:https_edges.shop', 'shop:https_edges.shop.routes.api'];
const FLEET = 'version: 1\nstacks: [{ name: acme, path: acme.yaml }, { name: shop, path: edgeform.yaml }]\n';

const place = usePlace({ 'acme.yaml': BEFORE, 'edgeform.yaml': SHOP, 'edgeform.fleet.yaml': FLEET });
const { run, write, writes } = place;
const apply = (...more: string[]) => run('apply', '--auto-approve', ...more);
const acme = (...args: string[]) => run(...args, '-f', 'acme.yaml');
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');

const objects = () =>
  ['tls_edges', 'https_edges', 'keys'].flatMap((list) =>
    place.emulator.objects(list).flatMap((one) => [one, ...((one['routes'] ?? []) as JsonObject[])]),
  );
const owners = () =>
  objects()
    .map(({ metadata }) => readMarker(String(metadata)).marker)
    .map((marker) => `${marker?.stack ?? ''}:${marker?.address ?? ''}`)
    .sort();
const ids = () => objects().map(({ id }) => id);

beforeEach(async () => {
  expect((await acme('apply', '--auto-approve')).code).toBe(0);
  write(OTHER, 'acme.yaml');
  place.emulator.requests.length = 0;
});

/** Nothing is left to do in either stack, nothing drifted, and nothing was created or deleted. */
async function expectMoved(): Promise<void> {
  expect(owners()).toEqual(MOVED);
  expect(writes().map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  for (const args of [['plan', '--detailed-exitcode'], ['drift']]) {
    expect((await run(...args)).code).toBe(0);
    expect((await acme(...args)).code).toBe(0);
  }
}

describe('a saved plan', () => {
  test('is carried out once, and then says that it was', async () => {
    expect((await run('plan', '--out', 'p.json')).code).toBe(0);
    expect((await apply('p.json')).code).toBe(0);
    await expectMoved();
    const again = await apply('p.json');
    expect([again.code, said(again)]).toEqual([0, expect.stringContaining('Already applied')]);
    expect(writes()).toHaveLength(2);
  });

  test('goes on after a part of it', async () => {
    await run('plan', '--out', 'p.json');
    expect((await apply('--target', 'https_edges.shop')).code).toBe(0);
    expect((await apply('p.json')).code).toBe(0);
    await expectMoved();
  });

  test('is out of date when a third stack took the object', async () => {
    await run('plan', '--out', 'p.json');
    const [{ id, metadata } = {}] = place.emulator.objects('https_edges');
    const theirs = String(metadata).replace('"stack":"acme"', '"stack":"third"');
    place.emulator.mutate('https_edges', String(id), { metadata: theirs });
    const refused = await apply('p.json');
    expect([refused.code, said(refused)]).toEqual([6, expect.stringContaining('has changed since the plan was made')]);
    expect(writes()).toEqual([]);
  });
});

test('a run that was killed between the write and its note is settled by the next one', async () => {
  expect((await apply()).code).toBe(0);
  const lines = readFileSync(place.journal(), 'utf8').split('\n');
  const first = lines.findIndex((line) => line.includes('"intent"'));
  writeFileSync(place.journal(), `${lines.slice(0, first + 1).join('\n')}\n`);
  expect((await apply()).code).toBe(0);
  await expectMoved();
});

test('a write whose answer was lost is looked up, and not repeated', async () => {
  await place.restart({ faults: [{ match: { method: 'PATCH', nth: 1 }, action: 'dropAfter' }] });
  write(BEFORE, 'acme.yaml');
  expect((await acme('apply', '--auto-approve')).code).toBe(0);
  write(OTHER, 'acme.yaml');
  place.emulator.requests.length = 0;
  expect((await apply()).code).toBe(0);
  await expectMoved();
});

test('the old stack deletes nothing that it knew, and may have a new object of the old name if a person says so', async () => {
  expect((await apply()).code).toBe(0);
  expect((await acme('apply', '--auto-approve')).code).toBe(0);
  await expectMoved();
  write(`${OTHER}https_edges: { site: { hostports: ["new.example.com:443"] } }\n`, 'acme.yaml');
  expect((await acme('apply', '--auto-approve')).code).toBe(5);
  expect((await acme('apply', '--auto-approve', '--resolve', 'https_edges.site=absent')).code).toBe(0);
  expect(owners()).toEqual([...MOVED.slice(0, 1), 'acme:https_edges.site', ...MOVED.slice(1)].sort());
});

test('a target moves what it names, and what that lies in', async () => {
  const { code, stdout } = await run('plan', '--target', 'https_edges.shop.routes.api');
  expect([code, stdout]).toEqual([0, expect.stringContaining('2 to adopt')]);
  expect((await apply('--target', 'https_edges.shop.routes.api')).code).toBe(0);
  await expectMoved();
});

test('the export of the new stack needs no entry', async () => {
  expect((await apply()).code).toBe(0);
  const { code, stdout } = await run('export', '--stack', 'shop');
  expect([code, stdout]).toEqual([0, expect.not.stringContaining('acme')]);
  write(stdout);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await run('export', '--stack', 'acme')).stdout).not.toContain('https_edges');
});

test('the library does the same', async () => {
  const files = [{ name: 'edgeform.yaml', text: SHOP }];
  const readFile = () => ({ diagnostics: [] });
  const { value: manifest } = loadManifest({ files, variables: new Map(), env: {}, readFile });
  if (manifest === undefined) throw new Error('the manifest is wrong');
  const given = { manifest, baseUrl: place.emulator.url, apiKey: place.emulator.apiKey };
  const journal = { journal: join(place.cwd, 'j.jsonl') };
  const plan = await makePlan(createRun({ ...given, options: journal }));
  expect(plan.steps.map(({ action, from_stack: from }) => [action, from])).toEqual([
    ['adopt', 'acme'],
    ['adopt', 'acme'],
  ]);
  const approve = () => Promise.resolve();
  const report = await applyManifest({ ...createRun({ ...given, options: journal }), approve });
  expect(report.result).toBe('done');
  await expectMoved();
});

test('the built program does the same, alone and in a fleet', async () => {
  const options = { cwd: place.cwd, env: place.env };
  expect((await edgeform(['fleet', 'apply', '--auto-approve'], options)).code).toBe(0);
  await expectMoved();
  write(SHOP.replace('stack: shop', 'stack: store').replace(/moved.*\n/, 'moved: [{ from: { stack: shop } }]\n'));
  const before = ids();
  expect((await edgeform(['apply', '--auto-approve'], options)).code).toBe(0);
  expect(owners()).toEqual(MOVED.map((one) => one.replace('shop:', 'store:')));
  expect(ids()).toEqual(before);
});

describe('the file of a token', () => {
  const key = (stack: string, name: string, more = '') =>
    `version: 1\nstack: ${stack}\napi_keys: { ${name}: { description: for CI } }\n${more}`;
  const token = (path: string) => join(place.cwd, 'tokens', path);
  const applyKeys = (...args: string[]) => run(...args, '--auto-approve', '--token-dir', 'tokens');

  test('keeps its name and its place when the key gets another address', async () => {
    write(key('keys', 'ci'));
    expect((await applyKeys('apply')).code).toBe(0);
    const before = readFileSync(token('api_keys.ci.token'), 'utf8');
    write(key('keys', 'build', 'moved: [{ from: api_keys.ci, to: api_keys.build }]\n'));
    expect((await applyKeys('apply')).code).toBe(0);
    expect(readFileSync(token('api_keys.ci.token'), 'utf8')).toBe(before);
    expect(existsSync(token('api_keys.build.token'))).toBe(false);
    expect((await run('plan', '--detailed-exitcode', '--token-dir', 'tokens')).code).toBe(0);
    // The file is never overwritten by that of another key.
    write(`version: 1\nstack: keys\napi_keys: { build: { description: for CI }, ci: { description: another } }\n`);
    const refused = await applyKeys('apply');
    expect([refused.code, said(refused)]).toEqual([4, expect.stringContaining('move the old file away')]);
    renameSync(token('api_keys.ci.token'), token('api_keys.build.token'));
    expect((await applyKeys('apply')).code).toBe(0);
    expect(readFileSync(token('api_keys.build.token'), 'utf8')).toBe(before);
    expect(readFileSync(token('api_keys.ci.token'), 'utf8')).not.toBe(before);
  });

  test('stays in the folder of the entry that created it when the key goes to another stack', async () => {
    rmSync(join(place.cwd, 'edgeform.fleet.yaml'));
    write('version: 1\nstacks: [{ name: a, path: a.yaml }, { name: b, path: b.yaml }]\n', 'edgeform.fleet.yaml');
    write(key('a', 'ci'), 'a.yaml');
    write('version: 1\nstack: b\n', 'b.yaml');
    expect((await applyKeys('fleet', 'apply')).code).toBe(0);
    const before = readFileSync(token('a/api_keys.ci.token'), 'utf8');
    write('version: 1\nstack: a\n', 'a.yaml');
    write(key('b', 'ci', 'moved: [{ from: { stack: a } }]\n'), 'b.yaml');
    expect((await applyKeys('fleet', 'apply')).code).toBe(0);
    expect(place.emulator.objects('keys')).toHaveLength(1);
    expect(readFileSync(token('a/api_keys.ci.token'), 'utf8')).toBe(before);
    expect((await run('fleet', 'plan', '--detailed-exitcode', '--token-dir', 'tokens')).code).toBe(0);
  });
});
