// The one walk over fields, and over values beside the fields that describe them. Names come from outside, so only a field
// of the table itself counts. A value may be of another type than its field; what lies in it has no field then.

import type { Path } from '../core/json.ts';
import { isList, mapObject } from '../core/json.ts';
import { perObject } from '../core/lazy.ts';
import type { Value } from '../core/value.ts';
import { isValueObject } from '../core/value.ts';
import type { Field, Fields } from './field.ts';

/** The field of a name; undefined for names that the catalogue does not know. */
export function fieldOf(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The field of each item of a list. */
export function itemField(field: Field | undefined): Field | undefined {
  return field?.type === 'list' ? field.items : undefined;
}

/** The field of a name in an object or a map. */
function memberField(field: Field | undefined, name: string): Field | undefined {
  if (field?.type === 'map') return field.items;
  return field?.type === 'object' ? fieldOf(field.fields, name) : undefined;
}

/** The field at a path of names and positions. */
export function fieldAt(fields: Fields, path: Path): Field | undefined {
  let field = fieldOf(fields, path[0] ?? '');
  for (let at = 1; at < path.length && field !== undefined; at++)
    field = itemField(field) ?? memberField(field, path[at] ?? '');
  return field;
}

/** The table inside a field: of an object, or of the objects in a list. */
export function fieldsIn(field: Field | undefined): Fields {
  const inner = itemField(field) ?? field;
  return inner?.type === 'object' ? inner.fields : {};
}

/** What `make` says of a table of the catalogue, made once for each. */
export function perTable<T extends object>(make: (fields: Fields) => T): (fields: Fields) => T {
  return perObject(make);
}

/** The fields of a table with their names. */
export const fieldEntries = perTable((fields): readonly (readonly [string, Field])[] => Object.entries(fields));

/** A field, and its dotted path; `[]` stands for positions. */
interface FieldPlace {
  readonly path: string;
  readonly name: string;
  readonly field: Field;
}

/** Every field of a table, each before those inside it. */
export const allFields = perTable((fields): readonly FieldPlace[] =>
  fieldEntries(fields).flatMap(([name, field]) => {
    const above = `${name}${field.type === 'list' ? '[]' : ''}.`;
    const inside = allFields(fieldsIn(field)).map((one) => ({ ...one, path: `${above}${one.path}` }));
    return [{ path: name, name, field }, ...inside];
  }),
);

/** Where a leaf is: `place` is the path without positions in lists, which say nothing. */
interface LeafPlace {
  readonly field: Field | undefined;
  readonly path: Path;
  readonly place: Path;
}

type Change = (leaf: Value, at: LeafPlace) => Value | undefined;

/** The value with each leaf as `change` gives it; leaves that it takes away are missing. */
export function mapFieldLeaves(value: Value, at: LeafPlace, change: (leaf: Value, at: LeafPlace) => Value): Value;
export function mapFieldLeaves(value: Value, at: LeafPlace, change: Change): Value | undefined;
export function mapFieldLeaves(value: Value, at: LeafPlace, change: Change): Value | undefined {
  if (isList(value)) {
    const field = itemField(at.field);
    return value.flatMap((item, index) => {
      const made = mapFieldLeaves(item, { ...at, field, path: [...at.path, String(index)] }, change);
      return made === undefined ? [] : [made];
    });
  }
  if (!isValueObject(value)) return change(value, at);
  return mapObject(value, (item, name) => {
    const below = { field: memberField(at.field, name), path: [...at.path, name], place: [...at.place, name] };
    return mapFieldLeaves(item, below, change);
  });
}

/** Visits each leaf of the value of a field. */
export function eachFieldLeaf(
  value: Value,
  field: Field | undefined,
  visit: (leaf: Value, at: LeafPlace) => void,
): void {
  mapFieldLeaves(value, { field, path: [], place: [] }, (leaf, at) => {
    visit(leaf, at);
    return leaf;
  });
}
