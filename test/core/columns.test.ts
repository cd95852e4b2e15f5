// How wide a text is: as a real terminal moves its cursor, and what is left of one that is cut.

import { expect, test } from 'vitest';
import { columns, cut, pad } from '../../src/core/text/columns.ts';
import { duration } from '../../src/core/text/text.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { squeeze } from '../../src/render/text/lines.ts';
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

test.each([...TEXTS, '🚀🚀🚀 ⌚'])('%j is cut, squeezed and padded to any width', (text) => {
  for (let width = 1; width < 30; width++) {
    expect(columns(cut(text, width))).toBeLessThanOrEqual(width);
    expect(columns(squeeze(text.replaceAll(/\u001b\[\d+m/g, ''), width))).toBeLessThanOrEqual(width);
    expect(columns(pad(cut(text, width), width))).toBe(width);
  }
  expect([cut(text, 80), squeeze(text, 80)]).toEqual([text, text]);
});

test('no half of a secret is left where a text is squeezed', () => {
  const secret = new Secret('probe-of-the-middle').reveal();
  for (let width = 5; width < 40; width++)
    expect(squeeze(`tls_edges.${secret}.and.more.of.it`, width)).not.toMatch(/probe|iddle/);
});

test('what is cut keeps its colours and no other sequence', () => {
  expect(cut('\u001b[31mabc\u001b[39m\u001b[2J\r\n', 2)).toBe('\u001b[31ma\u001b[39m…');
  expect(cut('a\u001b[10Ab', 20)).toBe('a[10Ab');
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
