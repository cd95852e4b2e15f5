// What is published as a recording or a picture shows the product, and nothing of the machine that made it.

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const TEXTS = new Set(['.cast', '.txt', '.svg']);

const texts = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
  .filter((name) => TEXTS.has(extname(name)) && !name.startsWith('site/'))
  .map((name) => ({ name, text: readFileSync(join(DOCS, name), 'utf8') }));

test('there are recordings', () => {
  expect(texts.map(({ name }) => name)).toContain('cast/first.txt');
});

test.each(texts)('$name', ({ text }) => {
  expect(text).not.toMatch(/No such process|command not found|node:internal|\/tmp\/|internal error/);
});

test('the session ends with everything done', () => {
  const session = texts.find(({ name }) => name === 'cast/first.txt')?.text ?? '';
  const apply = session.slice(session.indexOf('$ edgeform apply'));
  expect(apply).toMatch(/\nNo drift\./);
  expect(apply.match(/^Applied (\d+) of \1 steps to stack shop: \1 done\.$/gm)).toHaveLength(2);
});
