// Values that only one object may hold (§2, ADR-0004): which ones a spec holds, as comparable keys.

import { Secret } from '../core/secrets/secret.ts';
import type { ValueObject } from '../core/value.ts';
import type { Kind } from '../catalog/kind.ts';
import { uniqueItems } from '../catalog/unique.ts';
import { canonicalField } from './canonical.ts';

/** One value that only one object may hold. */
export interface UniqueValue {
  /** Equal keys are the same value in the same scope; it may hold a secret and is never shown. */
  readonly key: string;
  /** Name of the top-level field that holds it. */
  readonly field: string;
  /** What of it must be the only one. */
  readonly text: string;
  readonly isSecret: boolean;
}

/** All unique values of a spec. `parent` tells siblings of one parent from others. */
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

/** Keys of all unique values of a spec. */
export function uniqueKeys(kind: Kind, spec: ValueObject, parent: string | undefined): string[] {
  return uniqueValues(kind, spec, parent).map((value) => value.key);
}

/** Those unique values of a spec that no message shows. */
export function secretValues(kind: Kind, spec: ValueObject, parent: string | undefined): UniqueValue[] {
  return uniqueValues(kind, spec, parent).filter((value) => value.isSecret);
}

/** Where the value of a key must be unique: a field's name, for values that only one object of the service may hold. */
export function scopeOfKey(key: string): string {
  return key.slice(0, key.indexOf('\0'));
}

/** The value inside a key. */
export function valueOfKey(key: string): string {
  return key.slice(key.indexOf('\0') + 1);
}
