// Quotes and brackets that are opened and never closed. Every problem of a broken text asks for the one that caused it, so they
// are found once.

import { countWhile } from '../../core/bisect.ts';
import type { Offsets } from './lines.ts';

/** A quoted text, or a block or list in brackets. */
export interface Delimited {
  readonly range: Offsets;
  readonly isFlow: boolean;
}

/** Where the innermost quote or bracket opens that may have caused the problem at an offset. */
export type FindOpener = (at: number) => number | undefined;

export const CLOSES: Readonly<Record<string, string>> = { '[': ']', '{': '}', '"': '"', "'": "'" };

/** The unclosed quotes and brackets of a text. A missing bracket is noticed where its block ends, a missing quote anywhere in it. */
export function openersIn(delimited: readonly Delimited[], text: string): FindOpener {
  const unclosed = delimited.filter((one) => isUnclosed(one, text));
  const quotes = unclosed.filter(({ isFlow }) => !isFlow).sort((a, b) => a.range[0] - b.range[0]);
  const bracketByEnd = new Map<number, number>();
  for (const { range, isFlow } of unclosed) {
    const [start, end] = range;
    if (isFlow) bracketByEnd.set(end, Math.max(start, bracketByEnd.get(end) ?? start));
  }
  return (at) => {
    const starts = [bracketByEnd.get(at), quoteAround(quotes, at)].filter((start) => start !== undefined);
    return starts.length === 0 ? undefined : Math.max(...starts);
  };
}

function isUnclosed({ range: [start, end], isFlow }: Delimited, text: string): boolean {
  const mark = text.charAt(start);
  const isClosed = end - start > 1 && text.charAt(end - 1) === CLOSES[mark];
  // A pair in a list has no brackets of its own.
  return !isClosed && isFlow === (mark === '[' || mark === '{');
}

/** Quotes are not nested: only the last one before an offset can hold it. */
function quoteAround(quotes: readonly Delimited[], at: number): number | undefined {
  const before = countWhile(quotes.length, (index) => (quotes[index]?.range[0] ?? 0) <= at);
  const [start, end] = quotes[before - 1]?.range ?? [0, -1];
  return at <= end ? start : undefined;
}
