// `${file:}` names a file beside the manifest file that it is written in, whatever else is given with -f.

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { readManifestFiles } from '../../src/manifest/read-files.ts';
import { folder } from '../support/cli.ts';

function tree(files: Readonly<Record<string, string>>): string {
  const root = folder({});
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return root;
}

async function read(cwd: string, ...paths: string[]) {
  const found = await readManifestFiles(paths, cwd);
  if (found.value === undefined || found.diagnostics.length > 0) throw new Error(JSON.stringify(found.diagnostics));
  const { value, diagnostics } = loadManifest({ ...found.value, variables: new Map(), env: {} });
  return {
    texts: value?.resources.map(({ spec }) => spec['description']),
    problems: diagnostics.map(({ code, fix }) => [code, fix]),
  };
}

const HEAD = 'version: 1\nstack: shop\n';
const naming = (name: string, path = 'note.txt') =>
  `reserved_addrs: { ${name}: { description: "\${file:${path}}" } }\n`;
const TWO = {
  'one/x.yaml': HEAD + naming('x'),
  'one/note.txt': 'one',
  'two/y.yaml': naming('y'),
  'two/note.txt': 'two',
};

test('each of several files has its own', async () => {
  expect(await read(tree(TWO), 'one/x.yaml', 'two/y.yaml')).toEqual({ texts: ['one', 'two'], problems: [] });
  expect(await read(tree(TWO), 'two/y.yaml', 'one/x.yaml')).toEqual({ texts: ['one', 'two'], problems: [] });
  expect(await read(tree(TWO), 'one', 'two')).toEqual({ texts: ['one', 'two'], problems: [] });
});

test('files of a pattern, too, and never one of another folder', async () => {
  expect(await read(tree(TWO), '**/*.yaml')).toEqual({ texts: ['one', 'two'], problems: [] });
  const { ['two/note.txt']: _, ...one } = TWO;
  const { texts, problems } = await read(tree({ ...one, 'note.txt': 'of the root' }), '**/*.yaml');
  expect(texts).toBeUndefined();
  expect(problems).toEqual([['file-unreadable', 'check the path after `file:`']]);
});

test('files above are read as long as they are below the root', async () => {
  const files = { 'in/one/x.yaml': HEAD + naming('x', '../note.txt'), 'in/note.txt': 'shared', 'note.txt': 'outside' };
  expect((await read(tree(files), 'in/**/*.yaml')).texts).toEqual(['shared']);
  expect((await read(tree(files), 'in/one/x.yaml')).problems).toEqual([
    ['file-outside-root', 'move it into that folder'],
  ]);
  const root = tree({ 'in/x.yaml': HEAD + naming('x', 'link.txt'), 'note.txt': 'outside' });
  symlinkSync('../note.txt', join(root, 'in/link.txt'));
  expect((await read(root, 'in/x.yaml')).problems).toEqual([['file-outside-root', 'move it into that folder']]);
});

const ONE = `${HEAD}reserved_addrs: { one: { description: one } }\n`;
const OTHER = 'reserved_addrs: { two: { description: two } }\n';

test.each([
  { name: 'a folder', paths: ['in'] },
  { name: 'a pattern', paths: ['in/*.yaml'] },
])('links in $name are files of the stack, and none leads out of it', async ({ paths }) => {
  const root = tree({ 'in/one.yaml': ONE, 'in/below/two.yaml': OTHER, 'secret.txt': 'hunter2 of somebody else\n' });
  symlinkSync('below/two.yaml', join(root, 'in/two.yaml'));
  expect(await read(root, ...paths)).toEqual({ texts: ['one', 'two'], problems: [] });
  symlinkSync('../secret.txt', join(root, 'in/three.yaml'));
  const { value, diagnostics } = await readManifestFiles(paths, root);
  expect(value?.isPartial).toBe(true);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ['file-outside-root', '"in/three.yaml" is a link to a file outside the manifest’s folder'],
  ]);
  expect(JSON.stringify({ value, diagnostics })).not.toContain('hunter2');
});

test('the default manifest is no link to a file elsewhere, one that is named may be', async () => {
  const root = tree({ 'out/x.yaml': ONE, 'in/note.txt': '' });
  symlinkSync('../out/x.yaml', join(root, 'in/edgeform.yaml'));
  expect((await readManifestFiles([], join(root, 'in'))).diagnostics).toMatchObject([{ code: 'file-outside-root' }]);
  expect(await read(join(root, 'in'), 'edgeform.yaml')).toEqual({ texts: ['one'], problems: [] });
});
