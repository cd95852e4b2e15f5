// How services keep values: in a form of their own, so that what is read differs from what was sent (ADR-0043). A second reading
// of the catalogue's forms: which field has one follows from its traits, what it does is written here anew.

import type { Json } from '../core/json.ts';
import type { Field, ListField, NumberForm, StringField, TextForm } from '../catalog/field.ts';

const KEPT_TEXT: Readonly<Record<TextForm, (text: string) => string>> = {
  caseless: lower,
  trimmed: (text) => text.trim(),
  'public-key': keptKey,
  url: keptUrl,
  host: keptHost,
  hostport: keptHostport,
  email: (text) => text.replace(/@[^@]*$/, (domain) => `@${keptHost(domain.slice(1))}`).toLowerCase(),
  selector: (text) => text.replace(/^[^/]+/, keptHostport),
  'bind-rule': (text) => text.replace(/^bind:([^=]+)$/, (_, target: string) => `bind:${keptHostport(target)}`),
};

const KEPT_NUMBER: Readonly<Record<NumberForm, (value: number) => number>> = {
  float32: (value) => new Float32Array([value])[0] ?? value,
};

/** Texts that the service answers in lower case even when it keeps the rest as it was sent. */
export function isCaseless({ form }: StringField): boolean {
  return form === 'caseless' || form === 'host' || form === 'hostport';
}

/** The text as a service keeps it. */
export function keptText({ form, values }: StringField, text: string): string {
  const kept = form === undefined ? text : KEPT_TEXT[form](text);
  return values?.find((allowed) => allowed.toLowerCase() === kept) ?? kept;
}

/** A single value as a service keeps it. */
export function keptValue(field: Field, value: Json): Json {
  if (field.type === 'string' && typeof value === 'string') return keptText(field, value);
  if (field.type === 'number' && typeof value === 'number')
    return field.form === undefined ? value : KEPT_NUMBER[field.form](value);
  return value;
}

/** A set in an order of the service's own, each item once. */
export function keptItems({ order }: ListField, items: readonly Json[]): readonly Json[] {
  if (order === 'kept') return items;
  const byText = new Map(items.map((item) => [JSON.stringify(item), item]));
  return [...byText.keys()]
    .sort()
    .reverse()
    .flatMap((text) => byText.get(text) ?? []);
}

function lower(text: string): string {
  return text.toLowerCase();
}

/** The URL parser of the platform knows international names. */
function keptHost(text: string): string {
  const host = text.replace(/\.$/, '');
  return URL.canParse(`http://${host}/`) ? new URL(`http://${host}/`).hostname : lower(host);
}

function keptHostport(text: string): string {
  const [, host = text, port = ''] = /^(.*?)(:[0-9]+)?$/s.exec(text) ?? [];
  return keptHost(host) + port;
}

function keptUrl(text: string): string {
  const [, scheme = '', authority = '', rest = ''] = /^([^:/]*:\/\/)?([^/?#]*)(.*)$/s.exec(text) ?? [];
  return scheme === '' ? text : lower(scheme) + keptHostport(authority) + rest;
}

const LINE_WIDTH = 64;
const DASHES = '-----';

/** A line without its comment; a block in lines of 64 characters with a final line break. */
function keptKey(text: string): string {
  const [before = '', begin = '', body = '', end = '', after] = text.split(DASHES);
  const isBlock = before.trim() === '' && begin.startsWith('BEGIN ') && end.startsWith('END ') && after !== undefined;
  if (!isBlock) return text.trim().split(/\s+/).slice(0, 2).join(' ');
  const key = body.replace(/\s/g, '');
  const lines = Array.from({ length: Math.ceil(key.length / LINE_WIDTH) }, (_, index) =>
    key.slice(index * LINE_WIDTH, (index + 1) * LINE_WIDTH),
  );
  return [`${DASHES}${begin}${DASHES}`, ...lines, `${DASHES}${end}${DASHES}`, ''].join('\n');
}
