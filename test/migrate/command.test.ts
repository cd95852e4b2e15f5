// The way in as a user goes it: import, validate, plan, apply, and nothing left to do. No secret of the state is written anywhere.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';
import { SECRETS, SEED, STATE, VARIABLES } from './fixture.ts';

let emulator: Emulator;
let cwd: string;
beforeEach(async () => {
  emulator = await startEmulator({ seed: SEED });
  cwd = folder({ 'state.json': STATE });
});
afterEach(() => emulator.close());

async function run(line: string, more: { readonly env?: object; readonly stdin?: string } = {}) {
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, ...VARIABLES, ...more.env };
  const ran = await runIn(line.split(' '), { cwd, env, ...(more.stdin !== undefined && { stdin: more.stdin }) });
  for (const secret of SECRETS) expect(`${ran.stdout}${ran.stderr}`).not.toContain(secret);
  return ran;
}

const read = (name: string) => readFileSync(join(cwd, name), 'utf8');
const writes = () => emulator.requests.filter(({ method }) => method !== 'GET').length;

describe('import terraform', () => {
  test('the manifest validates, adopts, and leaves nothing to do', async () => {
    const made = await run('import terraform state.json --stack shop', { env: { EDGEFORM_API_KEY: '' } });
    expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining('not-exported') });
    expect(emulator.requests).toEqual([]);
    writeFileSync(join(cwd, 'edgeform.yaml'), made.stdout);
    expect((await run('validate')).code).toBe(0);
    const plan = JSON.parse((await run('plan --format json')).stdout) as { readonly summary: object };
    const nothing = { create: 0, update: 0, replace: 0, delete: 0, release: 0, blocked: 0 };
    expect(plan.summary).toMatchObject({ ...nothing, adopt: 9 });
    expect((await run('apply --auto-approve')).code).toBe(0);
    expect(writes()).toBe(9);
    expect(await run('plan --detailed-exitcode')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/No changes/),
    });
  });

  test('standard input is read', async () => {
    const made = await run('import terraform -', { stdin: STATE });
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('\nstack: imported\n') });
  });

  test('a state with nothing to import is an error that names the types', async () => {
    const resources = ['aws_s3_bucket', 'ngrok_cloud_endpoint', 'aws_s3_bucket'].map((type, at) => {
      return { address: `${type}.a${at}`, mode: 'managed', type, name: `a${at}`, values: { id: `x-${at}` } };
    });
    const state = (all: readonly object[]) =>
      JSON.stringify({ format_version: '1.0', values: { root_module: { resources: all } } });
    writeFileSync(join(cwd, 'other.json'), state(resources));
    expect(await run('import terraform other.json')).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(/aws_s3_bucket: 2 resources[^;]*; ngrok_cloud_endpoint: 1 resource/s),
    });
    writeFileSync(join(cwd, 'empty.json'), state([]));
    expect(await run('import terraform empty.json --out new.yaml')).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('has no resources'),
    });
    expect(existsSync(join(cwd, 'new.yaml'))).toBe(false);
  });

  test('a resource named __proto__ is one like any other', async () => {
    const values = { id: 'ra_2db0', region: 'eu', description: 'database' };
    const resource = { address: 'a.__proto__', mode: 'managed', type: 'a', name: '__proto__', values };
    const module = { resources: [resource], child_modules: [{ address: 'module.__proto__', resources: [resource] }] };
    writeFileSync(join(cwd, 'state.json'), JSON.stringify({ format_version: '1.0', values: { root_module: module } }));
    writeFileSync(join(cwd, 'edgeform.yaml'), (await run('import terraform state.json')).stdout);
    expect((await run('plan --format json')).code).toBe(0);
  });

  test.each([
    { line: 'import terraform nothing.json', code: 4, says: 'cannot be read' },
    { line: 'import terraform state.json --stack Shop', code: 64, says: 'stack name' },
    { line: 'import terraform state.json --format html', code: 64, says: '' },
    { line: 'import terraform plan.json', code: 4, says: 'it is a plan' },
    { line: 'import terraform plan.json --format json', code: 4, says: '' },
  ])('$line: $code', async ({ line, code, says }) => {
    writeFileSync(join(cwd, 'plan.json'), '{"planned_values":{}}');
    const ran = await run(line);
    expect(ran).toMatchObject({ code, stderr: expect.stringContaining(says) });
    if (line.endsWith('json --format json'))
      expect(JSON.parse(ran.stdout)).toMatchObject({ format: 'edgeform-error/1', exit_code: 4 });
  });
});

