// Problems for people: what happened, where, the lines it happened on, what was expected and got, and how to fix it.

import { fold } from '../../core/bounds.ts';
import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { secretSpans } from '../../core/secrets/find-secrets.ts';
import { plural } from '../../core/text.ts';
import { columns, wrap } from './lines.ts';
import { maskedLines } from './mask.ts';
import type { Style } from '../style.ts';
import { paint } from '../style.ts';
import { visible } from '../../core/visible.ts';

/** File name → masked lines, made once per file. */
type Frames = Map<string, readonly string[]>;

/** More problems of one code than this are counted, not shown. */
const MAX_PER_CODE = 20;

/** All problems, sorted by place, as text without a final line break; '' when there are none. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  style: Style,
): string {
  if (diagnostics.length === 0) return '';
  const { shown, more } = fold(diagnostics, MAX_PER_CODE);
  const frames = framesOf(shown, sources);
  const blocks = shown.map((diagnostic) => diagnosticLines(diagnostic, frames, style).join('\n'));
  const rest = more.map(({ code, count }) => `and ${count} more [${visible(code)}]`);
  return [...blocks, ...rest, paint(style, 'strong', totals(diagnostics))].join('\n\n');
}

function framesOf(shown: readonly Diagnostic[], sources: ReadonlyMap<string, string>): Frames {
  const needed = new Set(
    shown.flatMap(({ range, related = [] }) => [range?.file ?? '', ...related.map((one) => one.range.file)]),
  );
  return new Map([...sources].filter(([name]) => needed.has(name)).map(([name, text]) => [name, maskedLines(text)]));
}

/** `2 errors, 1 warning`; '' when there are none. */
export function totals(diagnostics: readonly Pick<Diagnostic, 'severity'>[]): string {
  const errors = diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(warnings > 0 ? [plural(warnings, 'warning')] : []),
  ].join(', ');
}

function diagnosticLines(diagnostic: Diagnostic, frames: Frames, style: Style): string[] {
  const { code, severity, message, address, range, related, expected, got, fix } = diagnostic;
  const tone = severity === 'error' ? 'bad' : 'warn';
  const [first = '', ...rest] = wrap(`${severity}: ${visible(message)}  [${visible(code)}]`, style.width, '  ');
  const where = range === undefined && address !== undefined ? [`  --> ${visible(address)}`] : [];
  const facts = [
    ...(expected === undefined ? [] : [`expected ${visible(expected)}`]),
    ...(got === undefined ? [] : [`got ${visible(got)}`]),
    ...(fix === undefined ? [] : [`fix: ${visible(fix)}`]),
  ];
  return [
    `${paint(style, tone, `${severity}:`)}${first.slice(severity.length + 1)}`,
    ...rest,
    ...where,
    ...(range === undefined ? [] : frameLines(range, frames, tone, style)),
    ...(related ?? []).flatMap((other) => [
      `   = ${visible(other.message)}`,
      ...frameLines(other.range, frames, 'quiet', style),
    ]),
    ...facts.flatMap((fact) => wrap(`= ${fact}`, style.width - 3, '  ').map((line) => `   ${line}`)),
  ];
}

/** The place, the line before it, the line itself and a mark under the text. */
function frameLines(range: SourceRange, frames: Frames, tone: 'bad' | 'warn' | 'quiet', style: Style): string[] {
  const place = `  --> ${visible(range.file)}:${range.line}:${range.column}`;
  const lines = frames.get(range.file);
  const line = lines?.[range.line - 1];
  if (lines === undefined || line === undefined) return [place];
  const width = String(range.line).length;
  const bar = (label: string, text: string) =>
    `${paint(style, 'quiet', ` ${label.padStart(width)} |`)} ${text}`.trimEnd();
  const mark = range.column - 1;
  const window = windowAt(line.length, mark);
  const before = cropped(lines[range.line - 2] ?? '', window);
  const end = range.endLine === range.line ? range.endColumn - 1 : line.length;
  const lead = columns(cropped(line.slice(0, mark), { ...window, to: mark }));
  const marked = columns(visible(line.slice(mark, Math.max(mark + 1, Math.min(end, window.to)))));
  return [
    place,
    bar('', ''),
    ...(before.trim() === '' ? [] : [bar(String(range.line - 1), before)]),
    bar(String(range.line), cropped(line, window)),
    bar('', `${' '.repeat(lead)}${paint(style, tone, '^'.repeat(Math.max(1, marked)))}`),
  ];
}

/** Most characters of a line that are shown, and how many of them before the mark. */
const MAX_LINE = 240;
const LEAD = 80;

interface Window {
  readonly from: number;
  readonly to: number;
}

/** The part of a line around the mark; the whole of one that is not very long. */
function windowAt(length: number, mark: number): Window {
  const from = length <= MAX_LINE ? 0 : Math.max(0, Math.min(mark - LEAD, length - MAX_LINE));
  return { from, to: from + MAX_LINE };
}

/** What of the line is in the window, with a sign where something was cut. No secret is cut in two. */
function cropped(line: string, { from, to }: Window): string {
  if (from === 0 && to >= line.length) return visible(line);
  const near = Math.max(0, from - MAX_LINE);
  const secrets = secretSpans(line.slice(near, to + MAX_LINE));
  const across = (at: number) => secrets.find(({ start, end }) => near + start < at && at < near + end);
  const begin = near + (across(from)?.end ?? from - near);
  const end = near + (across(to)?.start ?? to - near);
  const text = visible(line.slice(begin, end));
  return text === '' ? '' : `${begin > 0 ? '…' : ''}${text}${end < line.length ? '…' : ''}`;
}
