// Offsets of one file as lines and columns, and diagnostics at them.

import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import type { Code } from '../../core/codes.ts';

export interface ProblemText {
  readonly message: string;
  readonly expected?: string;
  readonly got?: string;
  readonly fix?: string;
}

export interface Lines {
  readonly range: (start: number, end: number) => SourceRange;
  readonly error: (code: Code, start: number, end: number, words: ProblemText) => Diagnostic;
}

/** Positions in one file; columns count UTF-16 units from 1. */
export function linesOf(file: string, text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const position = (offset: number) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
  const range = (start: number, end: number): SourceRange => {
    const from = position(start);
    const to = position(Math.max(start, end));
    return { file, line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  };
  return {
    range,
    error: (code, start, end, words) => ({ code, severity: 'error', range: range(start, end), ...words }),
  };
}

/** The first of some ascending offsets that is not before another. */
export function firstAtLeast(ascending: readonly number[], least: number): number | undefined {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ascending[middle] ?? 0) < least) from = middle + 1;
    else to = middle;
  }
  return ascending[from];
}
