// Comments in JSON, which does not allow them: reported once, and otherwise ignored.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Lines } from './lines.ts';

type Span = readonly [start: number, end: number];

/** Strings, YAML comments, `//` and `/*` comments, and plain words, since such a file may contain YAML. */
const TOKEN = /"(?:[^"\\\n]|\\.)*"|'[^']*'|#[^\n]*|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[^\s"'#/,:{}[\]][^\s,{}[\]]*/g;

/** Where comments are, outside strings. */
export function jsonComments(text: string): Span[] {
  const found = [...text.matchAll(TOKEN)].filter(([token]) => token.startsWith('/'));
  return found.map(({ 0: token, index }) => [index, index + token.length]);
}

/** The text with each span blanked out; lines and columns stay. */
export function blanked(text: string, spans: readonly Span[]): string {
  let made = '';
  let at = 0;
  for (const [start, end] of spans) {
    made += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    at = end;
  }
  return made + text.slice(at);
}

export function commentProblem([first]: readonly Span[], lines: Lines): Diagnostic[] {
  if (first === undefined) return [];
  const message = 'JSON has no comments';
  const fix = 'remove them all, or write the file as YAML, where # begins a comment';
  return [lines.error('yaml-syntax', ...first, { message, fix })];
}
