// Fleets on a disk: the file, the manifests of its entries with their variables, and nothing from outside.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadEntry, readFleet, undeclaredEverywhere } from '../../src/fleet/load-entry.ts';
import { withoutSharedPresets } from '../../src/fleet/shared-presets.ts';
import { folder } from '../support/cli.ts';
import { placed } from './sample.ts';

function tree(files: Readonly<Record<string, string>>): string {
  const root = folder({});
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

const FLEET = 'edgeform.fleet.yaml';
const stackOf = (name: string, text = '') => `version: 1\nstack: ${name}\n${text}`;
const SHOWN =
  'variables: { a: { default: d }, b: { default: d }, c: { default: d } }\noutputs: { all: "${var.a} ${var.b} ${var.c}" }\n';

async function load(cwd: string, given: Partial<Parameters<typeof loadEntry>[2]> = {}) {
  const { value, diagnostics } = readFleet(FLEET, { cwd, env: given.env ?? {} });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  const options = { cwd, env: {}, variables: new Map(), ...given };
  return Promise.all(value.entries.map((entry) => loadEntry(entry, value, options)));
}

test('values come from the command line, the entry, its files, the environment and the manifest, in this order', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: one, path: one.yaml, variables: { b: entry }, var_files: [v.yaml] }
  - { name: two, path: two.yaml }
  - { name: three, path: three.yaml }
`,
    'v.yaml': 'a: file\nb: file\n',
    'one.yaml': stackOf('one', SHOWN),
    'two.yaml': stackOf('two', SHOWN),
    'three.yaml': stackOf('three'),
  });
  const env = { EDGEFORM_VAR_a: 'env', EDGEFORM_VAR_c: 'env' };
  const texts = (loaded: Awaited<ReturnType<typeof load>>) =>
    loaded.map(({ manifest }) => manifest?.outputs.get('all'));
  expect(texts(await load(cwd, { env }))).toEqual(['file entry env', 'env d env', undefined]);
  const variables = new Map([
    ['b', 'cli'],
    ['c', 'cli'],
    ['constructor', 'x'],
    ['d', 'x'],
  ]);
  const loaded = await load(cwd, { env, variables });
  expect(texts(loaded)).toEqual(['file cli cli', 'env cli cli', undefined]);
  expect(loaded.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
  expect(undeclaredEverywhere(variables.keys(), loaded).map(({ code, message }) => [code, message])).toEqual([
    ['unknown-variable', 'a value was given for "constructor", which no stack of the fleet declares'],
    ['unknown-variable', 'a value was given for "d", which no stack of the fleet declares'],
  ]);
  expect(loaded[0]?.files).toEqual([join(cwd, 'v.yaml'), join(cwd, 'one.yaml')]);
});

test('a folder has neither the fleet file nor a file of variables as a manifest', async () => {
  const cwd = tree({
    [FLEET]:
      'version: 1\nstacks:\n  - { name: shop, path: ., var_files: [prod.yaml] }\n  - { name: more, path: "*.yaml" }\n',
    'prod.yaml': 'a: x\n',
    'shop.yaml': stackOf('shop', 'variables: { a: { default: d } }\n'),
  });
  const loaded = await load(cwd);
  expect(loaded.map(({ manifest, diagnostics }) => [manifest?.stack, ...diagnostics])).toEqual([['shop'], ['shop']]);
  expect([...(loaded[1]?.sources.keys() ?? [])]).toEqual(['shop.yaml']);
});

test('overlays are laid over a manifest of several paths, and are no manifests of a folder', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: shop, path: [presets.yaml, shop], overlays: [shop/prod.yaml, more.yaml] }
  - { name: plain, path: [presets.yaml, shop], stack: shop }
`,
    'presets.yaml': 'version: 1\npresets: { eu: { region: eu } }\n',
    'shop/main.yaml': stackOf('shop', 'reserved_addrs: { a: { preset: eu } }\n'),
    'shop/prod.yaml': 'stack: shop-prod\nreserved_addrs: { a: { region: us, description: "${file:note.txt}" } }\n',
    'shop/note.txt': 'noted\n',
    'more.yaml': 'add: { reserved_addrs: { b: { preset: eu } } }\n',
  });
  const [prod, plain] = await load(cwd);
  expect([prod?.diagnostics, plain?.diagnostics]).toEqual([[], []]);
  const specs = (one: typeof prod) => one?.manifest?.resources.map(({ address, spec }) => [address, spec]);
  expect([prod?.manifest?.stack, specs(prod)]).toEqual([
    'shop-prod',
    [
      ['reserved_addrs.a', { region: 'us', description: 'noted\n' }],
      ['reserved_addrs.b', { region: 'eu' }],
    ],
  ]);
  expect([plain?.manifest?.stack, specs(plain)]).toEqual(['shop', [['reserved_addrs.a', { region: 'eu' }]]]);
  expect(prod?.files).toEqual(
    ['presets.yaml', 'shop/main.yaml', 'shop/prod.yaml', 'more.yaml', 'shop/note.txt'].map((name) => join(cwd, name)),
  );
  expect([...(prod?.sources.keys() ?? [])]).toEqual(['presets.yaml', 'shop/main.yaml', 'shop/prod.yaml', 'more.yaml']);
});

