// Problems for people: what, where, on which line, what else belongs to it, and how to fix it.

import { expect, test } from 'vitest';
import { problemBlocks } from '../../../src/render/text/problems.ts';
import { plain } from '../sample.ts';
import { PLACE, problemOf, viewOf } from '../view-sample.ts';

const frame = { before: 'tls_edges:', line: '  a: { colour: red }', lead: 7, length: 6 };
const linesOf = (...parts: Parameters<typeof problemOf>) =>
  problemBlocks(viewOf({ is: 'problems', problems: [problemOf(...parts)] }), plain)[0];

test('no problems, no word', () => {
  expect(problemBlocks(viewOf({ is: 'problems', more: ['and 3 more'] }), plain)).toEqual([]);
});

test.each([
  {
    name: 'a problem says what is wrong, with its code',
    problem: { code: 'unknown-field' },
    lines: ['error: it is wrong  [unknown-field]'],
  },
  {
    name: 'an address stands in place of a line',
    problem: { code: 'x', address: 'tls_edges.a' },
    lines: ['error: it is wrong  [x]', '  --> tls_edges.a'],
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
    lines: ['error: it is wrong  [x]', '   = the first one', '  --> edgeform.yaml:12:3'],
  },
  {
    name: 'how to fix it comes last',
    problem: { code: 'x', details: [{ lead: 'fix:', text: 'do it', isCode: false }] },
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
  const view = viewOf({
    is: 'problems',
    problems: [problemOf({ code: 'a' }), problemOf({ code: 'b', group: 'warning' })],
    more: ['and 3 more'],
  });
  const blocks = problemBlocks(view, plain);
  expect([blocks.length, blocks[1]?.[0], blocks.slice(2)]).toEqual([
    4,
    'warning: it is wrong  [b]',
    [['and 3 more'], ['The sentence.']],
  ]);
});

test('an error is red and a warning yellow, and only the word of it', () => {
  const colors = (group: 'error' | 'warning') =>
    problemBlocks(viewOf({ is: 'problems', problems: [problemOf({ group, code: 'x' })] }), {
      ...plain,
      color: true,
    })[0]?.[0];
  expect([colors('error'), colors('warning')]).toEqual([
    '\u001b[31merror:\u001b[39m it is wrong  [x]',
    '\u001b[33mwarning:\u001b[39m it is wrong  [x]',
  ]);
});
