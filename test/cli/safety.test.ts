// Safety rules through the command line, in this process: what is protected, in use or not ours survives, exit code 5 and no
// write say so, and the way out that the message names works.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Emulator, EmulatorOptions } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

let emulator: Emulator;
let cwd: string;
beforeEach(() => start());
afterEach(() => emulator.close());

async function start(options: EmulatorOptions = {}): Promise<void> {
  emulator = await startEmulator(options);
  cwd = folder({});
}

const KEEP = 'ssh_credentials: { k1: { public_key: k1 }, k2: { public_key: k2 }, k3: { public_key: k3 } }\n';
const apply = (yaml: string, ...flags: string[]) => {
  writeFileSync(join(cwd, 'edgeform.yaml'), `version: 1\nstack: shop\n${KEEP}${yaml}`);
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  return run(['apply', '--auto-approve', ...flags], { cwd, env });
};
const done = async (yaml: string, ...flags: string[]) => {
  const { code, stdout, stderr } = await apply(yaml, ...flags);
  expect(code, stdout + stderr).toBe(0);
};
const refused = async (rule: string, yaml: string, ...flags: string[]) => {
  const before = emulator.requests.length;
  const { code, stdout, stderr } = await apply(yaml, ...flags);
  expect([code, stdout]).toEqual([5, expect.stringContaining(`[${rule}]`)]);
  expect(stderr).toContain('Nothing was changed.');
  expect(emulator.requests.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
};
const foreign = async (path: string, body: JsonObject) => {
  const authorization = `Bearer ${emulator.apiKey}`;
  const headers = { authorization, 'service-version': '2', 'content-type': 'application/json' };
  const answer = await fetch(emulator.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return String(((await answer.json()) as JsonObject)['id']);
};
const target = (kind: string, arn: string) => ({
  target: { [kind]: { [arn]: 'arn:f', auth: { role: { role_arn: 'arn:r' } } } },
});
const ids = (list: string) => emulator.objects(list).map((object) => String(object['id']));

test('an adopted object with `prevent_destroy: true` and another domain', async () => {
  const id = await foreign('/agent_ingresses', { domain: 'one.test' });
  const block = (domain: string, more: string) =>
    `agent_ingresses: { a: { domain: ${domain}, lifecycle: { adopt: ${id}, ${more} } } }`;
  await refused('protected', block('two.test', 'prevent_destroy: true'), '--allow-loss', 'agent_ingresses.a');
  await refused('adoption-replaces', block('two.test', 'prevent_destroy: false'));
  await done(block('one.test', 'prevent_destroy: true'));
  expect(ids('ingresses')).toEqual([id]);
});

test('an adopted destination with another kind of target', async () => {
  const id = await foreign('/event_destinations', target('firehose', 'delivery_stream_arn'));
  const block = `event_destinations: { a: { target: { kinesis: { stream_arn: "arn:k", auth: { role: { role_arn: "arn:r" } } } }, lifecycle: { adopt: ${id} } } }`;
  await refused('adoption-replaces', block);
  expect(ids('event_destinations')).toEqual([id]);
  await done(block, '--allow-loss', 'event_destinations.a');
  expect(ids('event_destinations')).not.toContain(id);
});

test('a rename onto a protected block, with another region', async () => {
  await done('reserved_addrs: { old: { region: eu } }');
  const [id] = ids('reserved_addrs');
  const renamed = (region: string) =>
    `reserved_addrs: { db: { region: ${region}, lifecycle: { prevent_destroy: true } } }
moved: [{ from: reserved_addrs.old, to: reserved_addrs.db }]`;
  await refused('protected', renamed('us'), '--allow-loss', 'reserved_addrs.db');
  await done(renamed('eu'));
  expect(ids('reserved_addrs')).toEqual([id]);
});

test('protection that the same plan takes off, and then alone', async () => {
  const block = (region: string, isOn: boolean) =>
    `reserved_addrs: { db: { region: ${region}, lifecycle: { prevent_destroy: ${isOn} } } }`;
  await done(block('eu', true));
  const [id] = ids('reserved_addrs');
  await refused('protected', block('us', false), '--allow-loss', 'reserved_addrs.db');
  await refused('protected', '', '--allow-loss', 'reserved_addrs.db');
  expect(ids('reserved_addrs')).toEqual([id]);
  await done(block('eu', false));
  await done('removed: [{ from: reserved_addrs.db, destroy: true }]');
  expect(ids('reserved_addrs')).toEqual([]);
});

test('an address that a foreign edge serves', async () => {
  await done('reserved_addrs: { db: { region: eu } }');
  const [address] = emulator.objects('reserved_addrs').map((object) => String(object['addr']));
  await foreign('/edges/tls', { hostports: [address ?? ''] });
  await refused('still-referenced', '', '--allow-loss', 'reserved_addrs.db');
  await refused('still-referenced', 'reserved_addrs: { db: { region: us } }', '--allow-loss', 'reserved_addrs.db');
  expect(emulator.objects('reserved_addrs').map((object) => object['addr'])).toEqual([address]);
});

test('a module and its backend go in one apply where modules cannot be removed', async () => {
  await emulator.close();
  await start({ disabled: ['module-delete'] });
  const env = { EDGEFORM_CAPABILITIES: '-module-delete' };
  const yaml = `failover_backends: { app: { backends: [bkdhr_1] } }
tls_edges: { e: { backend: { backend_id: "\${failover_backends.app.id}" } } }`;
  const settings = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey, ...env };
  const command = (text: string, ...args: string[]) => {
    writeFileSync(join(cwd, 'edgeform.yaml'), `version: 1\nstack: shop\n${KEEP}${text}`);
    return run(args, { cwd, env: settings });
  };
  expect((await command(yaml, 'apply', '--auto-approve')).code).toBe(0);
  const { code, stdout } = await command('tls_edges: { e: {} }', 'apply', '--auto-approve');
  expect([code, stdout]).toEqual([0, expect.stringContaining('which this plan deletes')]);
  expect(emulator.objects('backends')).toEqual([]);
  expect((await command('tls_edges: { e: {} }', 'plan', '--detailed-exitcode')).code).toBe(0);
});

const addressNamed = (name: string) => `reserved_addrs: { ${name}: { region: eu } }\n`;
const CONSENT = 'removed: [{ from: reserved_addrs.db, destroy: true }]\n';

test.each([
  ['an address', 'reserved_addrs', 'reserved_addrs', 'region: eu'],
  ['an agent ingress', 'agent_ingresses', 'ingresses', 'domain: one.test'],
  ['a key', 'api_keys', 'keys', 'description: for CI'],
])('a rename of %s that was forgotten loses nothing', async (_, key, list, fields) => {
  const tokens = ['--token-dir', join(cwd, 'tokens')];
  const block = (name: string) => `${key}: { ${name}: { ${fields} } }\n`;
  await done(block('old'), ...tokens);
  const before = ids(list);
  await refused('irreplaceable', block('new'), ...tokens);
  await refused('irreplaceable', '', ...tokens, '--allow-deletes', 'all');
  await refused('irreplaceable', block('new'), ...tokens, '--allow-loss', `${key}.new`);
  expect(ids(list)).toEqual(before);
  await done(`${block('new')}moved: [{ from: ${key}.old, to: ${key}.new }]`, ...tokens);
  expect(ids(list)).toEqual(before);
});

test('consent in the manifest: reviewed where it stands, beside any number of deletions, and silent once it is done', async () => {
  await done(`${addressNamed('db')}tls_edges: { e1: {}, e2: {}, e3: {} }`);
  expect((await apply(`${addressNamed('db')}${CONSENT}`)).code).toBe(4);
  await refused('irreplaceable', 'removed: [{ from: reserved_addrs.other, destroy: true }]');
  await done(CONSENT);
  expect([ids('reserved_addrs'), ids('tls_edges')]).toEqual([[], []]);
  const again = await apply(CONSENT);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('No changes.')]);
  expect(`${again.stdout}${again.stderr}`).not.toContain('removed');
});

