// Syntax errors of the YAML parser, in our words. Knows the parser's error codes, but not its types.

import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import type { Lines, Offsets } from './lines.ts';

/** One problem from the parser; offsets refer to the text that it was given. */
interface SyntaxProblem {
  readonly code: string;
  readonly pos: readonly [number, number];
}

type Row = Pick<ProblemText, 'message' | 'fix'>;

const TAG = 'TAG_RESOLVE_FAILED';
const TAB = 'TAB_AS_INDENT';

/** Fix for templates anywhere in a file. */
export const TEMPLATE_FIX = 'put the value in quotes; for the value of a variable write "${var.NAME}"';

const ROWS: Readonly<Record<string, Row>> = {
  TAB_AS_INDENT: { message: 'a tab is used for indentation; YAML needs spaces', fix: 'replace the tab with spaces' },
  BAD_INDENT: {
    message: 'the indentation is wrong',
    fix: 'indent the entries of one block alike, and close every bracket before the next key',
  },
  MULTILINE_IMPLICIT_KEY: {
    message: 'a key spans several lines',
    fix: 'check the lines above for a missing ":" or quote',
  },
  MISSING_CHAR: { message: 'a character is missing here, such as a closing bracket or ":"' },
  UNEXPECTED_TOKEN: { message: 'this is not expected here' },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'the line contains a second ": ", which begins another key',
    fix: 'put the whole value in quotes if it is text, or put the second key on its own line',
  },
  AFTER_QUOTE: {
    message: 'there is text after the closing quote',
    fix: 'double a quote inside single quotes, or use the other kind of quotes around the text',
  },
  EXPRESSION: {
    message: 'an expression inside brackets must be quoted',
    fix: 'put the whole value in quotes, for example "${var.NAME}"',
  },
  AFTER_BRACES: { message: 'there is text after "}}"', fix: TEMPLATE_FIX },
  BAD_ALIAS: { message: 'the alias cannot be used' },
  [TAG]: {
    message: 'tags such as !name are not supported',
    fix: 'write the value itself; use "${var.NAME}" or "${file:PATH}" for values from elsewhere',
  },
  BAD_SCALAR_START: { message: 'a plain value cannot start with this character', fix: 'put the value in quotes' },
  BAD_DQ_ESCAPE: {
    message: 'the escape inside the double quotes is unknown',
    fix: 'write \\\\ for a backslash, or use single quotes',
  },
  BAD_DIRECTIVE: { message: 'the directive is not supported', fix: 'remove the line' },
};

