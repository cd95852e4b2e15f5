// Names with what is said of them, in two columns, or below each other where the terminal is narrow.

import { describe, expect, test } from 'vitest';
import { definitionLines } from '../../../src/render/text/lines.ts';
import { indented } from '../../../src/render/text/lines.ts';

const entries = [
  { name: '-a', text: 'one two three' },
  { name: '--long', text: 'four' },
];

describe('definitions', () => {
  test.each([
    { name: 'of nothing are nothing', given: [], width: 80, lines: [] },
    { name: 'stand in two columns', given: entries, width: 80, lines: ['  -a      one two three', '  --long  four'] },
    { name: 'go on in their column', given: entries, width: 24, lines: ['  -a      one two three', '  --long  four'] },
    {
      name: 'go on in their column when it is too narrow',
      given: entries,
      width: 20,
      lines: ['  -a      one two', '          three', '  --long  four'],
    },
    {
      name: 'stand below their names where these leave no room',
      given: entries,
      width: 19,
      lines: ['  -a', '      one two three', '  --long', '      four'],
    },
    { name: 'without a text leave no blanks behind', given: [{ name: 'a', text: '' }], width: 80, lines: ['  a'] },
    {
      name: 'keep a word whole that is longer than a line',
      given: [{ name: 'a', text: 'x'.repeat(30) }],
      width: 20,
      lines: [`  a  ${'x'.repeat(30)}`],
    },
    {
      name: 'count characters, not bytes',
      given: [
        { name: 'éà', text: 'x' },
        { name: 'abc', text: 'y' },
      ],
      width: 80,
      lines: ['  éà   x', '  abc  y'],
    },
  ])('$name', ({ given, width, lines }) => {
    expect(definitionLines(given, width)).toEqual(lines);
  });
});

test.each([
  {
    name: 'a text at a margin fits into the width with it',
    text: 'one two three',
    width: 9,
    margin: '  ',
    hang: '',
    lines: ['  one two', '  three'],
  },
  {
    name: 'later lines go further in',
    text: 'one two',
    width: 4,
    margin: '> ',
    hang: '..',
    lines: ['> one', '> ..two'],
  },
  { name: 'an empty text is a margin', text: '', width: 9, margin: '  ', hang: '', lines: ['  '] },
])('$name', ({ text, width, margin, hang, lines }) => {
  expect(indented(text, width, margin, hang)).toEqual(lines);
});
