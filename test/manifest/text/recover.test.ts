// Entries of a block, told apart by their indentation alone.

import { describe, expect, test } from 'vitest';
import { entriesIn } from '../../../src/manifest/text/recover.ts';

function read(text: string, start = 0, end = text.length) {
  const block = entriesIn(text, { start, end });
  return block === undefined
    ? undefined
    : {
        texts: block.entries.map((entry) => text.slice(entry.start, entry.end)),
        keys: block.entries.map(({ key }) => key?.text),
        bodies: block.entries.map(({ bodyStart, end: to }) =>
          bodyStart === undefined ? undefined : text.slice(bodyStart, to),
        ),
        hasStray: block.hasStray,
      };
}

describe('entries begin where a line is indented like the first', () => {
  test.each([
    { name: 'one entry', given: 'a: 1\n', texts: ['a: 1\n'], keys: ['a'] },
    { name: 'two entries', given: 'a: 1\nb: 2', texts: ['a: 1\n', 'b: 2'], keys: ['a', 'b'] },
    {
      name: 'deeper lines belong to the entry above',
      given: 'a:\n  x: 1\nb: 2\n',
      texts: ['a:\n  x: 1\n', 'b: 2\n'],
      keys: ['a', 'b'],
    },
    {
      name: 'a block that is indented as a whole',
      given: '  a: 1\n  b: 2\n',
      texts: ['  a: 1\n', '  b: 2\n'],
      keys: ['a', 'b'],
    },
    {
      name: 'empty lines and comments belong to the entry above',
      given: 'a: 1\n\n# why\nb: 2',
      texts: ['a: 1\n\n# why\n', 'b: 2'],
      keys: ['a', 'b'],
    },
    { name: 'quoted keys', given: '"a b": 1\n\'c d\': 2', texts: ['"a b": 1\n', "'c d': 2"], keys: ['a b', 'c d'] },
    {
      name: 'a broken line is an entry without a key',
      given: 'a: 1\n]]\nb: 2',
      texts: ['a: 1\n', ']]\n', 'b: 2'],
      keys: ['a', undefined, 'b'],
    },
    {
      name: 'a line that a tab indents belongs to what stands above',
      given: 'a:\n\tx: 1\nb: 2',
      texts: ['a:\n\tx: 1\n', 'b: 2'],
      keys: ['a', 'b'],
    },
    {
      name: 'line ends of Windows',
      given: 'a:\r\n  x: 1\r\nb: 2\r\n',
      texts: ['a:\r\n  x: 1\r\n', 'b: 2\r\n'],
      keys: ['a', 'b'],
    },
    { name: 'the same key twice is two entries', given: 'a: 1\na: 2', texts: ['a: 1\n', 'a: 2'], keys: ['a', 'a'] },
  ])('$name', ({ given, texts, keys }) => {
    expect(read(given)).toMatchObject({ texts, keys, hasStray: false });
  });
});

describe('what does not begin with a key is no block', () => {
  test.each(['', '\n\n', '# only a comment\n', '- a\n- b\n', '[a, b]', 'a:1', 'a b: 1', '"a: 1'])('%j', (given) => {
    expect(read(given)).toBeUndefined();
  });
});

describe('the lines below a key are its body', () => {
  test.each([
    { name: 'nothing behind the key', given: 'a:\n  x: 1\n', expect: ['  x: 1\n'] },
    { name: 'only a comment behind the key', given: 'a: # why\n  x: 1\n', expect: ['  x: 1\n'] },
    { name: 'a value behind the key', given: 'a: 1\n  x: 1\n', expect: [undefined] },
    { name: 'a key at the end of the text has no lines below', given: 'a:', expect: [undefined] },
    { name: 'a line end of Windows behind the key', given: 'a:\r\n  x: 1', expect: ['  x: 1'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(read(given)?.bodies).toEqual(expected);
  });
});

test('a line that is indented less than the entries is a stray, and no entry', () => {
  expect(read('  a: 1\n b: 2\n  c: 3\n')).toMatchObject({ keys: ['a', 'c'], hasStray: true });
});

test('only the piece that is asked for is looked at, and places are those of the whole text', () => {
  const text = 'a: 1\nbcd: 2\ne: 3\n';
  expect(read(text, 5, 12)).toMatchObject({ texts: ['bcd: 2\n'], keys: ['bcd'] });
  expect(entriesIn(text, { start: 5, end: 12 })?.entries[0]?.key).toEqual({ text: 'bcd', start: 5, end: 8 });
});

test('the place of a quoted key has its quotes', () => {
  expect(entriesIn('  "ab": 1', { start: 0, end: 9 })?.entries[0]?.key).toEqual({ text: 'ab', start: 2, end: 6 });
});
