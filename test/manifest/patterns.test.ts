// Which files a pattern of -f matches: those that a shell would, wherever it begins.

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
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
