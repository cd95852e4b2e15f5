// Which files a pattern of -f matches: those that a shell would, wherever it begins.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readManifestFiles } from '../../src/manifest/read-files.ts';
import { folder } from '../support/cli.ts';

const NAMES = ['g/e.yaml', 'g/.old.yaml', 'g/.d/x.yaml', 'g/in/f.yaml', '.h/y.yaml', 'a.yaml'];

const root = folder({});
for (const name of [...NAMES.map((one) => `work/${one}`), 'beside.yaml']) {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(join(root, name), 'version: 1\n');
}

test.each([
  { pattern: 'g/*.yaml', found: ['g/e.yaml'] },
  { pattern: './g/*.yaml', found: ['g/e.yaml'] },
  { pattern: 'g/?old.yaml', found: [] },
  { pattern: 'g/.*.yaml', found: ['g/.old.yaml'] },
  { pattern: './g/.o*', found: ['g/.old.yaml'] },
  { pattern: '**/*.yaml', found: ['a.yaml', 'g/e.yaml', 'g/in/f.yaml'] },
  { pattern: 'g/**/*.yaml', found: ['g/e.yaml', 'g/in/f.yaml'] },
  { pattern: 'g/**/.*.yaml', found: ['g/.old.yaml'] },
  { pattern: 'g/.d/*.yaml', found: ['g/.d/x.yaml'] },
  { pattern: '*/e.yaml', found: ['g/e.yaml'] },
  { pattern: '*/y.yaml', found: [] },
  { pattern: '.*/y.yaml', found: ['.h/y.yaml'] },
  { pattern: './*.yaml', found: ['a.yaml'] },
  { pattern: '../*.yaml', found: ['../beside.yaml'] },
  { pattern: 'g/../*.yaml', found: ['a.yaml'] },
  { pattern: join(root, 'work/g/*.yaml'), found: [join(root, 'work/g/e.yaml')] },
])('$pattern finds hidden files only where it names the dot', async ({ pattern, found }) => {
  const { value } = await readManifestFiles([pattern], join(root, 'work'));
  expect(value?.files.map(({ name }) => name) ?? []).toEqual(found);
});

describe('without -f', () => {
  const inFolder = async (files: Record<string, string>) => {
    const cwd = folder(files);
    const { value, diagnostics } = await readManifestFiles([], cwd);
    return {
      read: value?.files.map(({ name }) => name) ?? [],
      told: diagnostics.map(({ message }) => message.replace(cwd, 'DIR')),
    };
  };

  test.each([
    { has: 'the file', files: { 'edgeform.yaml': '' }, read: ['edgeform.yaml'] },
    { has: 'the directory', files: { 'edgeform/a.yaml': '' }, read: ['edgeform/a.yaml'] },
    { has: 'the file beside the program', files: { 'edgeform.yaml': '', edgeform: '' }, read: ['edgeform.yaml'] },
    {
      has: 'neither',
      files: { edgeform: '' },
      read: [],
      told: ['there is no manifest in DIR: neither edgeform.yaml nor a directory edgeform exists'],
    },
    {
      has: 'both',
      files: { 'edgeform.yaml': '', 'edgeform/a.yaml': '' },
      read: [],
      told: ['both edgeform.yaml and a directory edgeform exist'],
    },
  ])('a folder that has $has', async ({ files, read, told = [] }) => {
    expect(await inFolder(files)).toEqual({ read, told });
  });
});
