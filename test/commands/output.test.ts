// output: what the service chose, by output name or address, for people and for programs; never a write, never a secret.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { run as edgeform } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const PROBE = 'probe-1d0f77aa5b1f';
const MANIFEST = `version: 1
stack: shop
variables: { secret: { sensitive: true } }
reserved_addrs: { db: { region: eu } }
https_edges:
  shop:
    hostports: [shop.example.com:443]
    routes:
      api: { match_type: path_prefix, match: /, saml: { idp_metadata: "<x/>" } }
      hook: { match_type: exact_path, match: /hook, webhook_verification: { provider: github, secret: "\${var.secret}" } }
outputs:
  address: "\${reserved_addrs.db.addr}"
  format: "\${reserved_addrs.db.id}"
  link: "https://\${reserved_addrs.db.addr}/x"
  plain: as written
  token: "\${var.secret}"
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST }, { EDGEFORM_VAR_secret: PROBE });

const run = async (...args: string[]) => {
  const ran = await edgeform(['output', ...args], place);
  expect(ran.stdout + ran.stderr).not.toContain(PROBE);
  return ran;
};
const apply = async () => {
  expect((await edgeform(['apply', '--auto-approve'], place)).code).toBe(0);
  return place.emulator.requests.length;
};
const live = (key: string) => place.emulator.objects(key)[0] as Record<string, string>;
const words = (text: string) => text.replaceAll(/\s+/g, ' ');

test('outputs are evaluated against live state, without a write', async () => {
  const before = await apply();
  const { addr, id } = live('reserved_addrs');
  const { code, stdout, stderr } = await run();
  expect(code).toBe(0);
  expect(stderr).toBe('');
  expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['address', addr],
    ['format', id],
    ['link', `https://${addr!}/x`],
    ['plain', 'as written'],
    ['token', '(sensitive)'],
    [''],
  ]);
  expect([...new Set(place.emulator.requests.slice(before).map((request) => request.method))]).toEqual(['GET']);
});

test.each([
  { name: 'address', code: 0, says: '' },
  { name: 'reserved_addrs.db.addr', code: 0, says: '' },
  { name: 'token', code: 1, says: 'it holds a secret' },
  { name: 'env', code: 4, says: 'variable env has no value' },
  { name: 'both', code: 4, says: 'variable env has no value' },
])('$name asks only for the variables that it prints', async ({ name, code, says }) => {
  await apply();
  const lacking = MANIFEST.replace('variables: {', 'variables: { env: {}, other: {},')
    .replace('outputs:', 'outputs:\n  env: "${var.env}"\n  both: "${var.env}-${reserved_addrs.db.addr}"')
    .replace('{ db: { region: eu } }', '{ db: { region: eu, description: "${var.other}" } }');
  writeFileSync(join(place.cwd, 'edgeform.yaml'), lacking);
  const { EDGEFORM_VAR_secret: _, ...env } = place.env;
  const without = { cwd: place.cwd, env };
  const before = place.emulator.requests.length;
  const ran = await edgeform(['output', name], without);
  expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(says)]);
  expect(ran.stderr).not.toMatch(/variable (?:other|secret)/);
  expect(place.emulator.requests.length > before).toBe(code !== 4);
  const all = await edgeform(['output'], without);
  expect(all).toMatchObject({ code: 4, stderr: expect.stringMatching(/variable env has no value[^]*1 error/) });
});

test('as JSON: one document of name and value, whose format field is its own', async () => {
  await apply();
  for (const args of [['--json'], ['--format', 'json']]) {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(0);
    const { addr } = live('reserved_addrs');
    expect(JSON.parse(stdout)).toEqual({
      format: 'edgeform-output/1',
      address: addr,
      link: `https://${addr!}/x`,
      plain: 'as written',
      token: { sensitive: true },
    });
    expect(stderr).toContain('"format"');
  }
});

test('before apply, unknown outputs are named with their reason; one asked for by name is an error', async () => {
  const all = await run();
  expect(all.code).toBe(0);
  expect(all.stdout).toMatch(/^address +\(unknown\)$/m);
  expect(all.stdout).toMatch(/^plain +as written$/m);
  expect(words(all.stderr)).toContain('no live object of stack shop has the address reserved_addrs.db');
  expect(JSON.parse((await run('--json')).stdout)).toMatchObject({ address: null, plain: 'as written' });

  for (const name of ['address', 'link', 'reserved_addrs.db', 'reserved_addrs.db.addr']) {
    const { code, stdout, stderr } = await run(name);
    expect(code, name).toBe(1);
    expect(stdout, name).toBe('');
    expect(words(stderr), name).toContain('no live object of stack shop has the address reserved_addrs.db; apply');
  }
  const json = await run('address', '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.stdout)).toMatchObject({
    format: 'edgeform-error/1',
    exit_code: 1,
    diagnostics: [{ code: 'value-unknown' }],
  });
  expect((await run('plain')).stdout).toBe('as written\n');
});

