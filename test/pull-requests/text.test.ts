// Texts from variables and headers, as the scripts of the pipelines read them.

import { describe, expect, test } from 'vitest';
// @ts-expect-error: the scripts have no types.
import * as texts from '../../.github/actions/lib/text.mjs';

const { nextIn, withoutSlashes, wordsIn } = texts as Record<
  'nextIn' | 'withoutSlashes' | 'wordsIn',
  (text?: string) => unknown
>;

describe('wordsIn', () => {
  test.each([
    [undefined, []],
    ['  ', []],
    [' a  b\tc\n', ['a', 'b', 'c']],
    [`"a b" 'c d' e"f g"h`, ['a b', 'c d', 'ef gh']],
    [`"" ''`, ['', '']],
    [String.raw`a\ b \"c\' \\`, ['a b', `"c'`, '\\']],
    [String.raw`C:\new "C:\new\" 'C:\new\'`, ['C:\\new', 'C:\\new\\', 'C:\\new\\']],
    [String.raw`"a \"b\" \\ c"`, ['a "b" \\ c']],
    [`it's "so`, ["it's", '"so']],
  ])('%j', (given, expected) => {
    expect(wordsIn(given)).toEqual(expected);
  });

  test('a quote that is never closed is looked for once', () => {
    expect(wordsIn(`"${'\\'.repeat(300_000)}`)).toEqual([`"${'\\'.repeat(150_000)}`]);
  });
});

test.each([
  ['<https://a/?page=2>; rel="next", <https://a/?page=9>; rel="last"', 'https://a/?page=2'],
  ['<https://a/?page=1>; rel="prev", <https://a/?page=3>;rel="next"', 'https://a/?page=3'],
  ['<https://a/?page=9>; rel="last"', undefined],
  ['', undefined],
  ['<'.repeat(200_000), undefined],
])('the next page of %.60j', (given, expected) => {
  expect(nextIn(given)).toBe(expected);
});

test.each([
  ['https://a//', 'https://a'],
  ['https://a/b', 'https://a/b'],
  ['///', ''],
])('%s without slashes at its end', (given, expected) => {
  expect(withoutSlashes(given)).toBe(expected);
});
