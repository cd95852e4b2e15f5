// Normal form: two values with the same meaning become deeply equal. Fills in defaults, sorts sets, removes repetitions, and
// lays texts and numbers into the forms of the catalogue.
// Decides what "the same" means for each field type; knows nothing of changes.

import { canonicalJson, compareText, isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { revealed, Expression, isValueObject, type Value, type ValueObject } from '../core/value.ts';
import { ENABLED } from '../catalog/fields/common.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { normalNumber, normalText } from '../catalog/normal-form.ts';
import type { DecimalField, Field, Fields, ListField, MapField, ObjectField, StringField } from '../catalog/field.ts';

/** The canonical value of a field; undefined means absent. Null, a missing key and the known default are the same. */
export function canonicalField(field: Field, value: Value | undefined): Value | undefined {
  if (value === undefined || value === null) return fallback(field);
  if (value instanceof Secret) return canonicalSecret(field, value);
  if (value instanceof Expression) return value;
  switch (field.type) {
    case 'string':
      return canonicalText(field, value);
    case 'list':
      return isList(value) ? canonicalList(field, value) : value;
    case 'map':
      return isValueObject(value) ? canonicalMap(field, value) : value;
    case 'object':
      return isValueObject(value) ? canonicalObject(field, value) : value;
    case 'number':
      return canonicalNumber(field, value);
    case 'integer':
    case 'boolean':
      return value;
    default:
      return field satisfies never;
  }
}

function fallback(field: Field): Value | undefined {
  return typeof field.default === 'object' ? field.default.value : undefined;
}

function canonicalText(field: StringField, value: Value): Value | undefined {
  if (typeof value !== 'string') return value;
  const text = normalText(field, value);
  return text === '' && field.default === undefined ? undefined : text;
}

function canonicalNumber({ form }: DecimalField, value: Value): Value {
  return typeof value === 'number' ? normalNumber(form, value) : value;
}

function canonicalSecret(field: Field, value: Secret): Value | undefined {
  if (field.type !== 'string') return value;
  const text = value.reveal();
  const normal = normalText(field, text);
  if (normal === '' && field.default === undefined) return undefined;
  return normal === text ? value : value.map(() => normal);
}

function canonicalList(field: ListField, value: readonly Value[]): Value {
  const items = value.map((item) => canonicalField(field.items, item) ?? item);
  if (field.order === 'kept') return items;
  return items
    .map((item) => ({ item, key: sortKey(item) }))
    .sort((a, b) => compareText(a.key, b.key))
    .filter(({ key }, index, all) => key !== all[index - 1]?.key)
    .map(({ item }) => item);
}

/** Sort key, unique to a value. Secrets sort by content, so that equal sets are equal; the text never leaves this file. */
function sortKey(value: Value): string {
  const content = revealed(value);
  return typeof content === 'string' ? content : canonicalJson(content);
}

function canonicalMap(field: MapField, value: ValueObject): ValueObject {
  if (field.keys !== 'lower') return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [canonicalKey(field, key), item]));
}

/** The canonical form of a map key; equal keys become the same text. */
export function canonicalKey({ keys }: MapField, name: string): string {
  return keys === 'lower' ? name.toLowerCase() : name;
}

function canonicalObject(field: ObjectField, value: ValueObject): ValueObject {
  const known = canonicalFields(field.fields, value);
  if (!field.open) return known;
  const unknown = Object.entries(value).filter(([name, item]) => !Object.hasOwn(field.fields, name) && item !== null);
  return { ...Object.fromEntries(unknown), ...known };
}

function canonicalFields(fields: Fields, value: ValueObject): ValueObject {
  const made: Record<string, Value> = {};
  for (const [name, field] of fieldEntries(fields)) {
    if (field.write === 'never') continue;
    const inner = canonicalField(field, Object.hasOwn(value, name) ? value[name] : undefined);
    if (inner !== undefined) made[name] = inner;
  }
  return made;
}

/** True for a module that is configured but disabled, which equals a manifest without the module (ADR-0005). */
export function isSwitchedOff(value: Value | undefined): boolean {
  return isValueObject(value) && value[ENABLED] === false;
}
