// What a job makes of a stored patch: the text that drift --accept meant, and nothing but files of the manifest.

import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import { patchOf } from '../../src/render/patch.ts';
// @ts-expect-error A script without types.
import { filesOf as filesOfScript, manifestsNamed as namedByScript } from '../../.github/actions/lib/accepted.mjs';
// @ts-expect-error A script without types.
import { applyPatch as applyByScript } from '../../.github/actions/lib/patch.mjs';
// @ts-expect-error A script without types.
import { SECTIONS } from '../../.github/actions/lib/sections.mjs';
// @ts-expect-error A script without types.
import { proposalBody as bodyByScript } from '../../.github/actions/lib/proposal.mjs';

const applyPatch = applyByScript as (text: string, patch: string) => string;
const filesOf = filesOfScript as (
  documents: readonly object[],
  at: { readonly root: string; readonly folder: string; readonly isManifest: (place: string) => boolean },
) => Map<string, { readonly text: string; readonly isExecutable: boolean }>;
const manifestsNamed = namedByScript as (named: {
  readonly folder: string;
  readonly manifest: readonly string[];
  readonly fleet: string;
}) => (place: string) => boolean;
const proposalBody = bodyByScript as (about: object) => string;

test('every patch that the program prints makes the text that it meant, and fits no other', () => {
  const line = fc.constantFrom(
    'a',
    'b',
    '',
    '--- a/x',
    '+++ b/x',
    '@@ -1 +1 @@',
    '\\ No newline at end of file',
    'x\r',
    '\ufeffé',
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', ''))
    .map(([lines, end]) => lines.join('\n') + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const patch = patchOf({ name: 'x', before, after });
      expect(applyPatch(before, patch)).toBe(after);
      expect(() => applyPatch(before.replaceAll('a', 'z'), patch)).not.toThrow(TypeError);
    }),
    { numRuns: 500 },
  );
});

test.each([
  '',
  'x',
  '--- a\n+++ b\n',
  '--- a\n+++ b\n@@ -1 +1 @@\n',
  '--- a\n+++ b\n@@ -1 +1 @@\n-a\n-a\n+b\n',
  '--- a\n+++ b\n@@ -9 +9 @@\n-a\n+b\n',
])('what is no patch of a text is refused: %j', (patch) => {
  expect(() => applyPatch('a\na\n', patch)).toThrow(/no patch|changes nothing|does not fit/);
});

describe('files', () => {
  const root = mkdtempSync(join(tmpdir(), 'accepted-'));
  const section = 'tls_edges: { a: { description: x } }\n';
  const put = (path: string, content: string | Buffer = section) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  for (const path of ['m/edgeform.yaml', 'm/tool.yaml', 'elsewhere/x.yaml']) put(path);
  put('m/latin.yaml', Buffer.concat([Buffer.from(section), Buffer.from([0x23, 0xe9, 0x0a])]));
  mkdirSync(join(root, 'm/folder.yaml'));
  chmodSync(join(root, 'm/tool.yaml'), 0o755);
  symlinkSync('../elsewhere/x.yaml', join(root, 'm/link.yaml'));
  symlinkSync('../elsewhere', join(root, 'm/linked'));
  const changed = section.replace('x', 'y');
  const patch = `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-${section}+${changed}`;
  const files = (path: string, folder = 'm') =>
    filesOf([{ document: { files: [{ path, patch }] } }], { root, folder, isManifest: () => true });

  test('are changed, with their modes', () => {
    expect(files('edgeform.yaml').get('m/edgeform.yaml')).toMatchObject({ text: changed, isExecutable: false });
    expect(files('./tool.yaml').get('m/tool.yaml')).toMatchObject({ isExecutable: true });
    expect([...files('../elsewhere/x.yaml').keys()]).toEqual(['elsewhere/x.yaml']);
  });

  test.each([
    ['link.yaml', /it is no file/],
    ['linked/x.yaml', /behind a symbolic link/],
    ['folder.yaml', /it is no file/],
    ['gone.yaml', /does not exist/],
    ['latin.yaml', /not UTF-8/],
    ['../../x.yaml', /no file of the manifest/],
  ])('are refused: %s', (path, why) => {
    expect(() => files(path)).toThrow(why);
  });

  test('of a forge are refused, also where the folder of the manifest is one of its', () => {
    for (const folder of ['.github', '.GitLab', 'x/.forgejo']) {
      put(`${folder}/workflows/x.yml`);
      expect(() => files('workflows/x.yml', folder)).toThrow(/no file of the manifest/);
    }
  });

  /** Lays a line into the end of a file that a fleet may name. */
  const withMore = (path: string, content: string) => {
    put(path, content);
    const [last = ''] = content.split(/(?<=\n)/).slice(-1);
    const line = content.split('\n').length - 1;
    const document = { files: [{ path, patch: `--- a/x\n+++ b/x\n@@ -${line} +${line},2 @@\n ${last}+# more\n` }] };
    const isManifest = manifestsNamed({ folder: '.', manifest: [], fleet: 'edgeform.fleet.yaml' });
    return filesOf([{ document }], { root, folder: '.', isManifest });
  };

  test.each([
    ['package.json', '{\n  "version": "1.0.0",\n  "scripts": { "test": "tls_edges:" }\n}\n'],
    ['package-lock.json', '[\n"tls_edges"]\n'],
    ['broken.json', '{ "tls_edges": \n'],
    ['actions/x/action.yml', 'name: x\nruns:\n  using: composite\n  steps:\n  - run: "tls_edges: x"\n'],
    ['compose.yaml', 'version: "3"\nservices:\n  tls_edges:\n    command: x\n'],
    ['edgeform.fleet.yaml', 'version: 1\nstacks:\n  - { name: shop, path: stacks/shop.yaml }\n'],
    ['policies.yaml', 'version: 1\npolicies: {}\n'],
    ['buildspec.yml', 'version: 0.2\nphases: {}\n# tls_edges:\n'],
    ['near.yaml', 'my_tls_edges: {}\ntls_edges_old: {}\n'],
  ])('that are no manifest are refused, whatever names them: %s', (path, content) => {
    expect(() => withMore(path, content)).toThrow(
      `the patch names "${path}", and no section of a manifest, such as \`tls_edges:\`, begins a line of it`,
    );
  });

  test.each([
    ['a.yaml', 'version: 1\nstack: a\n"tls_edges" : {}\n'],
    ['b.yml', '\ufeffhttps_edges:\r\n  web: {}\n'],
    ['c.yaml', "# edges\n'api_keys': {}\n"],
  ])('that are a part of a manifest are changed: %s', (path, content) => {
    expect(withMore(path, content).get(path)?.text).toBe(`${content}# more\n`);
  });

  test('are known in JSON, too', () => {
    const text = '\ufeff{ "version": 1,\n  "stack": "a", "tls_edges": {} }\n';
    put('m/a.json', text);
    const document = { files: [{ path: 'a.json', patch: '--- a\n+++ b\n@@ -2,0 +3 @@\n+\n' }] };
    const made = filesOf([{ document }], { root, folder: 'm', isManifest: () => true });
    expect(made.get('m/a.json')?.text).toBe(`${text}\n`);
  });
});