test('a manifest of another stack than its entry names is an error with both places', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: a, path: a.yaml, stack: shop-staging, variables: { env: prod } }
  - { name: b, path: a.yaml, stack: shop-prod, variables: { env: prod } }
  - { name: c, path: a.yaml, stack: shop-prod, variables: { env: prod }, overlays: [c.yaml] }
`,
    'a.yaml': 'version: 1\nstack: "shop-${var.env}"\nvariables: { env: {} }\n',
    'c.yaml': 'stack: other\n',
  });
  const loaded = await load(cwd);
  const said = loaded.map(({ diagnostics }) =>
    diagnostics.map((one) => [
      placed(one),
      one.expected,
      one.got,
      ...(one.related ?? []).map(({ range }) => `${range.file} ${range.line}:${range.column}`),
    ]),
  );
  expect(said).toEqual([
    [['stack-mismatch 3:37', 'shop-staging', 'shop-prod', 'a.yaml 2:8']],
    [],
    [['stack-mismatch 5:37', 'shop-prod', 'other', 'c.yaml 1:8']],
  ]);
});

test('a preset is unused when no stack that reads its file uses it', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: a, path: [presets.yaml, a.yaml] }
  - { name: b, path: [presets.yaml, b.yaml] }
  - { name: c, path: c.yaml }
`,
    'presets.yaml': 'version: 1\npresets: { used: { region: eu }, unused: {} }\n',
    'a.yaml': stackOf('a', 'reserved_addrs: { x: { preset: used } }\n'),
    'b.yaml': stackOf('b', 'reserved_addrs: { x: {} }\n'),
    'c.yaml': stackOf('c', 'presets: { own: {} }\n'),
  });
  const said = withoutSharedPresets(await load(cwd)).map(({ diagnostics }) => diagnostics.map(placed));
  expect(said).toEqual([['unused-preset 2:34'], ['unused-preset 2:34'], ['unused-preset 3:12']]);
});

test('an overlay that cannot be read is a problem of its entry alone', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: a, path: a.yaml, overlays: [none.yaml] }
  - { name: b, path: a.yaml, overlays: [bad.yaml] }
