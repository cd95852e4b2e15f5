// Where a value must be the only one of its kind (§2): in the whole service, or beside its siblings, and for some fields
// only together with other fields of the same object.

import { canonicalJson } from '../core/json.ts';
import type { Value } from '../core/value.ts';
import { revealed } from '../core/value.ts';
import type { Field } from './field.ts';
import type { Kind } from './kind.ts';

/** One unique field of one object. */
export interface UniquePlace {
  readonly kind: Kind;
  readonly name: string;
  readonly field: Field;
  /** What its siblings lie in, too; undefined for objects that lie in none. */
  readonly parent: string | undefined;
  /** The value of another field of the object. */
  readonly valueOf: (name: string) => Value | undefined;
}

/** Equal for two fields that must not hold the same value. It may hold a secret and is never shown. */
export function uniqueScope({ kind, name, field, parent, valueOf }: UniquePlace): string {
  const among = field.unique === 'service' ? [name] : [kind.name, parent ?? '', name];
  return [...among, ...(field.uniqueWith ?? []).map((one) => canonicalJson(revealed(valueOf(one) ?? null)))].join(' ');
}
