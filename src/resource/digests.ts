// Digests of what was applied, field by field, as the marker keeps them (ADR-0003). Pure.
// How long a digest is tells what it was made of: text that may be guessed, a secret of the catalogue, or text that the
// catalogue takes for no secret and that came from a sensitive variable; where that is follows the digest (ADR-0018).

import type { Secrecy } from '../core/digest.ts';
import { bareDigest, DIGEST_LENGTHS, digestOfValue, secrecyOfDigest, secretsAt } from '../core/digest.ts';
import { canonicalJson } from '../core/json.ts';
import type { Value, ValueObject } from '../core/value.ts';
import { revealed, holdsSecret, holdsUnknown } from '../core/value.ts';
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

/** Characters of the digest that a value will have, whether it is known already or not. */
export function digestLength(field: Field | undefined, value: Value | undefined): number {
  return DIGEST_LENGTHS[field === undefined || value === undefined ? 'plain' : secrecyOf(field, value)];
}

/**
 * Digest of one field's value; `salt` is used when the value holds a secret, or is taken to hold one. Undefined for an
 * absent value.
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

/** True when the digest is that of the value, whatever of it was secret when the digest was made. */
export function isDigestOf(digest: string | undefined, field: Field, value: Value | undefined, salt: string): boolean {
  if (digest === undefined) return fieldDigest(field, value, salt, 'plain') === undefined;
  return bareDigest(digest) === fieldDigest(field, value, salt, secrecyOfDigest(digest));
}

/**
 * True when the digest says something else of where secrets are in the value, or of what kind they are, than a new one
 * would: others could see what has become secret, or not see what is none any more. Nothing slow is computed.
 */
export function tellsOtherSecrets(digest: string, field: Field, value: Value | undefined, name: string): boolean {
  if (value === undefined || holdsUnknown(value)) return false;
  if (!holdsSecret(value) && secrecyOfDigest(digest) === 'plain' && bareDigest(digest) === digest) return false;
  const canonical = canonicalField(field, value);
  if (canonical === undefined) return false;
  const places = secretsAt(hiddenPaths(value, field, name));
  return secrecyOfDigest(digest) !== secrecyOf(field, canonical) || digest !== `${bareDigest(digest)}${places}`;
}

/** Names of the fields whose digests the marker keeps: those the manifest gives, and metadata whose text is known. */
function digestedFields(kind: Kind, spec: ValueObject): string[] {
  return Object.keys(kind.fields).filter((name) => {
    const value = spec[name];
    if (value === undefined || value === null) return false;
    return name !== METADATA || (value !== '' && !holdsUnknown(value));
  });
}

/** Salt of an object's secret digests, also in a marker of another name: equal secrets on two objects do not look equal. */
export function saltOf({ stack, address }: Pick<Marker, 'stack' | 'address'>): string {
  return `${stack}/${address}`;
}

/** The digests that the marker keeps, by field name; of a field that holds unknown values, its placeholder. */
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

/** Digests of a step's fields for the marker, as the placeholders of a request ask for them. */
export function digestLookup(kind: Kind, salt: string): (name: string, value: Value) => string {
  return (name, value) => {
    const field = kind.fields[name];
    return (field && fieldDigest(field, value, salt)) ?? '';
  };
}