describe('fmt', () => {
  const UGLY = "stack:   'shop'\nversion: 1\n";
  const PRETTY = 'version: 1\nstack: "shop"\n';

  test('formats the usual files, keeps their permissions, and has nothing to do then', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), UGLY, { mode: 0o640 });
    expect(await run('fmt --check')).toMatchObject({ code: 2, stdout: 'edgeform.yaml\n' });
    expect(read('edgeform.yaml')).toBe(UGLY);
    expect(await run('fmt')).toMatchObject({ code: 0, stdout: 'edgeform.yaml\n' });
    expect([read('edgeform.yaml'), statSync(join(cwd, 'edgeform.yaml')).mode & 0o777]).toEqual([PRETTY, 0o640]);
    expect(await run('fmt --check')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('JSON files and anchors are left alone; a broken file means that none is written', async () => {
    writeFileSync(join(cwd, 'a.yaml'), UGLY);
    writeFileSync(join(cwd, 'b.json'), '{"version":1,   "stack":"shop"}');
    writeFileSync(join(cwd, 'c.yaml'), 'stack:  &a shop\n');
    expect(await run('fmt --check a.yaml b.json c.yaml')).toMatchObject({
      code: 2,
      stdout: 'a.yaml\n',
      stderr: expect.stringContaining('c.yaml has anchors'),
    });
    writeFileSync(join(cwd, 'd.yaml'), 'stack: [\n');
    expect(await run('fmt a.yaml d.yaml')).toMatchObject({ code: 4, stderr: expect.stringContaining('d.yaml:') });
    expect(read('a.yaml')).toBe(UGLY);
    expect((await run('fmt nowhere.yaml')).code).toBe(4);
  });

  test('a comment that would move: the file is left alone, and --check fails with its line', async () => {
    const text = 'version: 1\nstack: shop\ntls_edges:\n  a: {}\n  # ends the edges\n\n# ends the file\n';
    writeFileSync(join(cwd, 'edgeform.yaml'), text);
    const left = { stdout: '', stderr: expect.stringMatching(/# ends the file[^]*edgeform\.yaml:7:1/) };
    expect(await run('fmt')).toMatchObject({ code: 0, ...left });
    expect(await run('fmt --check')).toMatchObject({ code: 2, ...left });
    expect(read('edgeform.yaml')).toBe(text);
  });

  test('what import writes has the form of fmt', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), (await run('import terraform state.json')).stdout);
    expect(await run('fmt --check')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  test('an exported manifest means the same afterwards', async () => {
    writeFileSync(join(cwd, 'edgeform.yaml'), (await run('import terraform state.json')).stdout);
    const before = await run('plan --format json');
    await run('fmt');
    const digest = (text: string) => (JSON.parse(text) as { readonly manifest_digest: string }).manifest_digest;
    expect(digest((await run('plan --format json')).stdout)).toBe(digest(before.stdout));
  });
});

describe('eval', () => {
  const MANIFEST = `version: 1
stack: shop
variables:
  env: { default: prod }
  lacking: {}
  secret: { sensitive: true }
  hosts: { default: [a, 1.50] }
  keys: { sensitive: true, default: [not-to-be-seen, x] }
reserved_addrs:
  db: { region: eu, description: "\${var.lacking}", lifecycle: { adopt: ra_2db0 } }
  new: {}
`;
  const SECRET = { EDGEFORM_VAR_secret: 'not-to-be-seen' };
  const SET = { ...SECRET, EDGEFORM_VAR_lacking: 'x' };
  const NO_KEY = { EDGEFORM_API_KEY: '' };

  beforeEach(() => {
    writeFileSync(join(cwd, 'edgeform.yaml'), MANIFEST);
    writeFileSync(join(cwd, 'note.txt'), 'read me');
  });

  test.each([
    { text: 'var.env', env: NO_KEY, stdout: 'prod\n' },
    { text: 'shop-${var.env}', env: NO_KEY, stdout: 'shop-prod\n' },
    { text: '$${x}', env: NO_KEY, stdout: '${x}\n' },
    { text: '"\\${var.env}\u00e9', env: NO_KEY, stdout: '"\\prod\u00e9\n' },
    { text: 'var.hosts', env: NO_KEY, stdout: '["a","1.50"]\n' },
    { text: '${var.hosts}', env: NO_KEY, stdout: '["a","1.50"]\n' },
    { text: 'var.keys', env: NO_KEY, stdout: '(sensitive)\n' },
    { text: 'file:note.txt', env: NO_KEY, stdout: 'read me\n' },
    { text: 'var.secret', env: { ...SECRET, ...NO_KEY }, stdout: '(sensitive)\n' },
    { text: 'a${var.secret}', env: SET, stdout: '(sensitive)\n' },
    { text: 'reserved_addrs.db.addr', env: SET, stdout: '1.tcp.eu.example.com:10001\n' },
    { text: 'tcp://${reserved_addrs.db.addr}', env: SET, stdout: 'tcp://1.tcp.eu.example.com:10001\n' },
    { text: '${reserved_addrs.db.id}${var.secret}', env: SET, stdout: '(sensitive)\n' },
  ])('$text', async ({ text, env, stdout }) => {
    const ran = await runIn(['eval', text], {
      cwd,
      env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, ...env },
    });
    expect(ran).toMatchObject({ code: 0, stdout });
    expect(`${ran.stdout}${ran.stderr}`).not.toContain('not-to-be-seen');
  });

  test.each([
    { line: 'eval reserved_addrs.db.addr', env: { ...SET, ...NO_KEY }, code: 4, says: 'EDGEFORM_API_KEY' },
    { line: 'eval reserved_addrs.new.addr', env: SET, code: 1, says: 'value-unknown' },
    { line: 'eval reserved_addrs.old.addr', env: SET, code: 4, says: 'unknown-reference' },
    { line: 'eval reserved_addrs.db', env: SET, code: 4, says: 'the attribute is missing' },
    { line: 'eval var.lacking', env: {}, code: 4, says: 'EDGEFORM_VAR_lacking' },
    { line: 'eval a${var.hosts}', env: {}, code: 4, says: 'no list can stand here' },
    { line: 'eval var.other', env: {}, code: 4, says: 'unknown-variable' },
    { line: 'eval file:../note.txt', env: {}, code: 4, says: 'file-outside-root' },
    { line: 'eval env.HOME', env: {}, code: 4, says: 'bad-expression' },
    { line: 'eval', env: {}, code: 64, says: 'expression' },
  ])('$line: $says', async ({ line, env, code, says }) => {
    const ran = await run(line, { env });
    expect(ran).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(says) });
  });

  test('as a document', async () => {
    const { stdout } = await run('eval var.env --format json');
    expect(JSON.parse(stdout)).toEqual({ format: 'edgeform-output/1', 'var.env': 'prod' });
    expect(writes()).toBe(0);
    expect(existsSync(join(cwd, '.edgeform'))).toBe(false);
  });
});
