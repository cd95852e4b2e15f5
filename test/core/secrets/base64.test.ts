// Base64 is known by what it says.

import { describe, expect, test } from 'vitest';
import { BASE64, FOLDS } from '../../../src/core/secrets/base64.ts';

const coded = (text: string, encoding: 'base64' | 'base64url' = 'base64') => Buffer.from(text).toString(encoding);
const bytes = (text: string) => Buffer.from(text).toString('latin1');
const read = (text: string) => text.replace(BASE64.tokens, BASE64.change);

describe('a run that says a text is that text', () => {
  test.each([
    { name: 'alone', given: coded('a secret text'), expect: 'a secret text' },
    { name: 'in other text', given: `<${coded('a secret text')}>`, expect: '<a secret text>' },
    { name: 'with signs for addresses', given: coded('>>>???>>>???>>>', 'base64url'), expect: '>>>???>>>???>>>' },
    { name: 'in characters of several bytes', given: coded('éééééééééééé'), expect: bytes('éééééééééééé') },
    { name: 'too short to be told from a word', given: coded('short'), expect: coded('short') },
    { name: 'an ordinary long word', given: 'internationalizations', expect: 'internationalizations' },
    { name: 'nothing', given: '', expect: '' },
  ])('$name', ({ given, expect: expected }) => {
    expect(read(given).replace(/=+/, '')).toBe(expected.replace(/=+/, ''));
  });

  test('a run without a text in it has no places', () => {
    expect(BASE64.spansIn?.('internationalizations')).toBeUndefined();
  });

  test('three bytes stand in four characters', () => {
    const place = BASE64.spansIn?.(coded('a secret text!!'));
    expect([0, 1, 2, 3].map((at) => place?.(at))).toEqual([
      { start: 0, end: 2 },
      { start: 1, end: 3 },
      { start: 2, end: 4 },
      { start: 4, end: 6 },
    ]);
  });
});

describe('folds in base64 are taken away, and those between words are not', () => {
  const half = 'QUJDREVGR0hJSktM';

  test.each([
    { name: 'a line end', given: `${half}\n${half}`, expect: half + half },
    { name: 'a line end and blanks', given: `${half}\r\n  ${half}`, expect: half + half },
    { name: 'blanks between words', given: 'some words of a text', expect: 'some words of a text' },
    { name: 'a line end behind the last run', given: `${half}\n`, expect: `${half}\n` },
  ])('$name', ({ given, expect: expected }) => {
    expect(given.replace(FOLDS.tokens, FOLDS.change)).toBe(expected);
  });
});
