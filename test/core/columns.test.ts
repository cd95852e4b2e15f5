// How wide a text is: as a real terminal moves its cursor, and what is left of one that is cut.

import { expect, test } from 'vitest';
import { columns, cut, pad } from '../../src/core/text/columns.ts';
import { duration } from '../../src/core/text/text.ts';
import { createTerminal } from '../support/terminal.ts';

const TEXTS = [
  'tls_edges.db',
  'ünïcödé',
  '日本語',
  '한글 and ｆｕｌｌ',
  'e\u0301te\u0301',
  '한',
  '☎ ✓ → ± »',
  '\u001b[31mred\u001b[39m',
  '字𠮷',
];

test.each(TEXTS)('%j is as wide as a terminal draws it', async (text) => {
  const terminal = createTerminal(80, 5);
  terminal.stream.write(text, () => undefined);
  expect((await terminal.cursor()).column).toBe(columns(text));
});

test('pictures take two columns, as terminals of today draw them', () => {
  expect(['⌚', '🚀', '👩👩👧', '❤'].map(columns)).toEqual([2, 2, 6, 1]);
});

test.each([...TEXTS, '🚀🚀🚀 ⌚'])('%j is cut and padded to any width', (text) => {
  for (let width = 1; width < 30; width++) {
    expect(columns(cut(text, width))).toBeLessThanOrEqual(width);
    expect(columns(pad(cut(text, width), width))).toBe(width);
  }
  expect(cut('日本語', 80)).toBe('日本語');
});

test('what is cut keeps no escape sequence', () => {
  expect(cut('a\u001b[10Ab\r\n', 20)).toBe('a[10Ab');
});

test.each([
  [0, '0 ms'],
  [84.4, '84 ms'],
  [100, '0.1 s'],
  [4_249, '4.2 s'],
  [9_949, '9.9 s'],
  [9_950, '10 s'],
  [59_499, '59 s'],
  [59_500, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_599_600, '1 h 0 min'],
  [3_720_000, '1 h 2 min'],
])('%d ms are %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
