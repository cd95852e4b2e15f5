// Values that only one object may hold (§2, ADR-0004): those of a spec, as comparable keys.

import { Secret } from '../core/secrets/secret.ts';
import type { ValueObject } from '../core/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { uniqueItems } from '../catalog/unique.ts';
import { canonicalField } from './canonical.ts';

/** One value that only one object may hold. */
export interface UniqueValue {
  /** Equal for the same value in the same scope. It may hold a secret and is never shown. */
  readonly key: string;
  /** Name of its top-level field. */
  readonly field: string;
  /** The normal form of the text. */
  readonly text: string;
  readonly isSecret: boolean;
}

/** All unique values of a spec. `parent` separates the children of one parent from those of others. */
export function uniqueValues(kind: Kind, spec: ValueObject, parent: string | undefined): UniqueValue[] {
  const valueOf = (name: string) => {
    const field = kind.fields[name];
    return field && canonicalField(field, spec[name]);
  };
  return uniqueItems(kind, parent, valueOf).flatMap(({ name, key, text, item }): UniqueValue[] => {
    const isSecret = item instanceof Secret;
    return isSecret || typeof item === 'string' ? [{ key, field: name, text, isSecret }] : [];
  });
}

export function uniqueKeys(kind: Kind, spec: ValueObject, parent: string | undefined): string[] {
  return uniqueValues(kind, spec, parent).map((value) => value.key);
}

/** The secret ones among the unique values of a spec, which no message shows. */
export function secretValues(kind: Kind, spec: ValueObject, parent: string | undefined): UniqueValue[] {
  return uniqueValues(kind, spec, parent).filter((value) => value.isSecret);
}

export function valueOfKey(key: string): string {
  return key.slice(key.indexOf('\0') + 1);
}
