// What people are told: all that is wrong at once, where it is wrong, and one fix that is right.

import { expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

interface Row {
  readonly code: string;
  readonly message: string;
  readonly line: number;
  readonly column: number;
  readonly fix: string;
}

async function problemsIn(blocks: string): Promise<readonly Row[]> {
  const cwd = folder({ 'edgeform.yaml': `version: 1\nstack: shop\n${blocks}` });
  const { stdout, stderr } = await run(['validate', '--format', 'json'], { cwd });
  const { diagnostics } = JSON.parse(stdout || stderr) as { diagnostics: readonly Row[] };
  return diagnostics;
}

test.each([
  ['""', 'public_key is empty', 'wrong-value'],
  ['" \\n"', 'public_key is empty'],
  ['"-----BEGIN PRIVATE KEY-----\\nMIIBhunter\\n-----END PRIVATE KEY-----"', /private key/],
  ['"-----BEGIN OPENSSH PRIVATE KEY-----\\nMIIBhunter"', /private key/],
  ['"PuTTY-User-Key-File-3: ssh-ed25519\\nhunter"', /private key/],
  ['"${file:id_rsa}"', /private key/],
])('the public key %s is refused, and not shown', async (key, message, code = 'rule-broken') => {
  const cwd = folder({
    'edgeform.yaml': `version: 1\nstack: shop\nssh_credentials:\n  a: { public_key: ${key} }\n`,
    id_rsa: '-----BEGIN RSA PRIVATE KEY-----\nMIIBhunter\n',
  });
  const { code: exit, stdout, stderr } = await run(['validate', '--format', 'json'], { cwd });
  expect([exit, JSON.parse(stdout)]).toMatchObject([
    4,
    { diagnostics: [{ code, message: expect.stringMatching(message), got: null }] },
  ]);
  expect(stdout + stderr).not.toContain('hunter');
  const text = await run(['validate'], { cwd });
  expect(text.stdout + text.stderr).not.toContain('hunter');
});

test('what excludes each other is said to, and one is kept', async () => {
  const cwd = folder({});
  const { code, stderr } = await run(['export', '--all', '--unmanaged'], { cwd });
  expect([code, stderr]).toEqual([64, expect.stringContaining('--unmanaged and --all exclude each other')]);
  expect(stderr).toContain('keep one of them');
  expect((await run(['export'], { cwd })).stderr).toContain('no objects were selected');
});

test.each([
  { args: ['--port', '99999', '--page-size', '0', '--latency', '-1', '--seed', 'nope'], code: 64, count: 3 },
  { args: ['--seed', 'nope', '--faults', 'no'], code: 4, count: 3 },
])('the emulator tells all that is wrong at once: $args', async ({ args, code: wanted, count }) => {
  const { code, stderr } = await run(['emulator', ...args], { cwd: folder({}), env: { EDGEFORM_VERSION_HEADER: 'x' } });
  expect(code).toBe(wanted);
  expect(stderr).toMatch(new RegExp(`\n${count} errors\n$`));
});

test('kinds have the right article, and counts the right number', async () => {
  const addresses = ['event_destinations.a', 'api_keys.a', 'ssh_credentials.a', 'https_edges.a', 'tls_edges.a'];
  const moves = addresses.map((from, index) => `  - { from: ${from}, to: ${addresses[(index + 1) % 5] ?? ''} }\n`);
  const wrong = await problemsIn(`moved:\n${moves.join('')}`);
  expect(wrong.map(({ message }) => message).filter((message) => message.includes('become'))).toEqual([
    'an event destination cannot become an API key',
    'an API key cannot become an SSH credential',
    'an SSH credential cannot become an HTTPS edge',
    'an HTTPS edge cannot become a TLS edge',
    'a TLS edge cannot become an event destination',
  ]);
  const [long] = await problemsIn(
    `variables: { v: { default: ${'x'.repeat(256)} } }\ntls_edges: { a: { description: "\${var.v}" } }\n`,
  );
  expect(long?.fix).toBe('shorten it by 1 byte');
});

test('a plan file that is JSON and no object is said to be that', async () => {
  const cwd = folder({ 'a.json': '[]', 'b.json': '{' });
  expect((await run(['show', 'a.json'], { cwd })).stderr).toContain('it is not a JSON object');
  expect((await run(['show', 'b.json'], { cwd })).stderr).toContain('it is not JSON');
});

test('what lacks a field is named by its whole address', async () => {
  const found = await problemsIn('agent_ingresses: { b: {} }\nevent_subscriptions: { c: {} }\n');
  expect(found.map(({ message }) => message)).toContain('"domain" is missing in agent_ingresses.b');
});
