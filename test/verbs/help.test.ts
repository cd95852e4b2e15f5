// --help of a command: examples, the environment that it reads and the exit codes that it ends with, and no others.

import { expect, test } from 'vitest';
import { run } from '../support/host.ts';

const help = async (name: string) => (await run([name, '--help'], { cwd: '/', env: {} })).stdout;

test.each([
  ['validate', /edgeform validate -f stack\//, /EDGEFORM_BASE_URL| 7 {2}/],
  ['plan', /edgeform plan --out plan\.json/, /^ {2}7 /m],
  ['apply', /^ {2}7 {2,}the outcome of a write is unknown/m, /^ {2}2 /m],
  ['drift', /^ {2}2 {2,}.*drift/m, /^ {2}5 /m],
  ['show', /edgeform show plan\.json/, /EDGEFORM_/],
  ['explain', /edgeform explain lifecycle/, /EDGEFORM_/],
])('%s', async (name, has, lacks) => {
  const text = await help(name);
  expect(text).toMatch(has);
  expect(text).toMatch(/^Examples:$/m);
  expect(text).toMatch(/^Exit codes:$/m);
  expect(text).not.toMatch(lacks);
});
