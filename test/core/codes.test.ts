// The table of codes is complete: every code that the program raises is in it, and every row is raised somewhere.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { codes } from '../../src/core/codes.ts';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const text = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'core/codes.ts' && !name.startsWith('emulator/'))
  .map((name) => readFileSync(join(SRC, name), 'utf8'))
  .join('\n');

test('every code that is raised has a row', () => {
  const raised = [...text.matchAll(/\b(?:code|rule): '([a-z-]+)'/g)].map((found) => found[1] ?? '');
  expect(raised.length).toBeGreaterThan(20);
  expect([...new Set(raised)].filter((code) => !Object.hasOwn(codes, code))).toEqual([]);
});

test('every row is raised somewhere, and has words', () => {
  expect(Object.keys(codes).filter((code) => !text.includes(`'${code}'`))).toEqual([]);
  for (const { title, explanation, fix } of Object.values(codes))
    expect(Math.min(title.length, explanation.length, fix.length)).toBeGreaterThan(5);
});
