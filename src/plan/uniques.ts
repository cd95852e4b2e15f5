// Values that only one object may hold (§2, ADR-0004): which ones a spec holds, as comparable keys.

import { isList } from '../base/json.ts';
import type { Value, ValueObject } from '../base/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { canonicalField } from './canonical.ts';

/** Keys of all unique values of a spec. `parent` tells siblings of one parent from others. */
export function uniqueKeys(kind: Kind, spec: ValueObject, parent: string | undefined): string[] {
  return Object.entries(kind.fields).flatMap(([name, field]) => {
    if (field.unique === undefined) return [];
    const scope = field.unique === 'service' ? name : `${kind.name} ${parent ?? ''} ${name}`;
    const value = canonicalField(field, spec[name]);
    return listOf(value).flatMap((item) => (typeof item === 'string' ? [`${scope} ${item}`] : []));
  });
}

/** The value inside a key, for messages. */
export function valueOfKey(key: string): string {
  return key.slice(key.lastIndexOf(' ') + 1);
}

function listOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return isList(value) ? value : [value];
}
