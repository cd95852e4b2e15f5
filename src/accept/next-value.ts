// What a manifest has to say so that it asks for a live value: as much as possible of what it says already stays.

import { canonicalJson, isList, isObject, type Json } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { placesBefore } from '../core/list-difference.ts';
import { escapeText } from '../core/text/template.ts';
import { holdsSecret, isValueObject, memberOf, parsePath, revealed, valueAt, type Value } from '../core/value.ts';
import type { Field } from '../catalog/field.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { fieldAt, fieldOf, itemField } from '../catalog/walk.ts';
import { accepts, acceptsUnknown } from '../export/accept.ts';
import { splitText } from '../manifest/values/expression.ts';
import type { Pair } from '../plan/match/match.ts';
import { canonicalField } from '../resource/canonical.ts';
import { contentOf } from '../resource/content.ts';
import type { Reason } from './reasons.ts';

/** A value for the manifest, undefined for none; or why it gets none. */
export type NextValue =
  | { readonly value: Json | undefined; readonly reason?: undefined }
  | { readonly reason: Reason; readonly value?: undefined };

/** One value on both sides. */
interface Sides {
  /** In the manifest, with its expressions. */
  readonly written: Json | undefined;
  /** The same with its variables filled in. */
  readonly desired: Value | undefined;
  readonly live: Value | undefined;
  /** The live value as an export would write it: without defaults. */
  readonly content: Value | undefined;
}

/** What the manifest says of the value at the path once it asks for what is live; `written` is what it says now. */
export function nextValue(pair: Pair, path: string, written: Json | undefined): NextValue {
  const segments = parsePath(path);
  const field = fieldAt(pair.kind.fields, segments);
  const sides = sidesOf(pair, path, written);
  if (sides === undefined || field?.write === 'never') return { reason: 'computed' };
  const value = written === undefined ? sides.content : (sides.live ?? sides.content);
  if (isNothing(value, sides)) return removed(field, written);
  if (holdsSecret(value) || field?.sensitive === true) return { reason: 'secret' };
  if (!isAccepted(field, segments.at(-1) ?? '', sides)) return { reason: 'inexpressible' };
  const reasons: Reason[] = [];
  const made = merged(field, sides, reasons);
  const [reason] = reasons;
  return reason === undefined ? { value: made } : { reason };
}

/** Undefined without a live object. */
function sidesOf({ kind, desired, live }: Pair, path: string, written: Json | undefined): Sides | undefined {
  if (live === undefined) return undefined;
  const segments = parsePath(path);
  const own = { written, desired: valueAt(desired.spec, segments) };
  if (path !== METADATA)
    return { ...own, live: valueAt(live.spec, segments), content: valueAt(contentOf(kind, live), segments) };
  // The marker in it is not the user's.
  const text = live.userMetadata === '' ? undefined : live.userMetadata;
  return { ...own, live: text, content: text };
}

/** An empty text that an export would leave out is none, too. */
function isNothing(value: Value | undefined, { content }: Sides): value is null | undefined | '' {
  return value === undefined || value === null || (value === '' && content === undefined);
}

function removed(field: Field | undefined, written: Json | undefined): NextValue {
  if (written === undefined) return { reason: 'computed' };
  const reason = expressionIn(written);
  if (reason !== undefined && !isObject(written)) return { reason };
  return field?.sensitive === true ? { reason: 'secret' } : { value: undefined };
}

function isAccepted(field: Field | undefined, name: string, { live, content }: Sides): boolean {
  const value = content ?? live ?? null;
  return field === undefined ? acceptsUnknown(name, value) : accepts(field, value);
}

/** The first expression in a value. */
function expressionIn(written: Json | undefined): Reason | undefined {
  if (typeof written === 'string') {
    const types = splitText(written).map(({ type }) => type);
    return (['variable', 'reference', 'file'] as const).find((type) => types.includes(type));
  }
  const inside =
    isList(written ?? null) || isObject(written) ? Object.values(written as object as readonly Json[]) : [];
  return inside.map(expressionIn).find((reason) => reason !== undefined);
}

