// Quoted texts and brackets that nothing closes, so that they are told where they begin.

import type { Delimited } from './nodes.ts';
import type { SyntaxPlace, SyntaxProblem, Unclosed } from './syntax.ts';
import { closerOf } from './syntax.ts';

/** Codes of problems that may come from a quote or bracket that is not closed. */
const MISSING: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT', 'UNEXPECTED_TOKEN'];

interface OpenDelimiter extends Unclosed {
  /** Offsets between which the parser may miss the end. */
  readonly from: number;
  readonly to: number;
}

/** What is not closed where a problem is. */
export function unclosedIn(
  problems: readonly SyntaxProblem[],
  all: readonly Delimited[],
  text: string,
): SyntaxPlace['unclosedAt'] {
  if (!problems.some(({ code }) => MISSING.includes(code))) return () => undefined;
  // A quote that is open in brackets is why they are.
  const found = all.flatMap((one) => openAt(one, text)).sort((a, b) => b.at - a.at);
  return ({ code, pos: [at] }) =>
    MISSING.includes(code) ? found.find(({ from, to }) => from <= at && at <= to) : undefined;
}

function openAt({ range: [at, to], isFlow }: Delimited, text: string): OpenDelimiter[] {
  const mark = text.charAt(at);
  const closer = closerOf(mark);
  const isClosed = to - at > 1 && text.charAt(to - 1) === (closer ?? mark);
  // A pair in a list has no brackets of its own.
  if (isClosed || isFlow !== (closer !== undefined)) return [];
  return [{ at, mark, from: isFlow ? to : at, to }];
}
