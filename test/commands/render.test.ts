// render: the plain manifest as text and as a document; it is valid, formatted, and means the same.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { formatManifest } from '../../src/manifest/text/format.ts';
import { folder } from '../support/cli.ts';
import { run } from '../support/host.ts';

const FILES = {
  'stack/stack.yaml': `version: 1
stack: "shop-\${var.env}"
variables:
  env: { default: prod }
  secret: { sensitive: true }
  tls: { default: 1.20 }
presets:
  signin:
    oauth: { provider: { github: { client_id: abc, client_secret: "\${var.secret}", teams: [acme/ops] } } }
  guarded: { lifecycle: { prevent_destroy: true } }
`,
  'stack/site.yaml': `# The site.
https_edges:
  site:
    preset: guarded
    hostports: ["\${reserved_addrs.db.addr}"]
    routes:
      api:
        oauth: { maximum_duration: 3600 }
        preset: signin
        without: [oauth.provider.github.teams]
        match: /api
        match_type: path_prefix
      start: { match_type: exact_path, match: /, description: "\${file:notice.txt}" }
reserved_addrs:
  db: { description: "10", preset: [guarded] }
  other: {}
moved: [{ from: reserved_addrs.old, to: reserved_addrs.db }]
`,
  'stack/notice.txt': 'hello\n',
  'prod.yaml': `without: [reserved_addrs.other]
https_edges: { site: { routes: { start: { without: [description], match: /start } } } }
add:
  https_edges: { site: { routes: { health: { match_type: exact_path, match: /health } } } }
  outputs: { address: "\${reserved_addrs.db.addr}" }
`,
};
const ARGS = ['-f', 'stack/', '--overlay', 'prod.yaml'];

