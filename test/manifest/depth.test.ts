// The depth of a file: only real levels count, whatever quoted, block and plain texts or comments look like, and what is
// too deep is refused before anything recursive sees it.

import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { parseFile } from '../../src/manifest/text/parse.ts';

const codes = (text: string) => parseFile('f.yaml', text).diagnostics.map((one) => one.code);
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');
const MAX = 64;

describe('what only looks deep is read', () => {
  test.each<readonly [string, string]>([
    ['brackets after an escaped quote', lines(70, (i) => `a${i}: { metadata: "{\\"a\\": \\"[x\\"" }`)],
    ['brackets in single quotes', lines(70, (i) => `a${i}: 'it''s [[{{'`)],
    ['a quoted text of several lines', `a: "one\n${lines(70, () => '  [ { "'.replace('"', '\\"'))}\n  end"`],
    ['a block text', `a: |\n${lines(70, () => '  [ { - - - "')}\nb: [1]`],
    ['a folded text', `a: >-\n${lines(70, () => "  [ { ? ? ? '")}\nb: [1]`],
    ['a block text that is far to the right', `a: |2\n  x\n${' '.repeat(700)}y\n`],
    ['comments', `a: 1 # ${'['.repeat(100)}\n${lines(70, () => '# [ { "')}\nb: 1`],
    ['plain texts', lines(70, (i) => `a${i}: it's [[ {{`)],
    ['a list of many lists', lines(200, () => '- [[1], [2]]')],
    ['dashes in a text', `a: ${'- '.repeat(100)}x`.replace('a: -', 'a: x -')],
  ])('%s', (_, text) => {
    expect(codes(text)).toEqual([]);
  });
});

describe('what is deep is refused', () => {
  const deep: readonly (readonly [string, (levels: number) => string])[] = [
    ['lists in brackets', (n) => '['.repeat(n)],
    ['closed lists in brackets', (n) => '['.repeat(n) + ']'.repeat(n)],
    ['maps in brackets', (n) => '{a: '.repeat(n) + '}'.repeat(n)],
    ['lists on one line', (n) => `${'- '.repeat(n)}x`],
    ['lists on many lines', (n) => lines(n, (i) => `${' '.repeat(i)}-`)],
    ['maps', (n) => lines(n, (i) => `${' '.repeat(i)}a:`)],
    ['complex keys', (n) => `${'? '.repeat(n)}x`],
    ['empty keys', (n) => `${': '.repeat(n)}x`],
    ['block, then brackets', (n) => `${'- '.repeat(n - 10)}${'['.repeat(10)}`],
    ['brackets after quotes that are none', (n) => `x: it's\ny: ${'['.repeat(n - 1)}`],
    ['brackets after a comment', (n) => `# "\n${'['.repeat(n)}`],
    ['brackets after a text that ends early', (n) => `a: "x\nb: ${'['.repeat(n)} "`],
    ['brackets after a block text', (n) => `a: |\n  x\nb: ${'['.repeat(n)}`],
    ['brackets over lines', (n) => lines(n, () => ' [ # "')],
  ];
  test.each(deep)('%s', (_, make) => {
    for (const levels of [MAX + 2, 2_000]) expect(codes(make(levels))).toEqual(['too-deep']);
    expect(codes(make(MAX - 2))).not.toContain('too-deep');
  });

  test('keys of keys on one line, of which each line adds some', () => {
    expect(codes(lines(10_000, () => 'a: b: c:'))).toEqual(['too-deep']);
    expect(codes('a: '.repeat(10_000))).toEqual(['too-deep']);
  });

  test('a stack of calls would not be enough for it', () => {
    for (const piece of ['[', '{a: ', '- ', '? ', ': ']) expect(codes(piece.repeat(500_000))).toEqual(['too-deep']);
  });

  test('the place is named', () => {
    const [problem] = parseFile('f.yaml', `a: 1\nb: ${'['.repeat(100)}`).diagnostics;
    expect(problem).toMatchObject({ code: 'too-deep', range: { line: 2, column: 3 + MAX } });
  });
});

test('the limit is exact, whatever the texts hold', () => {
  const text = fc.stringMatching(/^[[\]{}"'#:,\-?|> a]{0,12}$/);
  fc.assert(
    fc.property(fc.array(text, { minLength: 55, maxLength: 75 }), fc.boolean(), (texts, isFlow) => {
      const quoted = texts.map((one) => JSON.stringify(one));
      const made = isFlow
        ? `${quoted.map((one) => `[${one}, `).join('')}1${']'.repeat(texts.length)}`
        : lines(texts.length, (i) => `${' '.repeat(i)}- ${quoted[i] ?? ''}\n${' '.repeat(i)}-`);
      expect(codes(made).includes('too-deep')).toBe(texts.length > MAX);
    }),
    { numRuns: 200 },
  );
});

test('large files are judged to their end', () => {
  const fill = (piece: string, size: number) => piece.repeat(Math.floor(size / piece.length));
  for (const piece of ['[', "'", '"', '\\"', '- ', 'a: b: c\n', '"a\n', "'a\n b: '\n", '# [\n']) {
    // What is wrong with a file does not depend on how much more of the same follows.
    expect(new Set(codes(fill(piece, 256 * 1024))), piece).toEqual(new Set(codes(fill(piece, 16 * 1024))));
  }
});