`,
    'a.yaml': stackOf('a', 'reserved_addrs: { x: {} }\n'),
    'bad.yaml': 'reserved_addrs: { x: { regoin: eu } }\nstack: b\n',
  });
  const [a, b] = await load(cwd);
  expect(a?.diagnostics.map((one) => [placed(one), one.message, one.range?.file])).toEqual([
    ['file-unreadable 3:13', '"none.yaml" does not exist', FLEET],
  ]);
  expect(b?.diagnostics.map((one) => [placed(one), one.range?.file])).toEqual([['unknown-field 1:24', 'bad.yaml']]);
});

test('a problem without a place is at the entry, and that of a file in the file', async () => {
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: a, path: none }
  - { name: b, path: b.yaml, variables: { x: 1 } }
  - { name: c, path: b.yaml, var_files: [none.yaml, list.yaml] }
  - { name: d, path: d.yaml }
`,
    'b.yaml': stackOf('b'),
    'list.yaml': '[1]\n',
    'd.yaml': stackOf('d', 'tls_edgs: {}\n'),
  });
  const loaded = await load(cwd);
  expect(loaded.map(({ diagnostics }) => diagnostics.map((one) => `${one.range?.file ?? ''} ${placed(one)}`))).toEqual([
    [`${FLEET} file-unreadable 3:13`],
    [`${FLEET} unknown-variable 4:13`],
    [`${FLEET} file-unreadable 5:13`, `${FLEET} invalid-setting 5:13`],
    ['d.yaml unknown-field 3:1'],
  ]);
  expect(loaded.map(({ manifest }) => manifest)).toEqual([undefined, undefined, undefined, undefined]);
});

test('`${file:}` reads below the path of the entry, as for -f', async () => {
  const manifest = (name: string, path: string) => stackOf(name, `outputs: { o: "\${file:${path}}" }\n`);
  const cwd = tree({
    [FLEET]: 'version: 1\nstacks:\n  - { name: a, path: a }\n  - { name: b, path: b }\n',
    'a/m.yaml': manifest('a', 'in.txt'),
    'a/in.txt': 'inside',
    'b/m.yaml': manifest('b', '../a/in.txt'),
  });
  const [a, b] = await load(cwd);
  expect(a?.manifest?.outputs.get('o')).toBe('inside');
  expect(a?.files).toEqual([join(cwd, 'a/m.yaml'), join(cwd, 'a/in.txt')]);
  expect(b?.diagnostics.map(({ code }) => code)).toEqual(['file-outside-root']);
});

test('no path leads out of the checkout, not even through a link', () => {
  const out = tree({ 'm.yaml': stackOf('out') });
  const cwd = tree({
    [FLEET]: `version: 1
stacks:
  - { name: a, path: link }
  - { name: b, path: link/*.yaml }
  - { name: c, path: file.yaml }
  - { name: d, path: ${out} }
  - { name: e, path: in/../../x }
  - { each: teams/*, var_files: [link/m.yaml] }
  - { name: f, path: loop }
`,
    'teams/good/m.yaml': stackOf('good'),
  });
  symlinkSync(out, join(cwd, 'link'));
  symlinkSync(out, join(cwd, 'teams/bad'));
  symlinkSync(join(out, 'm.yaml'), join(cwd, 'file.yaml'));
  symlinkSync('loop', join(cwd, 'loop'));
  const { value, diagnostics } = readFleet(FLEET, { cwd, env: {} });
  expect(value?.entries).toEqual([]);
  expect(diagnostics.map(placed)).toEqual(
    ['3:22', '4:22', '5:22', '6:22', '7:22', '8:13', '8:34', '9:22'].map((place) => `file-outside-root ${place}`),
  );
});

test('a fleet file beside the working directory may name what is below either', () => {
  const root = tree({
    'ops/edgeform.fleet.yaml': 'version: 1\nstacks:\n  - { name: a, path: ../live/a }\n  - { name: b, path: b }\n',
    'live/a/m.yaml': stackOf('a'),
  });
  const { value, diagnostics } = readFleet(`../ops/${FLEET}`, { cwd: join(root, 'live'), env: {} });
  expect([value?.entries.map(({ paths }) => paths), diagnostics]).toEqual([[['../live/a'], ['../ops/b']], []]);
});

test('a fleet file that is not there is a problem', () => {
  const of = (name: string) => readFleet(name, { cwd: folder({}), env: {} }).diagnostics;
  expect(of('edgeform.fleet.yaml')).toMatchObject([
    { code: 'file-unreadable', fix: expect.stringContaining('--fleet FILE') },
  ]);
  expect(of('other.yaml')).toMatchObject([{ code: 'file-unreadable', fix: expect.not.stringContaining('--fleet') }]);
});
