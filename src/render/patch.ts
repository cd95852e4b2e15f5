// Two texts of a file → a unified diff, which `git apply` and `patch -p1` take.

import { sequenceDiff } from '../core/text/sequence.ts';

/** A file before and after. */
interface ChangedText {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** Lines around a change. */
const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
  /** Numbers of the line in both texts, or of the next one where it is not there; from 1. */
  readonly before: number;
  readonly after: number;
}

/** Empty for equal texts. */
export function patchOf({ name, before, after }: ChangedText): string {
  const hunks = hunksOf(numbered(before, after));
  if (hunks.length === 0) return '';
  return [`--- ${fileName('a', name)}\n`, `+++ ${fileName('b', name)}\n`, ...hunks.map(hunkText)].join('');
}

/** In quotes where a program would not read it otherwise; a tab ends a name with blanks. */
function fileName(side: string, name: string): string {
  const path = `${side}/${name.replace(/^\.\//, '')}`;
  return /["\p{Cc}]/u.test(path) ? JSON.stringify(path) : /\s/.test(path) ? `${path}\t` : path;
}

function numbered(before: string, after: string): Line[] {
  let [old, made] = [1, 1];
  return sequenceDiff(linesOf(before), linesOf(after)).map(({ mark, text }) => {
    const line = { mark, text, before: old, after: made };
    if (mark !== '+') old += 1;
    if (mark !== '-') made += 1;
    return line;
  });
}

/** With their line breaks. */
function linesOf(text: string): string[] {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return [...lines.map((line) => `${line}\n`), ...(last === '' ? [] : [last])];
}

/** Changes with the lines around them; those that are near each other together. */
function hunksOf(lines: readonly Line[]): (readonly Line[])[] {
  const hunks: (readonly Line[])[] = [];
  let end = 0;
  let start = -1;
  for (const [index, { mark }] of lines.entries()) {
    if (mark === ' ') continue;
    const from = Math.max(0, index - CONTEXT);
    if (start >= 0 && from > end) {
      hunks.push(lines.slice(start, end));
      start = from;
    }
    if (start < 0) start = from;
    end = Math.min(lines.length, index + 1 + CONTEXT);
  }
  return start < 0 ? hunks : [...hunks, lines.slice(start, end)];
}

function hunkText(lines: readonly Line[]): string {
  const [first] = lines;
  const sideOf = (other: '-' | '+', from: number) => {
    const count = lines.filter(({ mark }) => mark !== other).length;
    return count === 0 ? `${from - 1},0` : `${from},${count}`;
  };
  const body = lines.map(({ mark, text }) =>
    text.endsWith('\n') ? `${mark}${text}` : `${mark}${text}\n\\ No newline at end of file\n`,
  );
  return `@@ -${sideOf('+', first?.before ?? 1)} +${sideOf('-', first?.after ?? 1)} @@\n${body.join('')}`;
}
