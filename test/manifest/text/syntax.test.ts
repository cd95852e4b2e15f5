// What the parser of YAML complains of, told at its place and once. Problems are those that the library finds.

import { describe, expect, test } from 'vitest';
import { parseDocuments } from '../../../src/manifest/text/parse.ts';
import { linesOf } from '../../../src/manifest/text/lines.ts';
import type { SyntaxProblem, Unclosed } from '../../../src/manifest/text/syntax.ts';
import { closerOf, isLocal, isOnlyUnclosed, spoils, syntaxDiagnostics } from '../../../src/manifest/text/syntax.ts';

interface Place {
  readonly offset?: number;
  readonly unclosed?: Unclosed;
}

function told(text: string, problems: readonly SyntaxProblem[], { offset = 0, unclosed }: Place = {}) {
  const unclosedAt = ({ code }: SyntaxProblem) => (code === 'MISSING_CHAR' ? unclosed : undefined);
  return syntaxDiagnostics(problems, { lines: linesOf('f.yaml', text), offset, unclosedAt, text });
}

const at = (code: string, start: number, end = start + 1): SyntaxProblem => ({ code, pos: [start, end] });

const columns = (found: ReturnType<typeof told>) =>
  found.map(({ code, range }) => `${code} ${range?.line}:${range?.column}`);

describe('each problem is told once', () => {
  test.each([
    { name: 'none', text: 'a', problems: [], expect: [] },
    { name: 'one', text: 'a\n b', problems: [at('BAD_INDENT', 3)], expect: ['yaml-syntax 2:2'] },
    {
      name: 'two at one place are one',
      text: 'abc',
      problems: [at('BAD_INDENT', 1), at('MISSING_CHAR', 1)],
      expect: ['yaml-syntax 1:2'],
    },
    {
      name: 'two at two places are two',
      text: 'abc',
      problems: [at('BAD_INDENT', 1), at('BAD_INDENT', 2)],
      expect: ['yaml-syntax 1:2', 'yaml-syntax 1:3'],
    },
    {
      name: 'what does not fit behind another problem follows from it',
      text: 'abc',
      problems: [at('BAD_INDENT', 0), at('UNEXPECTED_TOKEN', 2)],
      expect: ['yaml-syntax 1:1'],
    },
    {
      name: 'what does not fit is told when it is the first',
      text: 'abc',
      problems: [at('UNEXPECTED_TOKEN', 2)],
      expect: ['yaml-syntax 1:3'],
    },
    {
      name: 'tabs are told once for all lines',
      text: '\ta\n\tb',
      problems: [at('TAB_AS_INDENT', 0), at('TAB_AS_INDENT', 3)],
      expect: ['yaml-syntax 1:1'],
    },
    {
      name: 'a tag has a code of its own',
      text: '!x a',
      problems: [at('TAG_RESOLVE_FAILED', 0, 2)],
      expect: ['unknown-tag 1:1'],
    },
    {
      name: 'a problem that nobody knows is told all the same',
      text: 'abc',
      problems: [at('SOMETHING_NEW', 1)],
      expect: ['yaml-syntax 1:2'],
    },
  ])('$name', ({ text, problems, expect: expected }) => {
    const found = told(text, problems);
    expect(columns(found)).toEqual(expected);
    expect(found.every(({ message, fix }) => message !== '' && fix !== undefined)).toBe(true);
  });

  test('a problem in a piece of a text is told where the piece stands', () => {
    expect(columns(told('a: 1\nb: 2', [at('BAD_INDENT', 0)], { offset: 5 }))).toEqual(['yaml-syntax 2:1']);
  });
});

describe('what is never closed is told where it opens', () => {
  const open = { at: 1, mark: '[' };

  test.each([
    { name: 'at its bracket', text: 'a[bc', problems: [at('MISSING_CHAR', 3)], expect: ['yaml-syntax 1:2'] },
    {
      name: 'and nothing behind it',
      text: 'a[bc',
      problems: [at('MISSING_CHAR', 2), at('BAD_INDENT', 3)],
      expect: ['yaml-syntax 1:2'],
    },
    {
      name: 'but what is wrong in itself is',
      text: 'a[bc',
      problems: [at('MISSING_CHAR', 2), at('BAD_DQ_ESCAPE', 3)],
      expect: ['yaml-syntax 1:2', 'yaml-syntax 1:4'],
    },
    {
      name: 'unless another closer is too much',
      text: 'a[b}]',
      problems: [at('MISSING_CHAR', 3)],
      expect: ['yaml-syntax 1:4'],
    },
  ])('$name', ({ text, problems, expect: expected }) => {
    expect(columns(told(text, problems, { unclosed: open }))).toEqual(expected);
  });
});

describe('the text around a problem tells what to do', () => {
  test.each([
    { name: 'an expression in brackets wants quotes', given: 'a: [${var.b}]', fix: 'quotes' },
    { name: 'text behind a template', given: 'a: {{ b }}-c', fix: 'quotes' },
    { name: 'a closer that nothing opened', given: 'a: 1\nb: ]', fix: 'remove' },
    { name: 'text behind a quote', given: 'a: "b" c', fix: 'quote' },
    { name: 'a second key on a line', given: 'a: b: c', fix: 'its own line' },
    { name: 'a tab', given: 'a:\n\tb: 1', fix: 'spaces' },
    { name: 'an escape that is none', given: 'a: "\\q"', fix: 'backslash' },
    { name: 'a value that begins with a sign', given: 'a: @b', fix: 'quotes' },
    { name: 'a bracket that is open', given: 'a: [1, 2', fix: '"]"' },
  ])('$name', ({ given, fix }) => {
    expect(parseDocuments('f.yaml', given)[0].diagnostics[0]?.fix).toContain(fix);
  });
});

test.each([
  { code: 'TAG_RESOLVE_FAILED', local: true, spoiled: false },
  { code: 'BAD_SCALAR_START', local: true, spoiled: true },
  { code: 'BAD_DQ_ESCAPE', local: true, spoiled: true },
  { code: 'BAD_INDENT', local: false, spoiled: true },
  { code: 'SOMETHING_NEW', local: false, spoiled: true },
])('after $code the rest can be read: $local; the value itself is lost: $spoiled', ({ code, local, spoiled }) => {
  expect([isLocal(at(code, 0)), spoils(at(code, 0))]).toEqual([local, spoiled]);
});

describe('a text in brackets of which only the end is wrong', () => {
  test.each([
    { name: 'a closer is missing', text: '{"a": [1}', from: 8, expect: true },
    { name: 'a closer is too much', text: '{"a": 1}}', from: 8, expect: true },
    { name: 'line breaks between the closers do not matter', text: '{"a": [1\n}\n', from: 9, expect: true },
    { name: 'no closer at all ends the text', text: '{"a": 1', from: 7, expect: false },
    { name: 'something else is wrong before', text: '{"a" 1, "b": [}', from: 5, expect: false },
  ])('$name', ({ text, from, expect: expected }) => {
    expect(isOnlyUnclosed([at('BAD_INDENT', from)], text)).toBe(expected);
  });

  test('what is wrong in itself is no other problem', () => {
    expect(isOnlyUnclosed([at('BAD_DQ_ESCAPE', 1), at('MISSING_CHAR', 5)], '{"\\q"}')).toBe(true);
  });
});

test.each([
  ['[', ']'],
  ['{', '}'],
  ['"', undefined],
  ['', undefined],
])('%j is closed by %j', (mark, closer) => {
  expect(closerOf(mark)).toBe(closer);
});
