// Where an object may hold a secret that the catalogue names, whatever the service shows of it.

import type { Field } from '../catalog/field.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { isValueObject, memberOf, type Value } from '../core/value.ts';

/** Dotted paths of the catalogued secrets in a value that lies at `path`; a choice that the value did not make has none. */
export function secretPlaces(field: Field, value: Value | undefined, path: string): string[] {
  if (field.sensitive === true) return [path];
  if (field.type !== 'object' || !isValueObject(value)) return [];
  return fieldEntries(field.fields).flatMap(([name, inner]) =>
    secretPlaces(inner, memberOf(value, name), `${path}.${name}`),
  );
}
