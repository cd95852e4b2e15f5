// Digests of what was applied, field by field, as the marker keeps them (ADR-0003). Pure.

import { canonicalJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { secretDigest, shortDigest } from '../base/digest.ts';
import { Secret } from '../base/secret.ts';
import type { Value, ValueObject } from '../base/value.ts';
import { eachLeaf, Expression, mapLeaves } from '../base/value.ts';
import { METADATA } from '../catalog/common.ts';
import type { Field } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import { canonicalField } from './canonical.ts';

/** True when the value holds a secret anywhere. */
export function holdsSecret(value: Value): boolean {
  let found = false;
  eachLeaf(value, (leaf) => {
    found ||= leaf instanceof Secret;
  });
  return found;
}

/** True when the value holds a reference that is not known yet. */
export function holdsUnknown(value: Value): boolean {
  let found = false;
  eachLeaf(value, (leaf) => {
    found ||= leaf instanceof Expression;
  });
  return found;
}

/** Digest of one field's value; `salt` is used when the value holds a secret. Undefined for an absent value. */
export function fieldDigest(field: Field, value: Value | undefined, salt: string): string | undefined {
  const canonical = canonicalField(field, value);
  if (canonical === undefined) return undefined;
  const text = canonicalJson(reveal(canonical));
  return holdsSecret(canonical) ? secretDigest(text, salt) : shortDigest(text);
}

function reveal(value: Value): Json {
  return mapLeaves(value, (leaf) => (leaf instanceof Secret ? leaf.reveal() : leaf)) as Json;
}

/** Names of the fields whose digests the marker keeps: those the manifest gives, and metadata whose text is known. */
export function digestedFields(kind: Kind, spec: ValueObject): string[] {
  return Object.keys(kind.fields).filter((name) => {
    const value = spec[name];
    if (value === undefined || value === null) return false;
    return name !== METADATA || (value !== '' && !holdsUnknown(value));
  });
}

/** Salt of an object's secret digests: equal secrets on two objects do not look equal. */
export function saltOf(stack: string, address: string): string {
  return `${stack}/${address}`;
}

/** Digests by field name; fields that hold unknown values get what `unknown` gives instead. */
export function digestOfMany(
  kind: Kind,
  names: readonly string[],
  spec: ValueObject,
  how: { readonly salt: string; readonly unknown: (name: string) => string },
): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const name of names) {
    const field = kind.fields[name];
    const value = spec[name];
    if (field === undefined || value === undefined) continue;
    const digest = holdsUnknown(value) ? how.unknown(name) : fieldDigest(field, value, how.salt);
    if (digest !== undefined) digests[name] = digest;
  }
  return digests;
}

/** Digests of a step's fields for the marker, as the placeholders of a request ask for them. */
export function digestLookup(kind: Kind, salt: string): (name: string, value: Value) => string {
  return (name, value) => {
    const field = kind.fields[name];
    return (field && fieldDigest(field, value, salt)) ?? '';
  };
}