function merged(field: Field | undefined, sides: Sides, reasons: Reason[]): Json {
  const { written, live, content } = sides;
  const whole = content ?? live ?? null;
  if (isList(whole)) return mergedList(field, { ...sides, live: whole }, reasons);
  if (isValueObject(whole)) return mergedMap(field, sides, reasons);
  const value = written === undefined ? whole : (live ?? whole);
  note(expressionIn(written), reasons);
  if (value instanceof Secret) {
    note('secret', reasons);
    return null;
  }
  return typeof value === 'string' ? escapeText(value) : revealed(value);
}

function note(reason: Reason | undefined, reasons: Reason[]): void {
  if (reason !== undefined) reasons.push(reason);
}

function mergedList(field: Field | undefined, sides: Sides, reasons: Reason[]): Json {
  const { written = null, desired = null, live = null } = sides;
  if (typeof written === 'string') note(expressionIn(written), reasons);
  const items = isList(live) ? live : [];
  const now = isList(written) ? written : [];
  const keysIn = (list: readonly Value[]) => list.map((item) => keyOf(itemField(field), item));
  const places = placesBefore(keysIn(isList(desired) ? desired : []), keysIn(items));
  const made = items.map((item, at) => {
    const place = places[at];
    const fresh = { written: undefined, desired: undefined, live: item, content: item };
    return place === undefined
      ? { place: Infinity, json: merged(itemField(field), fresh, reasons) }
      : { place, json: now[place] ?? null };
  });
  const kept = new Set(made.map(({ place }) => place));
  note(expressionIn(now.filter((_, index) => !kept.has(index))), reasons);
  const isSet = field?.type === 'list' && field.order !== 'kept';
  // A set keeps its order, and what is new stands behind the rest.
  return (isSet ? made.sort((a, b) => (a.place === b.place ? 0 : a.place - b.place)) : made).map(({ json }) => json);
}

function keyOf(field: Field | undefined, value: Value | undefined): string {
  const canonical = field === undefined ? value : (canonicalField(field, value) ?? value);
  return canonicalJson(revealed(canonical ?? null));
}

function mergedMap(field: Field | undefined, sides: Sides, reasons: Reason[]): Json {
  const { written, live, content } = sides;
  const now = isObject(written) ? written : {};
  const form = (key: string) => (field?.type === 'map' && field.keys === 'lower' ? key.toLowerCase() : key);
  const spellings = new Map(Object.keys(now).map((key) => [form(key), key]));
  const names = new Set([...keysOf(content), ...(isObject(written) ? keysOf(live) : [])]);
  const wanted = new Map<string, Json>();
  for (const name of names) {
    const key = spellings.get(form(name)) ?? name;
    const value = mergedMember({ name, key, field: memberField(field, name) }, sides, reasons);
    if (value !== undefined) wanted.set(key, value);
  }
  for (const [key, value] of Object.entries(now)) if (!wanted.has(key)) note(expressionIn(value), reasons);
  const inOrder = [...Object.keys(now).filter((key) => wanted.has(key)), ...wanted.keys()];
  return Object.fromEntries(inOrder.map((key) => [key, wanted.get(key) ?? null]));
}

interface MemberPlace {
  readonly name: string;
  /** Its name in the manifest. */
  readonly key: string;
  readonly field: Field | undefined;
}

/** Undefined for a default that the manifest does not have: it stays unsaid. */
function mergedMember({ name, key, field }: MemberPlace, around: Sides, reasons: Reason[]): Json | undefined {
  const below = {
    written: isObject(around.written) ? around.written[key] : undefined,
    desired: memberOf(around.desired, key),
    live: memberOf(around.live, name),
    content: memberOf(around.content, name),
  };
  const { written, desired, live, content } = below;
  if (written === undefined) return content === undefined ? undefined : merged(field, below, reasons);
  return keyOf(field, desired) === keyOf(field, live ?? content) ? written : merged(field, below, reasons);
}

function memberField(field: Field | undefined, name: string): Field | undefined {
  if (field?.type === 'map') return field.items;
  return field?.type === 'object' ? fieldOf(field.fields, name) : undefined;
}

function keysOf(value: Value | undefined): readonly string[] {
  return isValueObject(value) ? Object.keys(value) : [];
}