test('the sections that a manifest is known by are those of the catalogue', () => {
  expect(SECTIONS).toEqual(topLevelKinds.map(({ manifestKey }) => manifestKey));
});

test.each([
  [
    { folder: '.', manifest: [], fleet: '' },
    ['edgeform.yaml', 'edgeform/a.yaml'],
    ['a.yaml', 'edgeform/b/a.yaml', 'x/edgeform.yaml'],
  ],
  [{ folder: 's', manifest: [], fleet: '' }, ['s/edgeform.yaml', 's/edgeform/a.yaml'], ['edgeform.yaml', 's/a.yaml']],
  [
    { folder: './s/', manifest: ['a/', 'b.yaml', '../c.yaml'], fleet: '' },
    ['s/a/x.yaml', 's/b.yaml', 'c.yaml'],
    ['s/c.yaml', 's/a/b/x.yaml'],
  ],
  [
    { folder: '.', manifest: ['t/*.yaml', 'u/**/x.yaml'], fleet: '' },
    ['t/a.yaml', 'u/a/x.yaml'],
    ['a.yaml', 'ta.yaml'],
  ],
  [{ folder: '.', manifest: ['.'], fleet: '' }, ['a.yaml'], ['b/a.yaml']],
  [{ folder: 's', manifest: [], fleet: 'edgeform.fleet.yaml' }, ['s/a.yaml', 's/t/a.yaml'], ['a.yaml', 'st/a.yaml']],
  [{ folder: '.', manifest: [], fleet: 'f/fleet.yaml' }, ['a.yaml', 'f/a.yaml'], []],
  [{ folder: 's', manifest: [], fleet: '../f/fleet.yaml' }, ['s/a.yaml', 'f/a.yaml'], ['g/a.yaml']],
])('the inputs %j name %j, and not %j', (named, own, others) => {
  const isManifest = manifestsNamed(named);
  expect([own.filter((path) => !isManifest(path)), others.filter(isManifest)]).toEqual([[], []]);
});

test('what could not be written is one block of code, whatever stands in it, and not too long', () => {
  const one = { address: 'a.b', path: 'x', source: 'e.yaml:1:2', message: 'm', fix: 'f' };
  const body = (left_out: readonly object[]) =>
    proposalBody({ documents: [{ name: '', document: { left_out } }], found: 'FOUND', request: 'pull request' });
  expect(body([])).not.toContain('Not in it');
  const hostile = {
    ...one,
    address: null,
    path: null,
    source: null,
    message: '```\n@mallory\u202e\u0000 `````',
    fix: '<!--\r\n',
  };
  expect(body([hostile])).toContain(
    '\n``````text\nan object without a block: ``` @mallory   `````\n  fix: <!--  \n``````\n',
  );
  const many = body(Array.from({ length: 5000 }, (_, at) => ({ ...one, message: `${at} ${'é'.repeat(400)}` })));
  expect(Buffer.byteLength(many)).toBeLessThan(4500);
  expect(many).toMatch(/and 49\d\d more: run edgeform drift --accept all\n```/);
});