test('the manifest of another team with the same stack changes nothing, also with a target', async () => {
  await done('tls_edges: { a: {}, b: {}, c: {}, d: {} }');
  const theirs = 'version: 1\nstack: shop\ntls_edges: { theirs: { hostports: [theirs.test:443] } }\n';
  writeFileSync(join(cwd, 'theirs.yaml'), theirs);
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const before = [ids('tls_edges'), ids('ssh_credentials')];
  for (const more of [[], ['--target', 'tls_edges.theirs'], ['--allow-deletes', '9']]) {
    const { code, stdout } = await run(['apply', '-f', 'theirs.yaml', '--auto-approve', ...more], { cwd, env });
    expect([code, stdout]).toEqual([5, expect.stringContaining('[unrelated-manifest]')]);
    // Every flag that is named would be enough.
    expect(stdout).not.toMatch(/--allow-deletes \d/);
  }
  expect([ids('tls_edges'), ids('ssh_credentials')]).toEqual(before);
});

test('consent that a plan was saved with counts for that plan', async () => {
  await done(addressNamed('db'));
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  writeFileSync(join(cwd, 'edgeform.yaml'), `version: 1\nstack: shop\n${KEEP}`);
  const saved = (file: string, ...flags: string[]) => run(['plan', '--out', file, ...flags], { cwd, env });
  const applied = (file: string) => run(['apply', file, '--auto-approve'], { cwd, env });
  await saved('refused.json');
  expect((await applied('refused.json')).code).toBe(5);
  await saved('agreed.json', '--allow-loss', 'reserved_addrs.db');
  expect((await applied('agreed.json')).code).toBe(0);
  expect(ids('reserved_addrs')).toEqual([]);
});
