// Digests of the applied values, by field, as the marker keeps them (ADR-0003). Pure.
// A digest's length tells what was digested: guessable text, a secret of the catalogue, or text from a sensitive variable in a
// field that the catalogue does not call secret; a suffix then says where (ADR-0018).

import { bareDigest, DIGEST_LENGTHS, digestOfValue, secrecyOfDigest, secretsAt, type Secrecy } from '../core/digest.ts';
import { canonicalJson } from '../core/json.ts';
import { revealed, holdsSecret, holdsUnknown, type Value, type ValueObject } from '../core/value.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { hiddenPaths } from '../catalog/secrecy/secrecy.ts';
import type { Field } from '../catalog/field.ts';
import type { Kind } from '../catalog/kind.ts';
import type { Marker } from './snapshot.ts';
import { canonicalField } from './canonical.ts';
import { digestPlaceholder } from './placeholder.ts';

function secrecyOf(field: Field, value: Value): Secrecy {
  if (!holdsSecret(value)) return 'plain';
  return hiddenPaths(value, field, '').length > 0 ? 'hidden' : 'secret';
}

/** Length of the digest that a value will have, even if the value is not known yet. */
export function digestLength(field: Field | undefined, value: Value | undefined): number {
  return DIGEST_LENGTHS[field === undefined || value === undefined ? 'plain' : secrecyOf(field, value)];
}

/**
 * Digest of one field's value; undefined for an absent value. `salt` is used when the value holds a secret, or may hold one.
 */
export function fieldDigest(
  field: Field,
  value: Value | undefined,
  salt: string,
  secrecy?: Secrecy,
): string | undefined {
  const canonical = canonicalField(field, value);
  if (canonical === undefined) return undefined;
  const text = canonicalJson(revealed(canonical));
  return digestOfValue(text, secrecy ?? secrecyOf(field, canonical), salt);
}

/** True when the digest is that of the value, whichever parts were secret when it was made. */
export function isDigestOf(digest: string | undefined, field: Field, value: Value | undefined, salt: string): boolean {
  if (digest === undefined) return fieldDigest(field, value, salt, 'plain') === undefined;
  return bareDigest(digest) === fieldDigest(field, value, salt, secrecyOfDigest(digest));
}

/**
 * True when a new digest would record other places or kinds of secrets: the old one would expose a new secret, or hide text
 * that is no longer secret. Computes no slow digest.
 */
export function tellsOtherSecrets(digest: string, field: Field, value: Value | undefined, name: string): boolean {
  if (value === undefined || holdsUnknown(value)) return false;
  if (!holdsSecret(value) && secrecyOfDigest(digest) === 'plain' && bareDigest(digest) === digest) return false;
  const canonical = canonicalField(field, value);
  if (canonical === undefined) return false;
  const places = secretsAt(hiddenPaths(value, field, name));
  return secrecyOfDigest(digest) !== secrecyOf(field, canonical) || digest !== `${bareDigest(digest)}${places}`;
}

/** Fields whose digests the marker keeps: those in the manifest, and metadata if its text is known. */
function digestedFields(kind: Kind, spec: ValueObject): string[] {
  return Object.keys(kind.fields).filter((name) => {
    const value = spec[name];
    if (value === undefined || value === null) return false;
    return name !== METADATA || (value !== '' && !holdsUnknown(value));
  });
}

/** Salt of an object's secret digests, so that equal secrets on two objects look different. Works for a renamed marker, too. */
export function saltOf({ stack, address }: Pick<Marker, 'stack' | 'address'>): string {
  return `${stack}/${address}`;
}

/** The digests that the marker keeps, by field; a placeholder for a field with unknown values. */
export function digestOfMany(kind: Kind, spec: ValueObject, salt: string): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const name of digestedFields(kind, spec)) {
    const field = kind.fields[name];
    const value = spec[name];
    if (field === undefined || value === undefined) continue;
    const digest = holdsUnknown(value) ? digestPlaceholder(name) : fieldDigest(field, value, salt);
    if (digest !== undefined) digests[name] = `${digest}${secretsAt(hiddenPaths(value, field, name))}`;
  }
  return digests;
}

/** Resolves the digest placeholders of a request. */
export function digestLookup(kind: Kind, salt: string): (name: string, value: Value) => string {
  return (name, value) => {
    const field = kind.fields[name];
    return (field && fieldDigest(field, value, salt)) ?? '';
  };
}
