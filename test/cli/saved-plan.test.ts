// Saved plans through the built binary: what is read back, what is refused with zero writes, and which exit codes say so.

import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const CANARY = 'canary-0d1f77ab93';
const manifest = (description: string) => `version: 1
stack: shop
variables: { secret: { sensitive: true } }
tls_edges:
  a: { description: ${description}, hostports: [a.test:443] }
  b: { description: b }
https_edges:
  site:
    routes:
      hook: { match_type: exact_path, match: /hook, webhook_verification: { provider: github, secret: "\${var.secret}" } }
`;

let emulator: Emulator;
let cwd: string;
let env: Record<string, string>;

beforeEach(async () => {
  emulator = await startEmulator();
  cwd = folder({ 'edgeform.yaml': manifest('first') });
  env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, EDGEFORM_VAR_secret: CANARY };
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  writeFileSync(join(cwd, 'edgeform.yaml'), manifest('second'));
  expect((await run('plan', '--out', 'p.json')).code).toBe(0);
  emulator.requests.length = 0;
});
afterEach(() => emulator.close());

const run = (...args: string[]) => runIn(args, { cwd, env });
const writes = () => emulator.requests.filter((request) => request.method !== 'GET');
const applySaved = (...more: string[]) => run('apply', 'p.json', '--auto-approve', ...more);
const edge = (description: string) =>
  String(emulator.objects('tls_edges').find((one) => one['description'] === description)?.['id']);
const edit = (change: (text: string) => string) => {
  const file = join(cwd, 'p.json');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
};

test('the saved plan is carried out as it is, and is for its owner only', async () => {
  expect(statSync(join(cwd, 'p.json')).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(cwd, 'p.json'), 'utf8')).not.toContain(CANARY);
  const { code, stdout } = await applySaved();
  expect(code, stdout).toBe(0);
  expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([`PATCH /edges/tls/${edge('second')}`]);
});

test('it cannot be carried out twice', async () => {
  await applySaved();
  const { code, stderr } = await applySaved();
  expect(code).toBe(6);
  expect(stderr).toContain('description');
  expect(writes()).toHaveLength(1);
});

test('objects that it does not touch may move freely; what is pending there is told', async () => {
  emulator.mutate('tls_edges', edge('b'), { description: 'moved by somebody' });
  const { code, stderr } = await applySaved();
  expect(code).toBe(0);
  expect(stderr).toContain('tls_edges.b');
  expect(writes()).toHaveLength(1);
});

describe('stale: exit 6, the object and the field named, nothing written', () => {
  test.each([
    ['a field that it changes', { description: 'elsewhere' }, 'description'],
    ['a field that it leaves alone', { hostports: ['z.test:443'] }, 'hostports'],
    ['the metadata', { metadata: 'x' }, 'exists by now|gone|metadata|not to be'],
  ])('%s', async (_, patch, field) => {
    emulator.mutate('tls_edges', edge('first'), patch);
    const { code, stderr } = await applySaved();
    expect(code).toBe(6);
    expect(stderr).toMatch(/tls_edges\.a/);
    expect(stderr).toMatch(new RegExp(field));
    expect(writes()).toEqual([]);
  });

  test('the object is gone', async () => {
    emulator.remove('tls_edges', edge('first'));
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('tls_edges.a')]);
    expect(writes()).toEqual([]);
  });

  test('an object that it creates exists by now', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), `${manifest('first')}reserved_addrs: { db: {} }\n`);
    await run('plan', '--out', 'p.json');
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    emulator.requests.length = 0;
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('reserved_addrs.db exists by now')]);
    expect(writes()).toEqual([]);
  });

  test('the manifest is another one by now', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), manifest('third'));
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([6, expect.stringContaining('manifest')]);
    expect(writes()).toEqual([]);
  });

  test('a secret is another one by now', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), manifest('first').replace('match: /hook', 'match: /other'));
    await run('plan', '--out', 'p.json');
    env['EDGEFORM_VAR_secret'] = 'another-secret';
    expect((await applySaved()).code).toBe(6);
    expect(writes()).toEqual([]);
  });
});

