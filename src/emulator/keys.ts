// Keys by which objects are found: their unique values (§7), the ids they refer to, and their returned-once tokens. Which
// fields these are follows from the catalogue's traits.

import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import { sha256 } from '../core/digest.ts';
import type { Field, Fields, StringField } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { findKind } from '../catalog/lookup.ts';
import { keptText } from './normalize.ts';

/** The parts of an object that its keys are made of. */
interface Keyed {
  readonly kind: string;
  readonly parentId: string | undefined;
  readonly spec: JsonObject;
  readonly once: Readonly<Record<string, string>>;
}

/** Every key under which an object is found. */
export function keysOf(stored: Keyed): string[] {
  const kind = findKind(stored.kind);
  if (kind === undefined) return [];
  return [
    ...uniqueFields(kind).flatMap((name) => uniqueValues(kind, name, stored).map(({ key }) => key)),
    ...references(kind.fields, stored.spec).map(({ id }) => referenceKey(id)),
    ...Object.values(stored.once).map(tokenKey),
  ];
}

export function referenceKey(id: string): string {
  return `reference ${id}`;
}

export function tokenKey(token: string): string {
  return `token ${sha256(token)}`;
}

export function uniqueFields(kind: Kind): string[] {
  return Object.keys(kind.fields).filter((name) => kind.fields[name]?.unique !== undefined);
}

interface UniqueValue {
  /** Equal for values that must not occur twice. */
  readonly key: string;
  readonly text: string;
}

/**
 * The values of a unique field; items of a list count individually. A service-wide unique value is unique across all kinds with
 * such a field: one hostport, one edge.
 */
export function uniqueValues(kind: Kind, name: string, { parentId, spec }: Keyed): UniqueValue[] {
  const field = kind.fields[name];
  if (field === undefined) return [];
  const scope = field.unique === 'parent' ? [kind.name, parentId ?? ''] : [];
  const among = `${field.unique ?? ''} ${name} ${JSON.stringify(scope)}`;
  return uniqueTexts(field, spec[name]).map((text) => ({ key: `${among} ${text}`, text }));
}

function uniqueTexts(field: Field, value: Json | undefined): string[] {
  if (value === undefined || value === null) return [];
  const item = field.type === 'list' ? field.items : field;
  const texts = (isList(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  return item.type === 'string' ? texts.map((text) => keptText(item, text)) : texts;
}

interface Reference {
  readonly id: string;
  readonly field: StringField;
}

/** The ids in a spec's reference fields. */
export function references(fields: Fields, spec: JsonObject): Reference[] {
  return Object.entries(fields).flatMap(([name, field]) => referencesIn(field, spec[name]));
}

function referencesIn(field: Field, value: Json | undefined): Reference[] {
  if (field.type === 'string') return field.ref && typeof value === 'string' ? [{ id: value, field }] : [];
  if (field.type === 'list') return isList(value) ? value.flatMap((item) => referencesIn(field.items, item)) : [];
  if (field.type === 'object') return isObject(value) ? references(field.fields, value) : [];
  return [];
}
