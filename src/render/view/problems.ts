// Problems of validation, the API or a run, with the masked source lines.

import { fold, MAX_LISTED } from '../../core/bounds.ts';
import { hasErrors, type Diagnostic, type SourceRange } from '../../core/diagnostic.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { plural } from '../../core/text/text.ts';
import { columns } from '../../core/text/columns.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { rows } from './documents.ts';
import { maskedLines } from './mask-source.ts';
import { NOTHING, type Frame, type Problem, type SourcePlace, type View } from './view.ts';

/** Problems, and the texts of the files that they point to. */
export interface Found {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources?: ReadonlyMap<string, string>;
}

/** File name → masked lines, computed once per file. */
type Files = ReadonlyMap<string, readonly string[]>;

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

function filesOf(shown: readonly Diagnostic[], sources: ReadonlyMap<string, string>): Files {
  const needed = new Set(
    shown.flatMap(({ range, related = [] }) => [range?.file ?? '', ...related.map((one) => one.range.file)]),
  );
  return new Map([...sources].filter(([name]) => needed.has(name)).map(([name, text]) => [name, maskedLines(text)]));
}

function problemOf(diagnostic: Diagnostic, files: Files): Problem {
  const { code, severity, message, range, address, expected, got, fix, related = [] } = diagnostic;
  return {
    group: severity,
    code: code,
    text: message,
    ...(range === undefined ? address !== undefined && { address: address } : whereOf(range, files)),
    addresses: [],
    related: related.map((other) => ({ text: other.message, ...whereOf(other.range, files) })),
    details: [...detailOf('expected', expected), ...detailOf('got', got), ...detailOf('fix:', fix)],
  };
}

function detailOf(lead: string, text: string | undefined): Problem['details'] {
  return text === undefined ? [] : [{ lead, text: text, isCode: false }];
}

function whereOf(range: SourceRange, files: Files): Pick<Problem, 'place' | 'frame'> {
  return { place: placeOf(range), frame: frameOf(range, files.get(range.file)) };
}

const START = { line: 1, column: 1, endLine: 1, endColumn: 1 };

export function placeOf({ file, line, column, endLine, endColumn }: SourceRange): SourcePlace {
  return { file: file, line, column, end: { line: endLine, column: endColumn } };
}

function frameOf(range: SourceRange, lines: readonly string[] | undefined): Problem['frame'] {
  const line = lines?.[range.line - 1];
  if (lines === undefined || line === undefined) return undefined;
  const end = range.endLine === range.line ? range.endColumn - 1 : line.length;
  return framed([lines[range.line - 2] ?? '', line], range.column - 1, end, MAX_LINE);
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

/** The part of the line inside the window, with an ellipsis where it was cut. Never cuts a secret or a character in two. */
function cropped(line: string, { from, to }: Record<'from' | 'to', number>): string {
  if (from === 0 && to >= line.length) return escapeControls(line);
  const near = Math.max(0, from - MAX_LINE);
  const secrets = knownSecrets.spansIn(line.slice(near, to + MAX_LINE));
  const across = (at: number) => secrets.find(({ start, end }) => near + start < at && at < near + end);
  const begin = near + (across(from)?.end ?? from + halfAt(line, from) - near);
  const end = near + (across(to)?.start ?? to - halfAt(line, to) - near);
  const text = escapeControls(line.slice(begin, end));
  return text === '' ? '' : `${begin > 0 ? '…' : ''}${text}${end < line.length ? '…' : ''}`;
}

/** 1 between the two halves of a character, and 0 elsewhere. */
function halfAt(line: string, at: number): number {
  return /[\udc00-\udfff]/.test(line[at] ?? '') ? 1 : 0;
}
