// Masks secrets in manifest text that is quoted beside a problem. The text may be broken YAML, so this works on lines
// and rather masks too much.

import { SECRET_MASK } from '../base/secret.ts';
import { closest } from '../base/closest.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { kinds } from '../catalog/kinds/index.ts';

/** Default values of variables may be secret, so they are masked like sensitive fields. */
const VARIABLE_DEFAULT = 'default';

const sensitiveNames: readonly string[] = [
  ...new Set([VARIABLE_DEFAULT, ...kinds.flatMap((kind) => sensitiveIn(kind.fields))]),
];
const plainNames: ReadonlySet<string> = new Set([
  ...kinds
    .flatMap((kind) => [kind.manifestKey, ...allNames(kind.fields)])
    .filter((name) => !sensitiveNames.includes(name)),
  'sensitive',
]);

function sensitiveIn(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    ...(field.sensitive ? [name] : []),
    ...sensitiveIn(below(field)),
  ]);
}

function allNames(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [name, ...allNames(below(field))]);
}

function below(field: Field): Fields {
  if (field.type === 'object') return field.fields;
  return field.type === 'list' && field.items.type === 'object' ? field.items.fields : {};
}

/** Names that are not ours but read like a secret. */
const LIKELY = /secret|token|passw|private|credential|api_?key/i;
const WORD = /[A-Za-z_][\w-]*/g;
/** A value that only names where the secret comes from: a variable, a file or another object. */
const EXPRESSION = /^["']?\$\{(?:var\.[\w-]+|file:[\w./-]+|[a-z_]+\.[\w-]+(?:\.[\w-]+)+)\}["']?(?=\s*(?:[,}\]#]|$))/;

/** The lines of a text with everything that may be a secret replaced. Line numbers stay; columns before a mask stay. */
export function maskedLines(text: string): string[] {
  const result: string[] = [];
  let open: OpenValue | undefined;
  for (const line of text.split(/\r\n|[\n\r]/)) {
    if (open !== undefined && continues(open, line)) {
      result.push(line.trim() === '' ? line : `${line.slice(0, indentOf(line))}${SECRET_MASK}`);
      if (closesQuote(open, line)) open = undefined;
      continue;
    }
    const start = secretStart(line);
    open = start === undefined ? undefined : openValue(line, start);
    result.push(start === undefined || line.length === start ? line : `${line.slice(0, start)}${SECRET_MASK}`);
  }
  return result;
}

/** A secret that goes on in the lines below: deeper lines, or everything up to the closing quote. */
interface OpenValue {
  readonly indent: number;
  readonly quote: string | undefined;
}

function continues(open: OpenValue, line: string): boolean {
  const answersKey = /^\s*:(?:\s|$)/.test(line); // YAML's `? key` with `: value` on its own line
  return open.quote !== undefined || line.trim() === '' || answersKey || indentOf(line) > open.indent;
}

function closesQuote(open: OpenValue, line: string): boolean {
  return open.quote !== undefined && line.includes(open.quote);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function openValue(line: string, start: number): OpenValue {
  const value = line.slice(start);
  const quote = value.startsWith('"') || value.startsWith("'") ? value.charAt(0) : undefined;
  const closed = quote === undefined || value.indexOf(quote, 1) !== -1;
  return { indent: indentOf(line), quote: closed ? undefined : quote };
}

/** Where the first value that may be secret begins, if the line has one. */
function secretStart(line: string): number | undefined {
  for (const match of line.matchAll(WORD)) {
    const after = line.slice(match.index + match[0].length);
    const gap = /^["']?\s*[:=]?\s*/.exec(after)?.[0] ?? '';
    const value = after.slice(gap.length);
    if (isKey(match[0], gap, value) && !EXPRESSION.test(value)) return match.index + match[0].length + gap.length;
  }
  return undefined;
}

function isKey(word: string, gap: string, value: string): boolean {
  if (sensitiveNames.includes(word)) return gap !== '' || value === '';
  if (plainNames.has(word) || !/[:=]/.test(gap) || /^[{[]/.test(value) || value === '') return false;
  return LIKELY.test(word) || closest(word, sensitiveNames) !== undefined;
}
