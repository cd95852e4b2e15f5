// The attributes of a state in the shape of a response: blocks are lists of one object, unset text is empty, and references are
// plain ids. Everything follows from the fields of the kind.

import type { Field, Fields } from '../catalog/field.ts';
import { fieldEntries, fieldOf } from '../catalog/walk.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';

/** The body, and the dotted names of attributes that no field takes. */
export function bodyOf(fields: Fields, values: JsonObject) {
  const unknown: string[] = [];
  return { body: membersOf(fields, values, { path: [], unknown }), unknown };
}

interface Cursor {
  readonly path: Path;
  readonly unknown: string[];
}

function membersOf(fields: Fields, values: JsonObject, { path, unknown }: Cursor, isOpen = false): JsonObject {
  const others = Object.entries(values).filter(
    ([name, value]) => fieldOf(fields, name) === undefined && !isUnset(value),
  );
  if (!isOpen) unknown.push(...others.map(([name]) => [...path, name].join('.')));
  const known = fieldEntries(fields).flatMap(([name, field]): [string, Json][] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || isEmpty(value)) return [];
    const made = memberOf(field, value, { path: [...path, name], unknown });
    return made === undefined ? [] : [[field.response?.name ?? name, made]];
  });
  return Object.fromEntries([...(isOpen ? others : []), ...known]);
}

/** Unset in Terraform; an attribute that no field takes is not worth a word then. */
function isUnset(value: Json): boolean {
  return isEmpty(value) || value === false || value === 0;
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

function memberOf(field: Field, value: Json, cursor: Cursor): Json | undefined {
  if (field.response?.shape === 'ref') return { id: value };
  if (field.response?.shape === 'refs') return isList(value) ? value.map((id) => ({ id })) : value;
  if (field.type === 'list' && isList(value)) return value.map((item) => memberOf(field.items, item, cursor) ?? null);
  if (field.type !== 'object') return value;
  const block = isList(value) && value.length === 1 ? value[0] : value;
  if (isObject(block)) return membersOf(field.fields, block, cursor, field.open);
  cursor.unknown.push(cursor.path.join('.'));
  return undefined;
}
