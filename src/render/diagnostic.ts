// Problems for people: what happened, where, the lines it happened on, what was expected and got, and how to fix it.

import type { Diagnostic, SourceRange } from '../base/diagnostic.ts';
import { sortDiagnostics } from '../base/diagnostic.ts';
import { plural } from '../base/text.ts';
import { columns, wrap } from './lines.ts';
import { maskedLines } from './mask.ts';
import type { Style } from './style.ts';
import { paint } from './style.ts';
import { visible } from '../base/visible.ts';

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
  const frames: Frames = new Map([...sources].map(([name, text]) => [name, maskedLines(text)]));
  const shown = new Map<string, number>();
  const blocks: string[] = [];
  for (const diagnostic of sortDiagnostics(diagnostics)) {
    const count = (shown.get(diagnostic.code) ?? 0) + 1;
    shown.set(diagnostic.code, count);
    if (count <= MAX_PER_CODE) blocks.push(diagnosticLines(diagnostic, frames, style).join('\n'));
  }
  const more = [...shown].filter(([, count]) => count > MAX_PER_CODE);
  const rest = more.map(([code, count]) => `and ${count - MAX_PER_CODE} more [${visible(code)}]`);
  return [...blocks, ...rest, paint(style, 'strong', totals(diagnostics))].join('\n\n');
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
  const before = lines[range.line - 2];
  const lead = columns(visible(line.slice(0, range.column - 1)));
  const end = range.endLine === range.line ? range.endColumn : line.length + 1;
  const marked = columns(visible(line.slice(range.column - 1, Math.max(range.column, end - 1))));
  return [
    place,
    bar('', ''),
    ...(before === undefined || before.trim() === '' ? [] : [bar(String(range.line - 1), visible(before))]),
    bar(String(range.line), visible(line)),
    bar('', `${' '.repeat(lead)}${paint(style, tone, '^'.repeat(Math.max(1, marked)))}`),
  ];
}
