// Unified diffs, as git reads them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { patchOf } from '../../src/render/patch.ts';
import { folder } from '../support/cli.ts';

const cwd = folder({});
spawnSync('git', ['init', '-q'], { cwd });

function applied(name: string, before: string, after: string): void {
  mkdirSync(join(cwd, dirname(name)), { recursive: true });
  writeFileSync(join(cwd, name), before);
  const input = patchOf({ name, before, after });
  const { status, stderr } = spawnSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd, input, encoding: 'utf8' });
  expect([status, stderr], input).toEqual([0, '']);
  expect(readFileSync(join(cwd, name), 'utf8')).toBe(after);
}

test('nothing for equal texts', () => {
  expect(patchOf({ name: 'a', before: 'x\n', after: 'x\n' })).toBe('');
});

test.each(['a.yaml', 'stack/a.yaml', './b.yaml', 'with blanks/my file.yaml', 'q"uote.yaml', 'é.yaml'])('%s', (name) => {
  applied(name, 'a\nb\nc\n', 'a\nB\nc\n');
});

test('two hunks far from each other, and one for those that are near', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  const after = lines.map((line, index) => ([2, 8, 25].includes(index) ? `other ${index}\n` : line)).join('');
  const patch = patchOf({ name: 'a', before: lines.join(''), after });
  expect(patch.split('\n').filter((line) => line.startsWith('@@'))).toEqual(['@@ -1,12 +1,12 @@', '@@ -23,7 +23,7 @@']);
});

test('whatever the texts are: line breaks of either kind, at the end or not, a byte order mark', () => {
  const line = fc.constantFrom('a', 'b', '', 'c\r', '- x', '+ y', '\\ z', '\ufeff');
  const text = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([lines, isEnded]) => `${lines.join('\n')}${isEnded ? '\n' : ''}`)
    .filter((one) => one !== '');
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      applied('random.yaml', before, after);
    }),
    { numRuns: 60 },
  );
});
