// Entries of a block, told apart by their indentation alone.

import { expect, test } from 'vitest';
import { entriesIn } from '../../../src/manifest/text/recover.ts';

function read(text: string, start = 0, end = text.length) {
  return entriesIn(text, { start, end }).map((one) => ({
    text: text.slice(one.start, one.end),
    key: text.slice(one.start, one.keyEnd),
    body: one.bodyStart === undefined ? undefined : text.slice(one.bodyStart, one.end),
    hasStray: one.hasStray,
  }));
}

test.each([
  { name: 'a line indented like the first begins an entry', given: '  a: 1\n  b: 2', texts: ['  a: 1\n', '  b: 2'] },
  { name: 'deeper lines belong to the entry above', given: 'a:\n  x: 1\nb: 2', texts: ['a:\n  x: 1\n', 'b: 2'] },
  { name: 'so do comments and empty lines', given: 'a: 1\n\n# why\nb: 2', texts: ['a: 1\n\n# why\n', 'b: 2'] },
  { name: 'so does a line indented by a tab', given: 'a:\n\tx: 1\nb: 2', texts: ['a:\n\tx: 1\n', 'b: 2'] },
  { name: 'so does a line without a key', given: 'a:\n- x: 1\nb: 2', texts: ['a:\n- x: 1\n', 'b: 2'] },
  { name: 'keys may be quoted', given: '"a b": 1\n\'c d\': 2', texts: ['"a b": 1\n', "'c d': 2"] },
])('$name', ({ given, texts }) => {
  expect(read(given).map(({ text }) => text)).toEqual(texts);
});

test.each(['', '# only a comment\n', '- a\n- b\n', '[a, b]', 'a:1', 'a b: 1', '"a: 1'])(
  'what does not begin with a key is no block: %j',
  (given) => {
    expect(read(given)).toEqual([]);
  },
);

test.each([
  { given: 'a:\n  x: 1\n', body: '  x: 1\n' },
  { given: 'a: # why\r\n  x: 1\n', body: '  x: 1\n' },
  { given: 'a: 1\n  x: 1\n', body: undefined },
  { given: 'a:', body: undefined },
])('the lines below a key without a value are its body: $given', ({ given, body }) => {
  expect(read(given)[0]?.body).toBe(body);
});

test.each([
  { given: '  a: 1\n b: 2\n', stray: true },
  { given: '  a: 1\n  ]]\n', stray: true },
  { given: '  a: 1\n # why\n   b: 2\n', stray: false },
])('a line no deeper than its key may be another entry: $given', ({ given, stray }) => {
  expect(read(given)[0]?.hasStray).toBe(stray);
});

test('only the piece that is asked for is looked at', () => {
  expect(read('a: 1\nb: 2\nc: 3\n', 5, 10)).toMatchObject([{ text: 'b: 2\n', key: 'b:' }]);
});
