// What the parser of YAML complains of, told at its place and once. Problems are those that the library finds.

import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/core/diagnostic.ts';
import { parseDocuments } from '../../../src/manifest/text/parse.ts';
import { linesOf } from '../../../src/manifest/text/lines.ts';
import { openersIn, type Delimited } from '../../../src/manifest/text/openers.ts';
import { syntaxDiagnostics } from '../../../src/manifest/text/syntax.ts';

type SyntaxProblem = Parameters<typeof syntaxDiagnostics>[0][number];

interface Place {
  readonly offset?: number;
  readonly delimited?: readonly Delimited[];
}

function told(text: string, problems: readonly SyntaxProblem[], { offset = 0, delimited = [] }: Place = {}) {
  const openers = () => openersIn(delimited, text);
  return syntaxDiagnostics(problems, { lines: linesOf('f.yaml', text), offset, openers, text });
}

const at = (code: string, start: number, end = start + 1): SyntaxProblem => ({ code, pos: [start, end] });

const columns = (found: ReturnType<typeof told>) =>
  found.map(({ code, range }) => `${code} ${range?.line}:${range?.column}`);

describe('each problem is told once', () => {
  test.each([
    ['none', 'a', [], []],
    ['one', 'a\n b', [at('BAD_INDENT', 3)], ['yaml-syntax 2:2']],
    ['two at one place are one', 'abc', [at('BAD_INDENT', 1), at('MISSING_CHAR', 1)], ['yaml-syntax 1:2']],
    [
      'two at two places are two',
      'abc',
      [at('BAD_INDENT', 1), at('BAD_INDENT', 2)],
      ['yaml-syntax 1:2', 'yaml-syntax 1:3'],
    ],
    [
      'what does not fit behind another problem follows from it',
      'abc',
      [at('BAD_INDENT', 0), at('UNEXPECTED_TOKEN', 2)],
      ['yaml-syntax 1:1'],
    ],
    ['what does not fit is told when it is the first', 'abc', [at('UNEXPECTED_TOKEN', 2)], ['yaml-syntax 1:3']],
    [
      'tabs are told once for all lines',
      '\ta\n\tb',
      [at('TAB_AS_INDENT', 0), at('TAB_AS_INDENT', 3)],
      ['yaml-syntax 1:1'],
    ],
    ['a tag has a code of its own', '!x a', [at('TAG_RESOLVE_FAILED', 0, 2)], ['unknown-tag 1:1']],
    ['a problem that nobody knows is told all the same', 'abc', [at('SOMETHING_NEW', 1)], ['yaml-syntax 1:2']],
  ])('%s', (_, text, problems, expected) => {
    const found = told(text, problems);
    expect(columns(found)).toEqual(expected);
    expect(found.every(({ message, fix }) => message !== '' && fix !== undefined)).toBe(true);
  });

  test('a problem in a piece of a text is told where the piece stands', () => {
    expect(columns(told('a: 1\nb: 2', [at('BAD_INDENT', 0)], { offset: 5 }))).toEqual(['yaml-syntax 2:1']);
  });
});

describe('what is never closed is told where it opens', () => {
  test.each([
    ['at its bracket', 'a[bc', [at('MISSING_CHAR', 3)], ['yaml-syntax 1:2']],
    ['and nothing behind it', 'a[bc', [at('MISSING_CHAR', 2), at('BAD_INDENT', 3)], ['yaml-syntax 1:2']],
  ])('%s', (_, text, problems, expected) => {
    expect(
      columns(told(text, problems, { delimited: [{ range: [1, problems[0]?.pos[0] ?? 0], isFlow: true }] })),
    ).toEqual(expected);
  });
});

