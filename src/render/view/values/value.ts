// A value, or the difference between two, as lines for people: old → new, lists by item, objects by key, long text by line.
// Reads plan JSON only, which contains no secrets.

import { truncateMiddle } from '../../../core/bounds.ts';
import { listDifference, mergedItems, type ListDifference } from '../../../core/list-difference.ts';
import { columns } from '../../../core/text/columns.ts';
import { sequenceDiff } from '../../../core/text/sequence.ts';
import { sameEntries } from '../../../core/equal.ts';
import { canonicalJson, isList, isObject, type Json, type JsonObject } from '../../../core/json.ts';
import { SECRET_MASK } from '../../../core/secrets/known.ts';
import { tokensOf, unescapeText, type Token } from '../../../core/text/template.ts';
import { plural } from '../../../core/text/text.ts';
import { referenceIn } from '../../../catalog/address.ts';
import { showBlanksAtEnd, shownApart } from './look-alike.ts';

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
const SINGLE_QUOTED = /^[^"'\\\p{C}]*"[^'\\\p{C}]*$/u;
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
function splitLines(text: string): string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}

/** Two different values, and where they are shown. */
interface ValuePair {
  readonly label: string;
  readonly before: Json;
  readonly after: Json;
  readonly depth: number;
  /** Which items of a list differ, where masks cannot tell. */
  readonly items?: ListDifference | undefined;
}

const SECRET_CHANGED = '(sensitive, changed)';

/** Lines that show how `after` differs from `before`; null is an absent value. */
export function differenceLines(pair: ValuePair, place: ValueLayout): Line[] {
  const { label, before, after, depth } = pair;
  const at: Line = { mark: '~', depth, text: '' };
  if (isSensitiveMask(before) || isSensitiveMask(after)) return [secretLine(pair)];
  if (before === null) return valueLines(label, after, { ...at, mark: '+' }, place);
  if (after === null) return valueLines(label, before, { ...at, mark: '-' }, place);
  if (isList(before) && isList(after)) return listLines(pair, before, after, place);
  if (isObject(before) && isObject(after)) return objectLines(pair, before, after, place);
  if (typeof before === 'string' && typeof after === 'string' && `${before}${after}`.includes('\n'))
    return textDifference(pair, before, after, place);
  return scalarLines(pair, place);
}

function secretLine({ label, before, after, depth }: ValuePair): Line {
  if (after === null) return { mark: '-', depth, text: `${label}: ${SECRET_MASK}` };
  const only = before === null ? SECRET_MASK : SECRET_CHANGED;
  return { mark: before === null ? '+' : '~', depth, text: `${label}: ${only}` };
}

function scalarLines({ label, before, after, depth }: ValuePair, place: ValueLayout): Line[] {
  const [old = '', now = ''] = shownApart([before, after].map(inline));
  const text = `${label}: ${old} → ${now}`;
  if (columns(text) + 2 * depth + 2 <= place.width) return [{ mark: '~', depth, text }];
  return [
    { mark: '~', depth, text: `${label}:` },
    { mark: '-', depth: depth + 1, text: old },
    { mark: '+', depth: depth + 1, text: now },
  ];
}

function listLines(pair: ValuePair, before: readonly Json[], after: readonly Json[], place: ValueLayout): Line[] {
  const order = place.ordered ? 'kept' : 'ignored';
  const difference = pair.items ?? listDifference(keysOf(before, 'before'), keysOf(after, 'after'), order);
  const texts = shownApart([...before, ...after].map(inline));
  const items = mergedItems(before.length, after.length, difference).map(({ mark, at }): Line => {
    const text = texts[mark === '+' ? before.length + at : at] ?? '';
    return { mark, depth: pair.depth + 1, text };
  });
  const header: Line = { mark: '~', depth: pair.depth, text: `${pair.label}:` };
  if (place.ordered) return [header, ...items];
  const marked = (mark: Line['mark']) => items.filter((item) => item.mark === mark);
  return [header, ...marked('-'), ...marked('+'), ...equalLine(marked(' ').length, 'unchanged item', pair.depth + 1)];
}

/** Of each item the text that is equal for equal items; a masked one may be any, so it equals no other. */
function keysOf(items: readonly Json[], side: string): string[] {
  return items.map((item, at) => (holdsMask(item) ? `${side} ${at}` : canonicalJson(item)));
}

function holdsMask(value: Json): boolean {
  if (isList(value)) return value.some(holdsMask);
  return isObject(value) && (isSensitiveMask(value) || Object.values(value).some(holdsMask));
}

function equalLine(count: number, noun: string, depth: number): Line[] {
  return count === 0 ? [] : [{ mark: ' ', depth, text: `… ${plural(count, noun)}` }];
}

function objectLines(pair: ValuePair, before: JsonObject, after: JsonObject, place: ValueLayout): Line[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const lines = keys.flatMap((key) => {
    const sides = { before: before[key] ?? null, after: after[key] ?? null };
    if (sameEntries(sides.before, sides.after)) return [];
    return differenceLines({ label: quoteIfNeeded(key), ...sides, depth: pair.depth + 1 }, place);
  });
  return [{ mark: '~', depth: pair.depth, text: `${pair.label}:` }, ...lines];
}

function textDifference(pair: ValuePair, before: string, after: string, place: ValueLayout): Line[] {
  const entries = sequenceDiff(splitLines(before), splitLines(after));
  const texts = shownApart(entries.map(({ text }) => unescapeText(text)));
  const depth = pair.depth + 1;
  const lines: Line[] = [];
  let equal = 0;
  for (const [index, { mark }] of entries.entries()) {
    if (mark === ' ' && !place.full) equal++;
    else {
      const text = showBlanksAtEnd(texts[index] ?? '');
      lines.push(...equalLine(equal, 'unchanged line', depth), { mark, depth, text: `| ${text}` });
      equal = 0;
    }
  }
  const changed = entries.some((entry) => entry.mark !== ' ');
  const note = changed ? [] : [{ mark: '~', depth, text: 'only the final line break differs' } as const];
  return [
    { mark: '~', depth: pair.depth, text: `${pair.label}:` },
    ...lines,
    ...equalLine(equal, 'unchanged line', depth),
    ...note,
  ];
}
