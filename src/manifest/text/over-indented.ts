// A line that begins deeper than the one above it, which has a value already: YAML reads it as more of that value.

import type { ProblemText } from '../../core/diagnostic.ts';
import type { Lines } from './lines.ts';

/** Codes of the parser for such a line: at the value above it, or at its own start. */
const ABOVE = 'BLOCK_AS_IMPLICIT_KEY';
const HERE = 'BAD_INDENT';

/** What may stand before a key: it may be the first of an entry of a list. */
const BEFORE_KEY = /^ *(?:- +)?/;
const KEY_WITH_VALUE = /^[\w-]+: +[^\s#|>]/;
const KEY = /^ *[\w-]+:(?: |$)/;

interface OverIndented {
  /** Where the line has its key. */
  readonly offset: number;
  readonly words: ProblemText;
}

interface Line {
  readonly start: number;
  readonly text: string;
}

/** The line, if that is what the parser's problem at the offset comes from. */
export function overIndented(code: string, offset: number, text: string, lines: Lines): OverIndented | undefined {
  const at = lineAround(text, offset);
  if (code !== ABOVE && code !== HERE) return undefined;
  // The start may be a comment above the line.
  const lower = code === HERE && !isEmpty(at) ? at : below(text, at);
  const upper = code === HERE ? above(text, at) : at;
  if (upper === undefined || lower === undefined || !KEY.test(lower.text)) return undefined;
  const column = BEFORE_KEY.exec(upper.text)?.[0].length ?? 0;
  const own = lower.text.length - lower.text.trimStart().length;
  const hasValue = KEY_WITH_VALUE.test(upper.text.slice(column)) && !hasSecondKey(upper.text);
  if (own <= column || !hasValue) return undefined;
  const [first, second] = [lines.range(upper.start, upper.start).line, lines.range(lower.start, lower.start).line];
  return {
    offset: lower.start + own,
    words: {
      message: `line ${second} is indented deeper than line ${first}, which has a value already`,
      fix: `begin line ${second} in column ${column + 1}, where the key of line ${first} begins`,
    },
  };
}

function hasSecondKey(line: string): boolean {
  return line.indexOf(': ') !== line.lastIndexOf(': ');
}

function lineAround(text: string, offset: number): Line {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { start, text: text.slice(start, end < 0 ? undefined : end).trimEnd() };
}

/** The next line that has more than a comment. */
function below(text: string, line: Line): Line | undefined {
  for (let end = text.indexOf('\n', line.start); end >= 0; end = text.indexOf('\n', end + 1)) {
    const next = lineAround(text, end + 1);
    if (!isEmpty(next)) return next;
  }
  return undefined;
}

function above(text: string, line: Line): Line | undefined {
  for (let { start } = line; start > 0;) {
    const last = lineAround(text, start - 1);
    if (!isEmpty(last)) return last;
    ({ start } = last);
  }
  return undefined;
}

function isEmpty({ text }: Line): boolean {
  return /^ *(?:#|$)/.test(text);
}
