// Measures of texts, and characters that nobody sees.

import { describe, expect, test } from 'vitest';
import { BLANK, byteLength, charLength, codePoint, plural, UNSEEN } from '../../src/core/text/text.ts';

test.each([
  { given: '', bytes: 0, characters: 0 },
  { given: 'abc', bytes: 3, characters: 3 },
  { given: 'é', bytes: 2, characters: 1 },
  { given: 'e\u0301', bytes: 3, characters: 2 },
  { given: '😀', bytes: 4, characters: 1 },
])('$given has $bytes bytes and $characters characters', ({ given, bytes, characters }) => {
  expect([byteLength(given), charLength(given)]).toEqual([bytes, characters]);
});

describe('what cannot be seen', () => {
  const found = (text: string, form: RegExp) => [...text.matchAll(form)].map(([one]) => codePoint(one));

  test.each([
    { name: 'tabs and line ends are seen', given: '\t\n\r a', expect: [] },
    { name: 'letters of any script are seen', given: 'é中😀', expect: [] },
    { name: 'control characters', given: '\u0000\u001b\u007f\u0085', expect: ['U+0000', 'U+001B', 'U+007F', 'U+0085'] },
    {
      name: 'marks that turn the direction',
      given: '\u202a\u202e\u2066\u2069',
      expect: ['U+202A', 'U+202E', 'U+2066', 'U+2069'],
    },
    { name: 'separators of lines', given: '\u2028\u2029', expect: ['U+2028', 'U+2029'] },
    { name: 'halves of characters', given: 'a\ud800b\udfff', expect: ['U+D800', 'U+DFFF'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(found(given, UNSEEN)).toEqual(expected);
  });

  test('what has no width is blank, and a space is none', () => {
    expect(found('a\u200b\ufeff\u2800 \u00a0b', new RegExp(`[${BLANK}]`, 'gu'))).toEqual([
      'U+200B',
      'U+FEFF',
      'U+2800',
    ]);
  });
});

test('one is singular, and everything else is plural', () => {
  expect([0, 1, 2].map((count) => plural(count, 'step'))).toEqual(['0 steps', '1 step', '2 steps']);
});
