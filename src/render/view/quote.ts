// Lines of files as problems quote them: with the mask in place of every secret, be it one by its place or one that is known.

import type { QuotedFile, SourceRange } from '../../core/diagnostic.ts';
import { knownSecrets, SECRET_MASK } from '../../core/secrets/known.ts';

/** A line without its secrets. */
interface QuotedLine {
  readonly text: string;
  /** Where the marked part is in it. */
  readonly mark: Span;
}

/** Indices in a line: the first, and the one after the last. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Quotes a line by its number, with a mark from one index to another; undefined past the end of the file. */
export type Quote = (line: number, mark?: Span) => QuotedLine | undefined;

export function quoteFrom({ text, secrets }: QuotedFile): Quote {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  const lines = bare.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  const byPlace = spansByLine(secrets(), lines);
  // Many problems may be on one line, and it may be as long as the file.
  const spans = new Map<number, readonly Span[]>();
  return (number, mark = { start: 0, end: 0 }) => {
    const line = lines[number - 1];
    if (line === undefined) return undefined;
    const hidden = spans.get(number) ?? joined([...(byPlace.get(number) ?? []), ...knownSecrets.spansIn(line)]);
    spans.set(number, hidden);
    return masked(line, hidden, mark);
  };
}

/** The parts of the ranges by the numbers of their lines, without the indentation of a line. */
function spansByLine(ranges: readonly SourceRange[], lines: readonly string[]): ReadonlyMap<number, readonly Span[]> {
  const spans = new Map<number, Span[]>();
  for (const { line: first, column, endLine, endColumn } of ranges)
    for (let number = first; number <= endLine; number++) {
      const line = lines[number - 1] ?? '';
      const start = number === first ? column - 1 : line.length - line.trimStart().length;
      const end = number === endLine ? endColumn - 1 : line.length;
      if (start < end) listAt(spans, number).push({ start, end });
    }
  return spans;
}

function listAt(spans: Map<number, Span[]>, number: number): Span[] {
  const list = spans.get(number) ?? [];
  spans.set(number, list);
  return list;
}

/** In order, without overlaps. */
function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || span.start > last.end) all.push(span);
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return all;
}

function masked(line: string, secrets: readonly Span[], mark: Span): QuotedLine {
  let [text, from] = ['', 0];
  let { start, end } = mark;
  for (const secret of secrets) {
    text += line.slice(from, secret.start);
    const [first, after] = [text.length, text.length + SECRET_MASK.length];
    // Only what the mark has in common with the secret moves.
    if (mark.start >= secret.end) start += SECRET_MASK.length - (secret.end - secret.start);
    else if (mark.start > secret.start) start = first;
    if (mark.end >= secret.end) end += SECRET_MASK.length - (secret.end - secret.start);
    else if (mark.end > secret.start) end = after;
    text += SECRET_MASK;
    from = secret.end;
  }
  return { text: text + line.slice(from), mark: { start, end } };
}
