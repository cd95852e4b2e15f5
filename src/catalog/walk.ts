// The one walk over fields, and over values together with their fields. Names come from outside, so only the table's own fields
// count. A value may not have its field's type; its members then have no field.

import { isList, mapObject, type Path } from '../core/json.ts';
import { perObject } from '../core/lazy.ts';
import { isValueObject, type Value } from '../core/value.ts';
import type { Field, Fields } from './field.ts';

/** The field with this name; undefined for unknown names. */
export function fieldOf(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

export function itemField(field: Field | undefined): Field | undefined {
  return field?.type === 'list' ? field.items : undefined;
}

function memberField(field: Field | undefined, name: string): Field | undefined {
  if (field?.type === 'map') return field.items;
  return field?.type === 'object' ? fieldOf(field.fields, name) : undefined;
}

export function fieldAt(fields: Fields, path: Path): Field | undefined {
  let field = fieldOf(fields, path[0] ?? '');
  for (let at = 1; at < path.length && field !== undefined; at++)
    field = itemField(field) ?? memberField(field, path[at] ?? '');
  return field;
}

/** The fields inside a field: of an object, or of the objects in a list. */
export function fieldsIn(field: Field | undefined): Fields {
  const inner = itemField(field) ?? field;
  return inner?.type === 'object' ? inner.fields : {};
}

/** The result of `make` for a table of the catalogue, computed once per table. */
export function perTable<T extends object>(make: (fields: Fields) => T): (fields: Fields) => T {
  return perObject(make);
}

export const fieldEntries = perTable((fields): readonly (readonly [string, Field])[] => Object.entries(fields));

/** A field and its dotted path; `[]` replaces list indices. */
interface FieldPlace {
  readonly path: string;
  readonly name: string;
  readonly field: Field;
}

/** Every field of a table, parents before their children. */
export const allFields = perTable((fields): readonly FieldPlace[] =>
  fieldEntries(fields).flatMap(([name, field]) => {
    const above = `${name}${field.type === 'list' ? '[]' : ''}.`;
    const inside = allFields(fieldsIn(field)).map((one) => ({ ...one, path: `${above}${one.path}` }));
    return [{ path: name, name, field }, ...inside];
  }),
);

/** The location of a leaf; `place` is its path without list indices. */
interface LeafPlace {
  readonly field: Field | undefined;
  readonly path: Path;
  readonly place: Path;
}

type Change = (leaf: Value, at: LeafPlace) => Value | undefined;

/** The value with each leaf replaced by the result of `change`; leaves it returns nothing for are left out. */
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