describe('refused: exit 4, nothing written, nothing asked', () => {
  const tampered = (text: string) =>
    JSON.stringify({ ...(JSON.parse(text) as object), stack: 'shop', complete: false });
  test.each<[string, (text: string) => string, RegExp]>([
    [
      'one letter of a request was changed',
      (text) => text.replaceAll('"second"', '"tampered"'),
      /changed after it was made/,
    ],
    [
      'a request leads to another object',
      (text) => text.replace(/"path": "\/edges\/tls\/[^"]*"/, '"path": "/edges/tls/edgtls_other"'),
      /changed after it was made/,
    ],
    ['a field was changed', tampered, /changed after it was made/],
    ['it has a newer format', (text) => text.replace('edgeform-plan/1', 'edgeform-plan/2'), /newer/],
    ['it is cut off', (text) => text.slice(0, text.length / 2), /not JSON/],
    ['it is another document', () => '{"format":"edgeform-report/1"}', /format/],
    ['it lacks a part', (text) => text.replace('"steps"', '"stepz"'), /shape/],
  ])('%s', async (_, change, words) => {
    edit(change);
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([4, expect.stringMatching(words)]);
    expect(emulator.requests).toEqual([]);
    expect((await run('show', 'p.json')).code).toBe(4);
  });

  test('it is for another service', async () => {
    const other = await startEmulator({ apiKey: emulator.apiKey });
    env['EDGEFORM_BASE_URL'] = other.url;
    const { code, stderr } = await applySaved();
    expect([code, stderr]).toEqual([4, expect.stringContaining(other.url)]);
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test('it is for another stack', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), manifest('second').replace('stack: shop', 'stack: other'));
    expect((await applySaved()).code).toBe(4);
    expect(emulator.requests).toEqual([]);
  });

  test('the file is not there', async () => {
    expect((await run('apply', 'no.json', '--auto-approve')).code).toBe(4);
    expect((await run('show', 'no.json')).code).toBe(4);
  });
});

test('a forged plan with a right fingerprint is not what the live state asks for: exit 6, nothing written', async () => {
  const { fingerprintOf } = await import('../../src/plan/build.ts');
  edit((text) => {
    const forged = JSON.parse(text.replaceAll('"second"', '"forged"')) as Parameters<typeof fingerprintOf>[0];
    return JSON.stringify({ ...forged, fingerprint: fingerprintOf(forged) });
  });
  expect((await run('show', 'p.json')).code).toBe(0);
  const { code, stderr } = await applySaved();
  expect([code, stderr]).toEqual([6, expect.stringContaining('not the requests')]);
  expect(writes()).toEqual([]);
});

test('a safety rule that the plan was made without is allowed by a flag of plan or of apply', async () => {
  const one = 'version: 1\nstack: many\nreserved_addrs:\n';
  const addrs = (count: number) => one + Array.from({ length: count }, (_, index) => `  a${index}: {}\n`).join('');
  writeFileSync(join(cwd, 'edgeform.yaml'), addrs(6));
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  writeFileSync(join(cwd, 'edgeform.yaml'), addrs(2));
  await run('plan', '--out', 'p.json');
  expect((await applySaved()).code).toBe(5);
  await run('plan', '--out', 'allowed.json', '--allow-deletes', '4');
  expect((await applySaved('--allow-deletes', '3')).code).toBe(5);
  expect((await run('apply', 'allowed.json', '--auto-approve')).code).toBe(0);
  expect(emulator.objects('reserved_addrs')).toHaveLength(2);
});

test('show prints the same text as plan, without network or credentials', async () => {
  const planned = await run('plan');
  env = {};
  const shown = await run('show', 'p.json');
  expect([shown.code, shown.stdout]).toEqual([0, planned.stdout]);
  expect((await run('show', 'p.json', '--format', 'json')).stdout).toBe(readFileSync(join(cwd, 'p.json'), 'utf8'));
});

test('a plan that cannot be written is exit 74, and leaves the old file as it is', async () => {
  const before = readFileSync(join(cwd, 'p.json'), 'utf8');
  if (process.getuid?.() === 0) return; // Root may write everywhere.
  chmodSync(cwd, 0o500);
  expect((await run('plan', '--out', 'p.json')).code).toBe(74);
  expect(readFileSync(join(cwd, 'p.json'), 'utf8')).toBe(before);
});