describe('the text around a problem tells what to do', () => {
  test.each([
    ['an expression in brackets wants quotes', 'a: [${var.b}]', 'quotes'],
    ['text behind a quote', 'a: "b" c', 'quote'],
    ['a second key on a line', 'a: b: c', 'its own line'],
    ['a tab', 'a:\n\tb: 1', 'spaces'],
    ['an escape that is none', 'a: "\\q"', 'backslash'],
    ['a value that begins with a sign', 'a: @b', 'quotes'],
    ['a bracket that is open', 'a: [1, 2', 'with ]'],
  ])('%s', (_, given, fix) => {
    expect(parseDocuments('f.yaml', given)[0].diagnostics[0]?.fix).toContain(fix);
  });
});

const quoted = (start: number, end: number): Delimited => ({ range: [start, end], isFlow: false });
const flow = (start: number, end: number): Delimited => ({ range: [start, end], isFlow: true });

interface Row {
  readonly name: string;
  readonly text: string;
  readonly code?: string;
  readonly at: number;
  readonly all: readonly Delimited[];
  readonly expect: string | undefined;
}

const ROWS: readonly Row[] = [
  { name: 'a quote', text: '"abc', at: 4, all: [quoted(0, 4)], expect: '0 "' },
  { name: 'a quote that is all there is', text: '"', at: 1, all: [quoted(0, 1)], expect: '0 "' },
  { name: 'a single quote', text: "'abc", at: 2, all: [quoted(0, 4)], expect: "0 '" },
  { name: 'a bracket', text: '[a, b', at: 5, all: [flow(0, 5)], expect: '0 [' },
  { name: 'a brace', text: '{a: 1', at: 5, all: [flow(0, 5)], expect: '0 {' },
  { name: 'a brace is not closed by a bracket', text: '{a: 1]', at: 6, all: [flow(0, 6)], expect: '0 {' },
  { name: 'the inner of two', text: '[{a: 1', at: 6, all: [flow(0, 6), flow(1, 6)], expect: '1 {' },
  {
    name: 'a quote in brackets is why they are open',
    text: '["a, b',
    at: 6,
    all: [flow(0, 6), quoted(1, 6)],
    expect: '1 "',
  },
  { name: 'what is closed is not told', text: '"a"', at: 3, all: [quoted(0, 3)], expect: undefined },
  { name: 'brackets that are closed are not told', text: '[a]', at: 3, all: [flow(0, 3)], expect: undefined },
  {
    name: 'a problem before the end of open brackets is another',
    text: '[a, b',
    at: 2,
    all: [flow(0, 5)],
    expect: undefined,
  },
  { name: 'a pair in a list has no brackets of its own', text: '[a: 1', at: 5, all: [flow(1, 5)], expect: undefined },
  {
    name: 'another problem is not explained by it',
    text: '"abc',
    code: 'BAD_DQ_ESCAPE',
    at: 4,
    all: [quoted(0, 4)],
    expect: undefined,
  },
  { name: 'nothing quoted, nothing open', text: 'a', at: 1, all: [], expect: undefined },
];

/** Where the problem says that something opens, and with which mark. */
function openIn(problem: Diagnostic | undefined, text: string): string | undefined {
  if (problem?.range === undefined || !problem.message.includes('opens here')) return undefined;
  const at = problem.range.column - 1;
  return `${at} ${text.charAt(at)}`;
}

describe('the quote or bracket that a problem comes from', () => {
  test.each(ROWS)('$name', ({ text, code = 'MISSING_CHAR', at, all, expect: expected }) => {
    const problem = { code, pos: [at, at] } as const;
    const [found] = told(text, [problem], { delimited: all });
    expect(openIn(found, text)).toBe(expected);
  });
});

test('of several problems only those that may come from it are explained', () => {
  const missing = { code: 'MISSING_CHAR', pos: [4, 4] } as const;
  const tag = { code: 'TAG_RESOLVE_FAILED', pos: [0, 1] } as const;
  const found = told('"abc', [tag, missing], { delimited: [quoted(0, 4)] });
  expect(found.map((one) => openIn(one, '"abc'))).toEqual([undefined, '0 "']);
});