function place(files: Readonly<Record<string, string>> = FILES): string {
  const cwd = folder({});
  mkdirSync(join(cwd, 'stack'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

test('the plain manifest of several files and an overlay', async () => {
  const ran = await run(['render', ...ARGS], { cwd: place() });
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  await expect(ran.stdout).toMatchFileSnapshot('golden/render.yaml');
  expect(formatManifest('a.yaml', ran.stdout).value).toBe(ran.stdout);
});

test('rendered again, it is the same text, and it means the same', async () => {
  const cwd = place();
  const { stdout } = await run(['render', ...ARGS], { cwd });
  writeFileSync(join(cwd, 'stack/plain.yaml'), stdout);
  const again = await run(['render', '-f', 'stack/plain.yaml'], { cwd });
  expect([again.code, again.stdout]).toEqual([0, stdout]);
  const variables = new Map([['secret', 'probe-7']]);
  const readFile = () => ({ value: 'hello', diagnostics: [] });
  const load = (names: readonly (keyof typeof FILES)[], more: readonly string[]) => {
    const fileOf = (name: string, text: string) => ({ name, text });
    const files = [...names.map((name) => fileOf(name, FILES[name])), ...more.map((text) => fileOf('p.yaml', text))];
    const overlays = more.length > 0 ? [] : [fileOf('prod.yaml', FILES['prod.yaml'])];
    return loadManifest({ files, overlays, variables, env: {}, readFile });
  };
  const [written, plain] = [load(['stack/stack.yaml', 'stack/site.yaml'], []), load([], [stdout])];
  expect([written.diagnostics, plain.diagnostics]).toEqual([[], []]);
  expect(plain.value?.digest).toBe(written.value?.digest);
});

test('as a document, it is there as JSON and as text', async () => {
  const cwd = place();
  const { stdout } = await run(['render', ...ARGS, '--format', 'json'], { cwd });
  const text = (await run(['render', ...ARGS], { cwd })).stdout;
  const document = JSON.parse(stdout) as JsonObject;
  expect(document).toMatchObject({
    format: 'edgeform-render/1',
    stack: 'shop-${var.env}',
    files: [{ path: 'edgeform.yaml', text }],
    diagnostics: [],
    manifest: { version: 1, reserved_addrs: { db: { description: '10', lifecycle: { prevent_destroy: true } } } },
  });
});

test('--out writes a new file and no other', async () => {
  const cwd = place();
  const text = (await run(['render', ...ARGS], { cwd })).stdout;
  const ran = await run(['render', ...ARGS, '--out', 'plain.yaml'], { cwd });
  expect([ran.code, ran.stdout, readFileSync(join(cwd, 'plain.yaml'), 'utf8')]).toEqual([0, '', text]);
  expect((await run(['render', ...ARGS, '--out', 'plain.yaml'], { cwd })).code).toBe(64);
  const onto = await run(['render', ...ARGS, '--out', 'prod.yaml'], { cwd });
  expect([onto.code, readFileSync(join(cwd, 'prod.yaml'), 'utf8')]).toEqual([64, FILES['prod.yaml']]);
});

test('what is wrong is said, in any file, and nothing is printed', async () => {
  const wrong = {
    ...FILES,
    'prod.yaml': 'add: { tls_edges: { db: { hostport: [] } } }\nwithout: [reserved_addrs.none]\n',
  };
  const ran = await run(['render', ...ARGS], { cwd: place(wrong) });
  expect([ran.code, ran.stdout]).toEqual([4, '']);
  const places = [...ran.stderr.matchAll(/\[([\w-]+)\]\n +--> (\S+)/g)].map(
    ([, code, at]) => `${code ?? ''} ${at ?? ''}`,
  );
  expect(places).toEqual(['unknown-field prod.yaml:1:27', 'bad-without prod.yaml:2:11']);
  expect(ran.stderr).not.toContain('see also');
});

describe('it ends as validate does', () => {
  const MANIFEST =
    'version: 1\nstack: "shop-${var.env}"\nvariables: { env: { default: prod } }\ntls_edges: { db: {} }\n';
  const POLICY =
    'version: 1\npolicies: [{ name: hosts, on: object, kinds: [tls_edge], expression: "!has(object.hostports)", message: no hostports, severity: SEVERITY }]\n';
  const OVERLAY = 'tls_edges: { db: { description: x } }\n';
  const place = { 'edgeform.yaml': MANIFEST, 'error.yaml': POLICY.replace('SEVERITY', 'error') };
  const files = { ...place, 'warning.yaml': POLICY.replace('SEVERITY', 'warning'), 'o.yaml': OVERLAY };

  test.each<readonly [string, readonly string[], Readonly<Record<string, string>>, number]>([
    ['a value from outside makes the stack no name', [], { EDGEFORM_VAR_env: 'Not A Name' }, 4],
    ['a policy of the environment', [], { EDGEFORM_POLICY: 'error.yaml' }, 4],
    ['a policy that is named', ['--policy', 'error.yaml'], {}, 4],
    ['a policy that only warns', ['--policy', 'warning.yaml'], {}, 0],
    ['a name in the environment that nothing reads', [], { EDGEFORM_VAR_envv: 'x' }, 0],
    ['an overlay without a stack', ['--overlay', 'o.yaml', '-f', 'literal.yaml'], {}, 4],
    ['an overlay', ['--overlay', 'o.yaml'], {}, 0],
  ])('%s', async (_, args, env, code) => {
    const cwd = folder({ ...files, 'literal.yaml': MANIFEST.replace(/"shop.*"/, 'shop') });
    const valid = await run(['validate', ...args], { cwd, env });
    const rendered = await run(['render', ...args], { cwd, env });
    expect([valid.code, rendered.code]).toEqual([code, code]);
    const problems = (text: string) => [...text.matchAll(/\[[\w-]+\]$/gm)].map(([shown]) => shown);
    expect(problems(rendered.stderr)).toEqual(problems(valid.stderr));
    if (code === 0) expect(rendered.stdout).not.toContain('Not A Name');
    else expect(rendered.stdout).toBe('');
  });

  test('a value from outside is not printed', async () => {
    const cwd = folder({ 'edgeform.yaml': `${MANIFEST}outputs: { o: "\${var.env}" }\n` });
    const ran = await run(['render'], { cwd, env: { EDGEFORM_VAR_env: 'probe-value' } });
    expect([ran.code, ran.stdout + ran.stderr]).toEqual([0, expect.not.stringContaining('probe-value')]);
  });
});

test.each([
  ['a field', 'event_destinations:\n  d: { target: { datadog: { api_key: "probe-123456" } } }\n'],
  ['a default', 'variables:\n  key: { sensitive: true, default: "probe-123456" }\n'],
  [
    'a default that only its field says is one',
    'variables:\n  key: { default: "probe-123456" }\nevent_destinations:\n  d: { target: { datadog: { api_key: "${var.key}" } } }\n',
  ],
  [
    'a field, with a default as a part',
    'variables:\n  kind: { default: "plain-kind" }\nevent_destinations:\n  d: { target: { datadog: { api_key: "probe-123456-${var.kind}" } } }\n',
  ],
])('a secret that is written in %s is not printed', async (_, text) => {
  const cwd = folder({ 'edgeform.yaml': `version: 1\nstack: shop\n${text}` });
  const ran = await run(['render'], { cwd });
  expect([ran.code, ran.stdout]).toEqual([4, '']);
  expect(ran.stderr).toContain('[literal-secret]');
  expect(ran.stderr).not.toContain('probe-123456');
});

test('a default that is used as a secret is told by validate, too, at the default and at its use', async () => {
  const field = 'event_destinations:\n  d: { target: { datadog: { api_key: "${var.key}" } } }\n';
  const manifest = (key: string) => `version: 1\nstack: shop\nvariables: { key: ${key} }\n${field}`;
  const cwd = folder({ 'edgeform.yaml': manifest('{ default: probe-123456 }') });
  const { code, stdout } = await run(['validate', '--format', 'json'], { cwd });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    {
      diagnostics: [
        {
          ...{ code: 'literal-secret', severity: 'warning', line: 3, column: 30 },
          fix: 'write `key: { sensitive: true }`, and give the value from outside: EDGEFORM_VAR_key',
          related: [{ line: 5, message: 'used here' }],
        },
      ],
    },
  ]);
  // What the fix says, and what is no secret.
  for (const key of ['{ sensitive: true }', '{ default: "" }']) {
    const other = folder({ 'edgeform.yaml': manifest(key) });
    expect((await run(['validate'], { cwd: other })).stderr).toBe('');
    expect((await run(['render'], { cwd: other })).code).toBe(0);
  }
  // A value from outside hides none of it.
  const given = await run(['validate'], { cwd, env: { EDGEFORM_VAR_key: 'other-probe' } });
  expect([given.code, given.stderr]).toEqual([0, '']);
});

test('a value of the environment that the manifest repeats is no secret of it', async () => {
  const cwd = folder({ 'edgeform.yaml': 'version: 1\nstack: production\nvariables: { v: { sensitive: true } }\n' });
  const ran = await run(['render'], { cwd, env: { EDGEFORM_VAR_v: 'production' } });
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('stack: production')]);
});

test.each([
  ['presest: {}\n', 'presets'],
  ['preset: x\n', 'presets'],
  ['tls_edges: { db: { presets: x } }\n', 'preset'],
  ['https_edges: { site: { routes: { a: { match_type: exact_path, match: /, witout: [x] } } } }\n', 'without'],
])('%j: the name is corrected', async (text, name) => {
  const ran = await run(['render'], { cwd: folder({ 'edgeform.yaml': `version: 1\nstack: shop\n${text}` }) });
  expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining(`did you mean "${name}"?`)]);
});
