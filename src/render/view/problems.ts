// Problems of validation, the API or a run, with the lines that they point to.

import { fold, MAX_LISTED } from '../../core/bounds.ts';
import { hasErrors, type Diagnostic, type QuotedFiles, type SourceRange } from '../../core/diagnostic.ts';
import { plural } from '../../core/text/text.ts';
import { columns } from '../../core/text/columns.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { rows } from './documents.ts';
import { quoteFrom, type Quote } from './quote.ts';
import { NOTHING, type Frame, type Problem, type SourcePlace, type View } from './view.ts';

/** Problems, and the texts of the files that they point to. */
export interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources?: QuotedFiles;
}

/** File name → its lines, looked through once per file. */
type Files = ReadonlyMap<string, Quote>;

/** Shows at most this many problems of each code and counts the rest. */
export function problemsView({ diagnostics, sources = new Map() }: Found, most: number): View {
  const { shown, more } = fold(diagnostics, most);
  const files = filesOf(shown, sources);
  return {
    ...NOTHING,
    is: 'problems',
    sentence: totals(diagnostics),
    problems: shown.map((one) => problemOf(one, files)),
    more: more.map(({ code, count }) => `and ${count} more [${code}]`),
    facts: { result: hasErrors(diagnostics) ? 'error' : 'clean' },
    subjects: () => [...sources.keys()].map((file) => ({ name: file, place: placeOf({ file, ...START }) })),
    document: { format: 'edgeform-diagnostics/1', ok: !hasErrors(diagnostics), diagnostics: rows(diagnostics) },
  };
}

/** `2 errors, 1 warning` */
function totals(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const counts = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ];
  return counts.join(', ') || 'No problems found.';
}

/** Problems next to something else, without source lines. */
export function problemsOf(diagnostics: readonly Diagnostic[]): Problem[] {
  return fold(diagnostics, MAX_LISTED).shown.map((one) => problemOf(one, new Map()));
}

function filesOf(shown: readonly Diagnostic[], sources: QuotedFiles): Files {
  const needed = new Set(
    shown.flatMap(({ range, related = [] }) => [range?.file ?? '', ...related.map((one) => one.range.file)]),
  );
  return new Map([...sources].filter(([name]) => needed.has(name)).map(([name, file]) => [name, quoteFrom(file)]));
}

function problemOf(diagnostic: Diagnostic, files: Files): Problem {
  const { code, severity, message, range, address, related = [] } = diagnostic;
  return {
    group: severity,
    code,
    text: message,
    ...(range === undefined ? address !== undefined && { address } : whereOf(range, files)),
    addresses: [],
    related: related.map((other) => ({ text: other.message, ...whereOf(other.range, files) })),
    details: detailsOf(diagnostic),
  };
}

/** What was expected and got, and how to fix it. */
export function detailsOf({ expected, got, fix }: Pick<Diagnostic, 'expected' | 'got' | 'fix'>): Problem['details'] {
  return [...detailOf('expected', expected), ...detailOf('got', got), ...detailOf('fix', fix)];
}

function detailOf(is: 'expected' | 'got' | 'fix', text: string | undefined): Problem['details'] {
  return text === undefined ? [] : [{ is, text }];
}

function whereOf(range: SourceRange, files: Files): Pick<Problem, 'place' | 'frame'> {
  return { place: placeOf(range), frame: frameOf(range, files.get(range.file)) };
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

export function placeOf({ file, line, column, endLine, endColumn }: SourceRange): SourcePlace {
  return { file, line, column, end: { line: endLine, column: endColumn } };
}

function frameOf({ line, column, endLine, endColumn }: SourceRange, quote: Quote | undefined): Problem['frame'] {
  const end = endLine === line ? endColumn - 1 : Number.MAX_SAFE_INTEGER;
  const quoted = quote?.(line, { start: column - 1, end });
  if (quoted === undefined) return undefined;
  const { text, mark } = quoted;
  return framed([quote?.(line - 1)?.text ?? '', text], mark.start, Math.min(mark.end, text.length), MAX_LINE);
}

/** Maximum number of characters shown of a line. */
const MAX_LINE = 240;

/** The same in at most so many columns, so that a terminal does not wrap its lines. */
export function narrowed({ before, line, lead, length }: Frame, most: number): Frame {
  const [mark, end] = [lead, lead + length].map((count) => Array.from(line).slice(0, count).join('').length);
  // A wide character takes two columns.
  const room = columns(`${before}${line}`) > before.length + line.length ? most / 2 : most;
  return framed([before, line], mark ?? 0, end ?? 0, Math.floor(room));
}

/** The line before the place, the line itself, and which characters are marked. */
function framed([before, line]: readonly [string, string], mark: number, end: number, most: number): Frame {
  const from = line.length <= most ? 0 : Math.max(0, Math.min(mark - Math.floor(most / 3), line.length - most));
  const window = { from, to: from + most };
  const marked = escapeControls(line.slice(mark, Math.max(mark + 1, Math.min(end, window.to))));
  return {
    before: cropped(before, window),
    line: cropped(line, window),
    lead: Array.from(cropped(line.slice(0, mark), { ...window, to: mark })).length,
    length: Math.max(1, Array.from(marked).length),
  };
}

/** The part of the line inside the window, with an ellipsis where it was cut. Never cuts a character in two. */
function cropped(line: string, { from, to }: Record<'from' | 'to', number>): string {
  if (from === 0 && to >= line.length) return escapeControls(line);
  const begin = from + halfAt(line, from);
  const end = to - halfAt(line, to);
  const text = escapeControls(line.slice(begin, end));
  return text === '' ? '' : `${begin > 0 ? '…' : ''}${text}${end < line.length ? '…' : ''}`;
}

/** 1 between the two halves of a character, and 0 elsewhere. */
function halfAt(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? '') ? 1 : 0;
}
