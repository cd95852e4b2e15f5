// Offsets as lines and columns.

import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../src/manifest/text/lines.ts';

describe('an offset is told as a line and a column, both from 1', () => {
  test.each([
    { name: 'the first character', given: ['ab\ncd', 0, 1], expect: [1, 1, 1, 2] },
    { name: 'a line break belongs to the line that it ends', given: ['ab\ncd', 2, 3], expect: [1, 3, 2, 1] },
    { name: 'the first character behind a line break', given: ['ab\ncd', 3, 5], expect: [2, 1, 2, 3] },
    { name: 'the end of a text is behind its last character', given: ['ab', 2, 2], expect: [1, 3, 1, 3] },
    { name: 'the end of a text that ends with a line break', given: ['ab\n', 3, 3], expect: [2, 1, 2, 1] },
    { name: 'an empty text', given: ['', 0, 0], expect: [1, 1, 1, 1] },
    { name: 'lines without anything in them', given: ['\n\n\nx', 3, 4], expect: [4, 1, 4, 2] },
    { name: 'a character beyond the basic plane counts as two', given: ['😀x', 2, 3], expect: [1, 3, 1, 4] },
    { name: 'an end before its start is moved to the start', given: ['abc', 2, 0], expect: [1, 3, 1, 3] },
  ] as const)('$name', ({ given: [text, start, end], expect: [line, column, endLine, endColumn] }) => {
    expect(linesOf('f.yaml', text).range(start, end)).toEqual({ file: 'f.yaml', line, column, endLine, endColumn });
  });

  test('every line of a long text is found', () => {
    const lines = linesOf('f.yaml', 'x\n'.repeat(100));
    for (let line = 0; line < 100; line++)
      expect(lines.range(line * 2, line * 2 + 1)).toMatchObject({ line: line + 1, column: 1, endColumn: 2 });
  });
});

test('a problem is an error at its range, with its words', () => {
  const words = { message: 'no', expected: 'a', got: 'b', fix: 'c' };
  const { range, ...rest } = linesOf('f.yaml', 'a\nb').error('wrong-type', 2, 3, words);
  expect(rest).toEqual({ code: 'wrong-type', severity: 'error', ...words });
  expect(range).toMatchObject({ line: 2, column: 1 });
});
