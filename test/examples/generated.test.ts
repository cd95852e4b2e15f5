// The example of a program that writes a manifest: it compiles with the types of the package, and what is committed is what it writes.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { problemsOf } from '../support/compiler.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = `${ROOT}examples/generated/manifest.ts`;

test('the committed manifest is what the program writes', () => {
  const { stdout, stderr } = spawnSync(process.execPath, [`${ROOT}scripts/docs/typescript.mjs`, PROGRAM], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toBe(readFileSync(`${ROOT}examples/generated/edgeform.yaml`, 'utf8'));
});

test('the program compiles', () => {
  expect(problemsOf(PROGRAM, ['--types', 'node', '--skipLibCheck'])).toEqual([]);
});
