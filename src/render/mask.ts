// Masks secrets in manifest text that is quoted beside a problem. The text may be broken YAML, so this works on lines
// and rather masks too much.

import { SECRET_MASK } from '../base/secret.ts';
import { closest } from '../base/closest.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { kinds } from '../catalog/kinds/index.ts';
import type { OpenValue } from './open-value.ts';
import { goneOn, openValue } from './open-value.ts';

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
const LIKELY = /secret|token|passw|private|credential|api_?key|authorization/i;
const WORD = /[A-Za-z_][\w-]*/g;
/** A value that only names where the secret comes from: a variable, a file or another object. */
const EXPRESSION = /^["']?\$\{(?:var\.[\w-]+|file:[\w./-]+|[a-z_]+\.[\w-]+(?:\.[\w-]+)+)\}["']?(?=\s*(?:[,}\]#]|$))/;

/** The lines of a text with everything that may be a secret replaced. Line numbers stay; columns before a mask stay. */
export function maskedLines(text: string): string[] {
  const lines = text.split(/\r\n|[\n\r]/);
  const anchors = anchorsIn(lines);
  let open: OpenValue | undefined;
  return lines.map((line) => {
    open = open && goneOn(open, line, isKnown);
    if (open !== undefined) return hiddenFrom(line, line.length - line.trimStart().length);
    const found = first(valueAt(line, anchors), valueIn(line));
    open = found?.open;
    return hiddenFrom(line, found?.shown ?? line.length);
  });
}

function hiddenFrom(line: string, start: number): string {
  return start === line.length ? line : `${line.slice(0, start)}${SECRET_MASK}`;
}

/** A value that may be secret: how much of its line is shown, and how it goes on. */
interface Found {
  readonly shown: number;
  readonly open: OpenValue;
}

function first(one: Found | undefined, other: Found | undefined): Found | undefined {
  return one !== undefined && (other === undefined || one.shown < other.shown) ? one : other;
}

/** The names of anchors that a secret is an alias of. */
function anchorsIn(lines: readonly string[]): ReadonlySet<string> {
  const aliases = lines.flatMap(
    (line) => line.slice(valueIn(line)?.shown ?? line.length).match(/\*[^\s,[\]{}]+/g) ?? [],
  );
  return new Set(aliases.map((alias) => alias.slice(1)));
}

/** The value at one of the anchors. */
function valueAt(line: string, anchors: ReadonlySet<string>): Found | undefined {
  if (anchors.size === 0) return undefined;
  const found = [...line.matchAll(/&([^\s,[\]{}]+)\s*/g)].find(([, name = '']) => anchors.has(name));
  if (found === undefined) return undefined;
  const shown = found.index + found[0].length;
  return { shown, open: openValue(line, line.slice(shown), false) };
}

/** The first value of a key that may be secret. One that only names a secret is shown, and hidden if it goes on. */
function valueIn(line: string): Found | undefined {
  let named: Found | undefined;
  for (const match of line.matchAll(WORD)) {
    const after = line.slice(match.index + match[0].length);
    const gap = /^["']?\s*[:=]?\s*/.exec(after)?.[0] ?? '';
    const value = after.slice(gap.length);
    if (!isKey(match[0], gap, value)) continue;
    const open = openValue(line, value, !sensitiveNames.includes(match[0]));
    const [expression] = EXPRESSION.exec(value) ?? [];
    if (expression === undefined) return { shown: line.length - value.length, open };
    if (!/^\s*[,}\]]/.test(value.slice(expression.length))) named ??= { shown: line.length, open };
  }
  return named;
}

function isKey(word: string, gap: string, value: string): boolean {
  if (sensitiveNames.includes(word)) return gap !== '' || value === '';
  if (plainNames.has(word) || !/[:=]/.test(gap) || /^\[?\s*\{/.test(value)) return false;
  return LIKELY.test(word) || closest(word, sensitiveNames) !== undefined;
}

function isKnown(key: string): boolean {
  return plainNames.has(key) || sensitiveNames.includes(key);
}
