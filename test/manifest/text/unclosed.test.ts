// Which quote or bracket is not closed where the parser stumbles.

import { describe, expect, test } from 'vitest';
import type { Delimited } from '../../../src/manifest/text/nodes.ts';
import { unclosedIn } from '../../../src/manifest/text/unclosed.ts';

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

describe('the quote or bracket that a problem comes from', () => {
  test.each(ROWS)('$name', ({ text, code = 'MISSING_CHAR', at, all, expect: expected }) => {
    const problem = { code, pos: [at, at] } as const;
    const found = unclosedIn([problem], all, text)(problem);
    expect(found && `${found.at} ${found.mark}`).toBe(expected);
  });
});

test('of several problems only those that may come from it are explained', () => {
  const missing = { code: 'MISSING_CHAR', pos: [4, 4] } as const;
  const tag = { code: 'TAG_RESOLVE_FAILED', pos: [4, 4] } as const;
  const of = unclosedIn([tag, missing], [quoted(0, 4)], '"abc');
  expect([of(tag)?.at, of(missing)?.at]).toEqual([undefined, 0]);
});
