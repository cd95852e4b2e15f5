// Syntax errors of the YAML parser, in our words. Knows the parser's error codes, but not its types.

import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import type { Lines } from './lines.ts';
import { fixOfTag } from '../../schema/habits.ts';
import { overIndented } from './over-indented.ts';
import { CLOSES, type FindOpener } from './openers.ts';

/** One problem from the parser; offsets refer to the text that it was given. */
interface SyntaxProblem {
  readonly code: string;
  readonly pos: readonly [number, number];
}

const TAG = 'TAG_RESOLVE_FAILED';
const TAB = 'TAB_AS_INDENT';

/** Fix for templates anywhere in a file. */
export const TEMPLATE_FIX = 'put the value in quotes; for the value of a variable write "${var.NAME}"';

/** For codes that may have many causes. */
const USUAL_FIX =
  'indent entries alike, close every bracket and no other, and use the other kind of quotes around quotes';

/** By code: the parser's own messages may repeat a secret. */
const ROWS: Readonly<Record<string, ProblemText>> = {
  [TAB]: { message: 'a tab is used for indentation; YAML needs spaces', fix: 'replace the tab with spaces' },
  BAD_INDENT: { message: 'the indentation is wrong' },
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
  [TAG]: {
    message: 'tags such as !name are not supported',
    fix: 'write the value itself; use "${var.NAME}" or "${file:PATH}" for values from elsewhere',
  },
  BAD_SCALAR_START: { message: 'a plain value cannot start with this character', fix: 'put the value in quotes' },
  BAD_DQ_ESCAPE: {
    message: 'the escape inside the double quotes is unknown',
    fix: 'write \\\\ for a backslash, or use single quotes',
  },
};

/** The most frequent mistake: YAML reads the brace of an expression in brackets as a block. */
const EXPRESSION: ProblemText = {
  message: 'an expression inside brackets must be quoted',
  fix: 'put the whole value in quotes, for example "${var.NAME}"',
};

const NO_SPACE: ProblemText = { message: 'a space is missing behind the ":"', fix: 'put a space after the ":"' };
/** A line such as `stack:shop`, but no address of the web. */
const KEY_WITHOUT_SPACE = /^ *[\w-]+:[^\s/:][^:]*$/;

/** Codes of problems that an unclosed quote or bracket may cause. */
const STRUCTURE: readonly string[] = ['MISSING_CHAR', 'BAD_INDENT', 'UNEXPECTED_TOKEN'];

interface SyntaxPlace {
  readonly lines: Lines;
  readonly offset: number;
  /** Finds unclosed quotes and brackets by their offset in the whole file. */
  readonly openers: () => FindOpener;
  /** The whole file. */
  readonly text: string;
}

/** The problems with their positions, without consequences of the previous one. */
export function syntaxDiagnostics(problems: readonly SyntaxProblem[], place: SyntaxPlace): Diagnostic[] {
  const { lines, offset, text } = place;
  const openers = lazy(place.openers);
  const firstTab = problems.findIndex(({ code }) => code === TAB);
  const seen = new Set<number>();
  let isOver = false;
  return problems.flatMap((problem, index): Diagnostic[] => {
    const { code, pos } = problem;
    if (isOver || seen.has(pos[0]) || (index > 0 && code === 'UNEXPECTED_TOKEN')) return [];
    // Tabs are reported once, because they are usually on every line.
    if (code === TAB && firstTab < index) return [];
    seen.add(pos[0]);
    const [start, end] = [pos[0] + offset, pos[1] + offset];
    const isExpression = text.startsWith('${', start - 1);
    const opener = isExpression || !STRUCTURE.includes(code) ? undefined : openers()(start);
    // After something unclosed or unquoted, nothing else is meaningful.
    isOver = isExpression || opener !== undefined;
    if (opener !== undefined) return [lines.error('yaml-syntax', opener, opener + 1, unclosed(text.charAt(opener)))];
    const deeper = isExpression ? undefined : overIndented(code, start, text, lines);
    if (deeper !== undefined) return [lines.error('yaml-syntax', deeper.offset, deeper.offset + 1, deeper.words)];
    const words = isExpression ? EXPRESSION : wordsOf(code, text.slice(start, end), lineAt(text, start));
    return [lines.error(code === TAG ? 'unknown-tag' : 'yaml-syntax', start, end, { fix: USUAL_FIX, ...words })];
  });
}

/** A tag of other tools has a fix of its own. */
function wordsOf(code: string, source: string, line: string): ProblemText {
  if (code === 'MISSING_CHAR' && KEY_WITHOUT_SPACE.test(line)) return NO_SPACE;
  const row = ROWS[code] ?? { message: 'this is not valid YAML' };
  const fix = code === TAG ? fixOfTag(source.slice(1)) : undefined;
  return fix === undefined ? row : { ...row, fix };
}

function lineAt(text: string, offset: number): string {
  const end = text.indexOf('\n', offset);
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
}

function unclosed(mark: string): ProblemText {
  return { message: `the ${mark} that opens here is never closed`, fix: `close it with ${CLOSES[mark] ?? ''}` };
}
