// One value as lines for people. Reads plan JSON only, which contains no secrets.

import { truncateMiddle } from '../../../core/bounds.ts';
import { columns } from '../../../core/text/columns.ts';
import { isList, isObject, type Json } from '../../../core/json.ts';
import { SECRET_MASK } from '../../../core/secrets/known.ts';
import { tokensOf, unescapeText, type Token } from '../../../core/text/template.ts';
import { plural } from '../../../core/text/text.ts';
import { referenceIn } from '../../../catalog/address.ts';

/** One line: its mark, its depth below its step, and its text. */
export interface Line {
  readonly mark: ' ' | '+' | '-' | '~';
  readonly depth: number;
  readonly text: string;
}

/** Where a value is shown: columns available, whether long text is shown in full, and whether list order matters. */
export interface ValueLayout {
  readonly width: number;
  readonly full: boolean;
  readonly ordered: boolean;
}

/** Unquoted text: one word that cannot be taken for a number, a constant or a phrase of ours. */
const PLAIN = /^[A-Za-z_/*][\w./:@*+=%-]*$/;
/** Text with double quotes is more readable in single quotes, if nothing in it needs an escape. */
const SINGLE_QUOTED = /^(?=.*")[^'\\\p{C}]*$/u;
const CONSTANTS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'yes', 'no', 'on', 'off', 'none']);
const INLINE_LIMIT = 72;
const TEXT_LINES = 6;
/** Longer than any value that the API accepts; a service may return anything. */
const MAX_VALUE = 100_000;

/** The value on one line, like YAML flow style. */
export function inline(value: Json): string {
  if (typeof value === 'string') return inlineText(value);
  if (isList(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isObject(value)) return String(value);
  if (isSensitiveMask(value)) return SECRET_MASK;
  const pairs = Object.entries(value).filter(([, item]) => item !== null);
  return `{${pairs.map(([key, item]) => `${quoteIfNeeded(key)}: ${inline(item)}`).join(', ')}}`;
}

/** The references in a plan's text whose values are known after apply. */
function unknownIn(text: string): Expression[] {
  return text.includes('${') ? tokensOf(text).filter(isUnknown) : [];
}

type Expression = Token & { readonly is: 'expression' };

function inlineText(text: string): string {
  const unknown = unknownIn(text);
  if (unknown[0]?.source === text) return `(known after apply: ${unknown[0].inner})`;
  const meant = quoteIfNeeded(unescapeText(text));
  return unknown.length === 0 ? meant : `${meant} (known after apply)`;
}

function isUnknown(token: Token): token is Expression {
  return token.is === 'expression' && (referenceIn(token.inner)?.attr ?? '') !== '';
}

/** A plain word as it is; anything else in JSON quotes, so that it is not taken for our own words. */
export function quoteIfNeeded(whole: string): string {
  const text = truncateMiddle(whole, MAX_VALUE);
  if (PLAIN.test(text) && !CONSTANTS.has(text.toLowerCase())) return text;
  return SINGLE_QUOTED.test(text) ? `'${text}'` : JSON.stringify(text);
}

export function isSensitiveMask(value: Json): boolean {
  return isObject(value) && value['sensitive'] === true;
}

/** A new (or removed) value: on one line if it fits, otherwise as a block. */
export function valueLines(label: string, value: Json, at: Line, place: ValueLayout): Line[] {
  if (typeof value === 'string' && value.includes('\n')) return textLines(label, value, at, place);
  const one = { ...at, text: `${label}: ${inline(value)}` };
  const room = Math.min(place.width - 2 * at.depth - 2, INLINE_LIMIT);
  if ((!isList(value) && !isObject(value)) || isSensitiveMask(value)) return [one];
  if (columns(one.text) <= room && !holdsDeepObject(value)) return [one];
  const below: Line = { ...at, depth: at.depth + 1 };
  const children = isList(value)
    ? value.map((item) => ({ ...below, text: `• ${inline(item)}` }))
    : presentEntries(value).flatMap(([key, item]) => valueLines(quoteIfNeeded(key), item, below, place));
  return [{ ...at, text: `${label}:` }, ...children];
}

function presentEntries(value: Json): [string, Json][] {
  return isObject(value) ? Object.entries(value).filter(([, item]) => item !== null) : [];
}

function holdsDeepObject(value: Json): boolean {
  const items = isList(value) ? value : Object.values(isObject(value) ? value : {});
  return items.some((item) => presentEntries(item).some(([, inner]) => isObject(inner)) && !isSensitiveMask(item));
}

function textLines(label: string, text: string, at: Line, place: ValueLayout): Line[] {
  const lines = splitLines(text);
  const shown = place.full || lines.length <= TEXT_LINES + 1 ? lines : lines.slice(0, TEXT_LINES);
  const rest = lines.length - shown.length;
  const below = shown.map((line) => ({ ...at, depth: at.depth + 1, text: `| ${unescapeText(line)}` }));
  const more =
    rest === 0
      ? []
      : [{ ...at, depth: at.depth + 1, text: `… ${plural(rest, 'more line')} (--detail full shows all)` }];
  return [{ ...at, text: `${label}: text of ${plural(lines.length, 'line')}` }, ...below, ...more];
}

/** Lines without the empty one after a final line break. */
export function splitLines(text: string): string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
