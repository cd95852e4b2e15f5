// Whether a live object is what a block asks for, whatever either is called: by the unique values that both have, and by a digest
// of all fields that a person writes. Pure; digests make it linear in the number of objects.

import { canonicalJson } from '../../core/json.ts';
import { sha256 } from '../../core/digest.ts';
import { holdsUnknown, isValueObject, revealed, type Value, type ValueObject } from '../../core/value.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { fieldEntries } from '../../catalog/walk.ts';
import { canonicalField, isSwitchedOff } from '../../resource/canonical.ts';
import { uniqueValues, valueOfKey } from '../../resource/uniques.ts';

/** The fields of an object or of a block, in the place where they count. */
export interface Content {
  readonly kind: Kind;
  /** Id of the live parent, for a child. */
  readonly parentId: string | undefined;
  readonly spec: ValueObject;
}

/** A key that equal contents share, and what they then have in common, in words. */
interface ContentKey {
  readonly key: string;
  readonly words: string;
}

/** Keys of unique values: hardly anything else can be the same object. */
export function uniqueValueKeys({ kind, parentId, spec }: Content): ContentKey[] {
  return uniqueValues(kind, spec, parentId).map(({ key, isSecret, field }) => ({
    key: `${kind.name} ${key}`,
    words: isSecret ? `the same ${field}` : `the same ${field}, ${valueOfKey(key)}`,
  }));
}

/** The key of all fields; none while a value is known only after apply. Secrets and what the service chooses do not count. */
export function fieldsKey({ kind, parentId = '', spec }: Content): ContentKey[] {
  const written = writtenFields(kind.fields, spec);
  if (holdsUnknown(written)) return [];
  const key = `${kind.name} ${parentId} ${sha256(canonicalJson(revealed(written)))}`;
  return [{ key, words: 'the same fields' }];
}

/** The same, for objects that have the same address, too. */
export function addressedFieldsKey(content: Content, address: string): ContentKey[] {
  return fieldsKey(content).map(({ key, words }) => ({ key: `${address} ${key}`, words }));
}

function writtenFields(fields: Fields, spec: ValueObject): ValueObject {
  const written: Record<string, Value> = {};
  for (const [name, field] of fieldEntries(fields)) {
    const value = writtenValue(field, spec[name]);
    if (value !== undefined) written[name] = value;
  }
  return written;
}

function writtenValue(field: Field, value: Value | undefined): Value | undefined {
  if (field.write === 'never' || field.default === 'service' || field.sensitive === true) return undefined;
  const canonical = canonicalField(field, value);
  if (field.type !== 'object' || !isValueObject(canonical)) return canonical;
  // A module that is switched off is as good as none (ADR-0005).
  return isSwitchedOff(canonical) ? undefined : writtenFields(field.fields, canonical);
}
