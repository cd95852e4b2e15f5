// What a command line and its settings lack is told at once, and what is not there is not accepted.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { main: {} }\n';

test('a missing base URL and a missing key come together', async () => {
  const { code, stderr } = await run(['plan'], { cwd: folder({ 'edgeform.yaml': MANIFEST }) });
  expect(code).toBe(4);
  expect(stderr).toContain('EDGEFORM_BASE_URL');
  expect(stderr).toContain('EDGEFORM_API_KEY');
});

test('--target takes addresses of the manifest only', async () => {
  const option = '--target';
  const args = ['plan', option, 'reserved_addrs.mian', option, 'tls_edges.nowhere'];
  const { code, stderr } = await run(args, { cwd: folder({ 'edgeform.yaml': MANIFEST }) });
  expect(code).toBe(64);
  expect(stderr).toContain('did you mean "reserved_addrs.main"?');
  expect(stderr).toContain(`${option} tls_edges.nowhere`);
});

test('--allow-loss takes any address, because what is lost may have no block any more', async () => {
  const args = ['plan', '--allow-loss', 'gadgets.main', '--allow-loss', 'reserved_addrs.gone'];
  const { code, stderr } = await run(args, { cwd: folder({ 'edgeform.yaml': MANIFEST }) });
  expect(code).toBe(64);
  expect(stderr).toContain('--allow-loss gadgets.main: this is not the address of a resource');
  expect(stderr).not.toContain('reserved_addrs.gone');
});

test('--resolve takes addresses of the manifest or the journal only', async () => {
  const args = ['apply', '--auto-approve', '--resolve', 'reserved_addrs.mian=absent'];
  const env = { EDGEFORM_BASE_URL: 'http://127.0.0.1:9', EDGEFORM_API_KEY: 'key-of-a-test' };
  const { code, stderr } = await run(args, { cwd: folder({ 'edgeform.yaml': MANIFEST }), env });
  expect(code).toBe(64);
  expect(stderr).toContain('did you mean "reserved_addrs.main"?');
});

const WITH_VARIABLE = `${MANIFEST}variables: { note: {}, hush: { sensitive: true } }
ssh_credentials: { a: { description: "\${var.note}", public_key: "ssh-ed25519 \${var.hush}" } }

`;

test('validate and graph need no values of variables', async () => {
  const cwd = folder({ 'edgeform.yaml': WITH_VARIABLE });
  expect(await run(['validate'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(await run(['graph'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  const asked = await run(['validate', '--require-vars'], { cwd });
  expect(asked.code).toBe(4);
  expect(asked.stderr.match(/has no value/g)).toHaveLength(2);
  expect(asked.stderr).not.toContain('--var hush');
});

test('a doubled address names both its places, in every format', async () => {
  const cwd = folder({ 'one.yaml': MANIFEST, 'two.yaml': 'reserved_addrs:\n  main: {}\n' });
  const as = (format: string) => run(['validate', '-f', 'one.yaml', '-f', 'two.yaml', '--format', format], { cwd });
  for (const format of ['text', 'markdown', 'html', 'github']) {
    const { stdout, stderr } = await as(format);
    expect(stdout + stderr, format).toContain('one.yaml:3:19');
    expect(stdout + stderr, format).toMatch(/two\.yaml:2:3|file=two\.yaml,line=2/);
  }
  const { diagnostics } = JSON.parse((await as('json')).stdout) as { diagnostics: unknown[] };
  expect(diagnostics).toMatchObject([
    { code: 'duplicate-address', file: 'two.yaml', line: 2, related: [{ file: 'one.yaml', line: 3, column: 19 }] },
  ]);
});

test('a file that cannot be read is named, and so are all others', async () => {
  const cwd = folder({ 'bad.yaml': MANIFEST });
  writeFileSync(join(cwd, 'bad.yaml'), Buffer.from([0xff, 0xfe, 0x00]));
  writeFileSync(
    join(cwd, 'worse.yaml'),
    'tls_edges: { a: { hostprts: [], backend: { backend_id: "${failover_backends.b.id}" } } }',
  );
  const args = ['bad.yaml', 'nowhere.yaml', 'worse.yaml'].flatMap((name) => ['-f', name]);
  const { diagnostics } = JSON.parse((await run(['validate', '--format', 'json', ...args], { cwd })).stdout) as {
    diagnostics: { file: string }[];
  };
  // What the others lack may be in those that cannot be read.
  expect(diagnostics.map(({ file }) => file)).toEqual(['bad.yaml', 'nowhere.yaml', 'worse.yaml']);
});
