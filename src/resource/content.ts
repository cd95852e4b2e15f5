// The fields of a live object that a manifest needs to ask for exactly that object: no defaults, nothing read-only, sets in a
// fixed order. Knows no other objects.
//
// Values chosen by the service are written out, because omitting one would let the next change of its module choose again. The
// exception is a choice that only the creation could make, such as an owner: it is valid for that account only.

import { compareText, isList } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { isValueObject, type Value, type ValueObject } from '../core/value.ts';
import type { Field, Fields } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from './snapshot.ts';
import { canonicalField } from './canonical.ts';

/** Placeholder for a secret that exists but that the service does not return. */
export const UNREADABLE_SECRET = new Secret('');

/** The fields to write, in the catalogue's order; a secret is either readable or `UNREADABLE_SECRET`. */
export function contentOf(kind: Kind, live: LiveResource): ValueObject {
  return keepFields(kind.fields, live.spec, { writeOnly: new Set(live.writeOnly), path: '' });
}

interface ContentCursor {
  readonly writeOnly: ReadonlySet<string>;
  readonly path: string;
}

function keepFields(fields: Fields, given: ValueObject, { writeOnly, path }: ContentCursor): ValueObject {
  const kept: Record<string, Value> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.write === 'never' || (field.write === 'create' && field.default === 'service')) continue;
    const below: ContentCursor = { writeOnly, path: path === '' ? name : `${path}.${name}` };
    const value = keep(field, Object.hasOwn(given, name) ? given[name] : undefined, below);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function keep(field: Field, value: Value | undefined, cursor: ContentCursor): Value | undefined {
  if (field.sensitive && value === undefined) return cursor.writeOnly.has(cursor.path) ? UNREADABLE_SECRET : undefined;
  if (value === undefined || value === null) return undefined;
  if (field.required) return ordered(field, value, cursor);
  // The service may return an empty text for "nothing chosen", which a manifest cannot express; omitting it means the same.
  if (field.default === 'service' && value === '') return undefined;
  return isDefault(field, value) ? undefined : ordered(field, value, cursor);
}

/** True when the planner treats the value like an absent one. */
function isDefault(field: Field, value: Value): boolean {
  return JSON.stringify(canonicalField(field, value)) === JSON.stringify(canonicalField(field, undefined));
}

function ordered(field: Field, value: Value, cursor: ContentCursor): Value {
  if (field.type === 'list' && isList(value)) {
    const items = value.map((item) => ordered(field.items, item, cursor));
    if (field.order === 'kept') return items;
    return items.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)));
  }
  if (field.type === 'map' && isValueObject(value)) return byName(Object.entries(value));
  if (field.type !== 'object' || !isValueObject(value)) return value;
  const known = keepFields(field.fields, value, cursor);
  const free = Object.entries(value).filter(([name]) => field.open && !Object.hasOwn(field.fields, name));
  return { ...known, ...byName(free) };
}

function byName(entries: readonly (readonly [string, Value])[]): ValueObject {
  return Object.fromEntries([...entries].sort(([a], [b]) => compareText(a, b)));
}
