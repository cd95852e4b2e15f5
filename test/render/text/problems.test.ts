// Problems for people: what, where, on which line, what else belongs to it, and how to fix it.

import { expect, test } from 'vitest';
import { drawText } from '../../../src/render/text/text.ts';
import { plain } from '../sample.ts';
import { PLACE, problemOf, viewOf } from '../view-sample.ts';

const frame = { before: 'tls_edges:', line: '  a: { colour: red }', lead: 7, length: 6 };
const partsOf = (parts: Parameters<typeof viewOf>[0], style = plain) =>
  drawText(viewOf({ is: 'problems', ...parts }), style).split('\n\n');
const linesOf = (...parts: Parameters<typeof problemOf>) =>
  partsOf({ problems: [problemOf(...parts)] })[0]?.split('\n');

test('no problems, no word', () => {
  expect(partsOf({})).toEqual(['']);
});

test.each([
  {
    name: 'a problem says what is wrong, with its code',
    problem: { code: 'unknown-field' },
    lines: ['error: it is wrong  [unknown-field]'],
  },
  {
    name: 'an address stands before it',
    problem: { code: 'x', address: 'tls_edges.a' },
    lines: ['error: tls_edges.a: it is wrong  [x]'],
  },
  {
    name: 'a place without its line is named',
    problem: { code: 'x', place: PLACE },
    lines: ['error: it is wrong  [x]', '  --> edgeform.yaml:12:3'],
  },
  {
    name: 'a place with its line shows it, marked, behind the one before',
    problem: { code: 'x', place: PLACE, frame },
    lines: [
      'error: it is wrong  [x]',
      '  --> edgeform.yaml:12:3',
      '    |',
      ' 11 | tls_edges:',
      ' 12 |   a: { colour: red }',
      '    |        ^^^^^^',
    ],
  },
  {
    name: 'an empty line before is not shown',
    problem: { code: 'x', place: PLACE, frame: { ...frame, before: '  ' } },
    lines: [
      'error: it is wrong  [x]',
      '  --> edgeform.yaml:12:3',
      '    |',
      ' 12 |   a: { colour: red }',
      '    |        ^^^^^^',
    ],
  },
  {
    name: 'what belongs to it is told with its place',
    problem: { code: 'x', related: [{ text: 'the first one', place: PLACE }] },
    lines: ['error: it is wrong  [x]', '   = see also the first one', '  --> edgeform.yaml:12:3'],
  },
  {
    name: 'how to fix it comes last',
    problem: { code: 'x', details: [{ is: 'fix' as const, text: 'do it' }] },
    lines: ['error: it is wrong  [x]', '   = fix: do it'],
  },
])('$name', ({ problem, lines }) => {
  expect(linesOf(problem)).toEqual(lines);
});

test('long problems go on further in', () => {
  const lines = linesOf({ code: 'x', text: 'word '.repeat(40).trim() }) ?? [];
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(1).filter((line) => !line.startsWith('  '))).toEqual([]);
  expect(lines.filter((line) => line.length > plain.width)).toEqual([]);
});

test('what is only counted and the sentence stand behind all problems', () => {
  const problems = [problemOf({ code: 'a' }), problemOf({ code: 'b', group: 'warning' })];
  expect(partsOf({ problems, more: ['and 3 more'] }).slice(1)).toEqual([
    'warning: it is wrong  [b]',
    '  and 3 more',
    'The sentence.',
  ]);
});

test('an error is red and a warning yellow, and only the word of it', () => {
  const colors = (group: 'error' | 'warning') =>
    partsOf({ problems: [problemOf({ group, code: 'x' })] }, { ...plain, color: true })[0];
  expect([colors('error'), colors('warning')]).toEqual([
    '\u001b[31merror:\u001b[39m it is wrong  [x]',
    '\u001b[33mwarning:\u001b[39m it is wrong  [x]',
  ]);
});
