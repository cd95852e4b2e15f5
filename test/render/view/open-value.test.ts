// How far a value goes on in manifest text that may be broken: a line belongs to it unless it clearly does not.

import { describe, expect, test } from 'vitest';
import { continueValue, depthOf, openValue } from '../../../src/render/view/open-value.ts';

/** How many of the lines belong to the value that the first one begins. */
function taken(lines: readonly string[], { mayBeBlock = false, known = [] as readonly string[] } = {}): number {
  const [line = '', ...rest] = lines;
  const value = line.slice(line.indexOf(':') + 1).trim();
  let open = openValue(line, value, mayBeBlock);
  let count = 1;
  for (const next of rest) {
    const more = continueValue(open, next, (key) => known.includes(key));
    if (more === undefined) return count;
    open = more;
    count += 1;
  }
  return count;
}

describe('a value', () => {
  test.each([
    { name: 'on one line ends at the next key', lines: ['secret: abc', 'other: 1'], count: 1 },
    { name: 'goes on in deeper lines', lines: ['secret: abc', '  def', 'other: 1'], count: 2 },
    {
      name: 'goes on at the same indent when no key stands there',
      lines: ['secret: abc', 'def', 'ghi', 'known: 1'],
      known: ['known'],
      count: 3,
    },
    {
      name: 'that left its place goes on through what only looks like a key',
      lines: ['secret: abc', 'def', 'other: 1', 'known: 1'],
      known: ['known'],
      count: 3,
    },
    { name: 'goes on past empty lines', lines: ['secret: abc', '', '  def', 'other: 1'], count: 3 },
    { name: 'ends at the end of the document', lines: ['secret: abc', '---', 'def'], count: 1 },
    {
      name: 'in quotes goes on until they are closed',
      lines: ['secret: "abc', 'other: 1', 'def"', 'more: 1'],
      count: 3,
    },
    { name: 'in single quotes is not closed by two of them', lines: ["secret: 'a''", "b: '", 'more: 1'], count: 2 },
    { name: 'in quotes is not closed by an escaped one', lines: ['secret: "a\\"', 'b: "', 'more: 1'], count: 2 },
    { name: 'in brackets goes on until they are closed', lines: ['secret: [a', 'b: 1', ']', 'more: 1'], count: 3 },
    { name: 'in brackets does not count quoted ones', lines: ['secret: ["]"', 'b: 1', ']', 'more: 1'], count: 3 },
    {
      name: 'as a block goes on below any key that is not known',
      lines: ['secret: |', 'a: 1', 'b: 1', 'known: 1'],
      known: ['known'],
      count: 3,
    },
    {
      name: 'with a tag or an anchor is judged by what follows',
      lines: ['secret: !!str &a "b', 'c', '"', 'more: 1'],
      count: 3,
    },
    {
      name: 'with a pasted key goes on to its end, whatever its lines look like',
      lines: ['secret: -----BEGIN KEY-----', 'known: 1', '-----END KEY-----', 'more: 1'],
      known: ['known', 'more'],
      count: 3,
    },
    {
      name: 'with a key pasted further down goes on to its end, too',
      lines: ['secret: |', '  -----BEGIN KEY-----', 'known: 1', '  -----END KEY-----', 'more: 1'],
      known: ['known', 'more'],
      count: 4,
    },
    {
      name: 'of a list may stand at the indent of its key',
      lines: ['  secret:', '  - a', '  - b', 'known: 1'],
      known: ['known'],
      count: 3,
    },
  ])('$name', ({ lines, known, count }) => {
    expect(taken(lines, { known: known ?? [] })).toBe(count);
  });

  test.each([
    { name: 'a name that only reads like a secret may begin a block of keys', mayBeBlock: true, count: 1 },
    { name: 'the name of a secret begins none', mayBeBlock: false, count: 2 },
  ])('$name', ({ mayBeBlock, count }) => {
    expect(taken(['secret:', '  a: 1', 'known: 1'], { mayBeBlock, known: ['known'] })).toBe(count);
  });
});

test.each([
  { text: '', depth: 0 },
  { text: '[{', depth: 2 },
  { text: '[]', depth: 0 },
  { text: ']', depth: -1 },
  { text: '"[" \'{\' [', depth: 1 },
  { text: '"\\"[" [', depth: 1 },
])('$text opens $depth brackets', ({ text, depth }) => {
  expect(depthOf(text)).toBe(depth);
});
