// Which mistakes a file can have, and with which tests they are tried.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { applied, changesIn } from './changes.ts';
import known from './noticed-by.json' with { type: 'json' };
import { testsOf } from './tests-of.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const made = (source: string) => changesIn(source, 'x.ts').map((change) => applied(source, change));

test.each([
  ['if (a) b();', ['if (true) b();', 'if (false) b();', 'if (a) ;']],
  ['x = a && b;', ['x = true && b;', 'x = false && b;', 'x = a && true;', 'x = a && false;']],
  ['x = a ?? b;', ['x = a;']],
  ['const f = () => a === b;', ['const f = () => true;', 'const f = () => false;']],
  ['function f(): string[] { return a; }', ['function f(): string[] { return []; }']],
  ['function f(): A | undefined { return a; }', ['function f(): A | undefined { return undefined; }']],
  ['const RULES = [a, b];', ['const RULES = [ b];', 'const RULES = [a, ];']],
  ['const RULES = { a: 1 } as const;', ['const RULES = {  } as const;']],
  ['x = f(a);', ['x = undefined;', 'x = [];']],
  ['x = a.filter(b);', ['x = [];', 'x = a;']],
  ['x = new Set(a);', ['x = new Set();']],
  ['if (a) throw b;', ['if (true) throw b;', 'if (false) throw b;', 'if (a) ;']],
  ['type A = string;', []],
] as const)('%s', (source, changes) => {
  expect(made(source)).toEqual(changes);
});

test('a change that is no program, or the same one, is left out', () => {
  expect(made('const list = [1];')).toEqual([]);
  expect(made('if (true) a();')).toEqual(['if (false) a();', 'if (true) ;']);
});

test('tests of a file are those that are known to notice, and those near it', () => {
  const tests = testsOf(ROOT)('apply/queue.ts', 3);
  expect(tests).toContain('apply/queue.test.ts');
  expect(tests.length).toBeGreaterThanOrEqual(3);
});

test('what is known to notice mistakes is there', () => {
  const names = Object.entries(known).flatMap(([file, tests]) => [
    join('src', file),
    ...tests.map((one) => join('test', one)),
  ]);
  expect([...new Set(names)].filter((name) => !existsSync(join(ROOT, name)))).toEqual([]);
});