/** The row for an unexpected token, chosen by the text around it. */
function rowOf(code: string, { before, behind }: ReturnType<typeof aroundAt>): Row | undefined {
  if (before.endsWith('$') && behind.startsWith('{')) return ROWS['EXPRESSION'];
  if (code !== 'UNEXPECTED_TOKEN') return ROWS[code];
  if (before.includes('{{') && /\}\}\s*$/.test(before)) return ROWS['AFTER_BRACES'];
  if (isCloser(behind.charAt(0))) return strayCloser(behind.charAt(0));
  if (/^\s*$/.test(before)) return ROWS['BAD_INDENT'];
  return ROWS[/['"]\s*$/.test(before) ? 'AFTER_QUOTE' : code];
}

const CLOSES: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

function isCloser(mark: string): boolean {
  return mark !== '' && Object.values(CLOSES).includes(mark);
}

function strayCloser(mark: string): Row {
  return { message: `this "${mark}" closes nothing`, fix: `remove the "${mark}"` };
}

/** The text around a problem: its line up to it, and everything after it. */
function aroundAt(text: string, at: number) {
  return { before: text.slice(text.lastIndexOf('\n', at - 1) + 1, at), behind: text.slice(at) };
}

/** True when the right closer follows directly after a wrong one: then only the wrong one is superfluous. */
function isTooMuch(behind: string, { mark }: Unclosed): boolean {
  return isCloser(behind.charAt(0)) && CLOSES[mark] === behind.slice(1).trimStart().charAt(0);
}

/** A quoted text, or a block or list in brackets. */
export interface Delimited {
  readonly range: Offsets;
  readonly isFlow: boolean;
}

/** Something unclosed: its position and its opening quote or bracket. */
interface Unclosed {
  readonly at: number;
  readonly mark: string;
  /** Range of offsets in which the parser may report the missing end. */
  readonly from: number;
  readonly to: number;
}

/** Codes of problems that an unclosed quote or bracket may cause. */
const MISSING: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT', 'UNEXPECTED_TOKEN'];

/** The unclosed item that causes a problem. */
function unclosedIn(problems: readonly SyntaxProblem[], { delimited, text, offset }: SyntaxPlace) {
  if (!problems.some(({ code }) => MISSING.includes(code))) return () => undefined;
  // An unclosed quote in brackets is also why the brackets are not closed.
  const found = delimited()
    .flatMap((one) => openAt(one, text.slice(offset)))
    .sort((a, b) => b.at - a.at);
  return ({ code, pos: [at] }: SyntaxProblem) =>
    MISSING.includes(code) ? found.find(({ from, to }) => from <= at && at <= to) : undefined;
}

function openAt({ range: [at, to], isFlow }: Delimited, text: string): Unclosed[] {
  const mark = text.charAt(at);
  const closer = CLOSES[mark];
  const isClosed = to - at > 1 && text.charAt(to - 1) === (closer ?? mark);
  // A pair in a list has no brackets of its own.
  if (isClosed || isFlow !== (closer !== undefined)) return [];
  return [{ at, mark, from: isFlow ? to : at, to }];
}

interface SyntaxPlace {
  readonly lines: Lines;
  readonly offset: number;
  readonly delimited: () => readonly Delimited[];
  /** The whole file. */
  readonly text: string;
}

/** The problems with their positions, without consequences of the previous one. */
export function syntaxDiagnostics(problems: readonly SyntaxProblem[], place: SyntaxPlace): Diagnostic[] {
  const { lines, offset, text } = place;
  const unclosedAt = unclosedIn(problems, place);
  const seen = new Set<number>();
  let isOpen = false;
  return problems.flatMap((problem, index): Diagnostic[] => {
    const { code, pos } = problem;
    if (seen.has(pos[0]) || (index > 0 && code === 'UNEXPECTED_TOKEN')) return [];
    // Tabs are reported once, because they are usually on every line.
    if (code === TAB && problems.findIndex((one) => one.code === TAB) < index) return [];
    seen.add(pos[0]);
    const around = aroundAt(text, pos[0] + offset);
    const open = isOpen ? undefined : unclosedAt(problem);
    if (open !== undefined && !isTooMuch(around.behind, open)) {
      isOpen = true;
      return [unclosed(open.mark, open.at + offset, lines)];
    }
    // After something unclosed or unquoted, nothing else is meaningful.
    if (isOpen) return [];
    const row = open === undefined ? rowOf(code, around) : strayCloser(around.behind.charAt(0));
    isOpen ||= row === ROWS['EXPRESSION'];
    // The parser may point to the spaces before what is indented wrongly.
    const start = pos[0] + offset + (row === ROWS['BAD_INDENT'] ? around.behind.search(/[^ ]|$/) : 0);
    return [lines.error(code === TAG ? 'unknown-tag' : 'yaml-syntax', start, pos[1] + offset, wordsOf(row))];
  });
}

function wordsOf(row: Row | undefined): ProblemText {
  return {
    message: row?.message ?? 'this is not valid YAML',
    fix: row?.fix ?? 'correct the line; an editor with YAML support shows the structure',
  };
}

function unclosed(mark: string, at: number, lines: Lines): Diagnostic {
  const closer = CLOSES[mark];
  const words =
    closer === undefined
      ? {
          message: 'the quote that opens here is never closed',
          fix: 'close it, or write quotes that are part of the text inside the other kind of quotes',
        }
      : {
          message: `the "${mark}" that opens here is never closed`,
          fix: `close it with "${closer}"; close what is opened inside it first`,
        };
  return lines.error('yaml-syntax', at, at + 1, words);
}
