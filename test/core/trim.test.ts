import { expect, test } from 'vitest';
import { trimEndOf, trimOf, trimStartOf } from '../../src/core/text/trim.ts';

test.each([
  { given: '', expect: ['', '', ''] },
  { given: '--', expect: ['', '', ''] },
  { given: '-a-b-', expect: ['a-b-', '-a-b', 'a-b'] },
  { given: 'a', expect: ['a', 'a', 'a'] },
])('$given without its ends', ({ given, expect: expected }) => {
  expect([trimStartOf(given, '-'), trimEndOf(given, '-'), trimOf(given, '-')]).toEqual(expected);
});

test('each of several characters goes', () => {
  expect(trimEndOf('a\r\n\n\r', '\r\n')).toBe('a');
});
