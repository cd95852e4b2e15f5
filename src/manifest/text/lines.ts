// Converts offsets of one file to lines and columns, and builds diagnostics there.

import type { Diagnostic, ProblemText, SourceRange } from '../../core/diagnostic.ts';
import type { Code } from '../../core/codes.ts';
import { countWhile } from '../../core/bisect.ts';

/** Start and end; further elements are ignored. */
export type Offsets = readonly [start: number, end: number, ...unknown[]];

export interface Lines {
  readonly range: (start: number, end: number) => SourceRange;
  readonly error: (code: Code, start: number, end: number, words: ProblemText) => Diagnostic;
}

/** Positions in one file; columns count UTF-16 units from 1. */
export function linesOf(file: string, text: string): Lines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const position = (offset: number) => {
    const line = countWhile(starts.length, (index) => (starts[index] ?? 0) <= offset);
    return { line, column: offset - (starts[line - 1] ?? 0) + 1 };
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