test('one value is bare, so that a script can take it', async () => {
  await apply();
  const { addr } = live('reserved_addrs');
  for (const name of ['address', 'reserved_addrs.db.addr']) {
    expect(await run(name)).toMatchObject({ code: 0, stdout: `${addr!}\n`, stderr: '' });
    expect(JSON.parse((await run(name, '--json')).stdout)).toEqual({ format: 'edgeform-output/1', [name]: addr });
  }
  const url = 'https_edges.shop.routes.api.saml.metadata_url';
  expect((await run(url)).stdout).toMatch(/^https:\/\/\S+\n$/);
  const certificate = await run('https_edges.shop.routes.api.saml.request_signing_certificate_pem');
  expect(certificate.stdout).toContain('-----BEGIN CERTIFICATE-----\n');
});

test('an address or a module gives all computed values that there are', async () => {
  await apply();
  const { id, uri, created_at: created, addr } = live('reserved_addrs');
  const { stdout } = await run('reserved_addrs.db', '--json');
  expect(JSON.parse(stdout)).toEqual({
    format: 'edgeform-output/1',
    'reserved_addrs.db.id': id,
    'reserved_addrs.db.uri': uri,
    'reserved_addrs.db.created_at': created,
    'reserved_addrs.db.addr': addr,
  });
  const saml = await run('https_edges.shop.routes.api.saml');
  expect(saml.stdout.trimEnd().split('\n')).toHaveLength(5);
  expect((await run('https_edges.shop.routes.hook')).stdout).not.toContain('saml');
  const absent = await run('https_edges.shop.routes.hook.saml.metadata_url');
  expect(absent.code).toBe(1);
  expect(words(absent.stderr)).toContain(
    'the service returned no value for https_edges.shop.routes.hook.saml.metadata_url',
  );
});

test('a secret is never shown, also when it is asked for', async () => {
  await apply();
  const asked = await run('token');
  expect(asked.code).toBe(1);
  expect(asked.stdout).toBe('');
  expect((await run('https_edges.shop.routes.hook.webhook_verification.secret')).code).toBe(64);
});

test('wrong names are usage errors with the nearest right one', async () => {
  for (const [name, near] of [
    ['adress', 'address'],
    ['reserved_addrs.dbb', 'reserved_addrs.db'],
    ['reserved_addrs.dbb.addr', 'reserved_addrs.db'],
    ['reserved_addrs.db.adr', 'addr'],
    ['https_edges.shop.routes.api.saml.metadata_ur', 'saml.metadata_url'],
  ] as const) {
    const { code, stderr } = await run(name);
    expect(code, name).toBe(64);
    expect(stderr).toContain(`did you mean "${near}"?`);
  }
  for (const args of [['--nope'], ['a', 'b'], ['--format', 'yaml'], ['--deadline', 'soon']])
    expect((await run(...args)).code, args.join(' ')).toBe(64);
  expect(place.emulator.requests).toEqual([]);
});

test('another stack’s object and two objects of one address are not taken for the stack’s own', async () => {
  await apply();
  const other = folder({ 'edgeform.yaml': MANIFEST.replace('stack: shop', 'stack: other') });
  expect((await edgeform(['output', 'address'], { cwd: other, env: place.env })).code).toBe(1);
  const duplicate = { ...live('reserved_addrs'), id: 'ra_duplicate' };
  const seeded = await startEmulator({ seed: { reserved_addrs: [live('reserved_addrs'), duplicate] } });
  place.env = { ...place.env, EDGEFORM_BASE_URL: seeded.url, EDGEFORM_API_KEY: seeded.apiKey };
  const { code, stderr } = await run('address');
  await seeded.close();
  expect(code).toBe(1);
  expect(words(stderr)).toContain('exists 2 times');
});

test('without settings it is exit code 4, and a service that cannot be read is 1', async () => {
  place.env = { EDGEFORM_VAR_secret: PROBE };
  expect((await run()).code).toBe(4);
  place.env = { ...place.env, EDGEFORM_BASE_URL: 'http://127.0.0.1:1', EDGEFORM_API_KEY: 'key-12345678' };
  expect((await run()).code).toBe(1);
});
