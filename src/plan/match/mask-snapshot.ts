// Masks values of live objects where the manifest has a secret, so that no later code can show them (ADR-0018). Equality is
// decided by content elsewhere; this file only decides what is visible.

import { canonicalJson, isList } from '../../core/json.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { Secret } from '../../core/secrets/secret.ts';
import {
  holdsSecret,
  isOpaque,
  isValueObject,
  revealed,
  someLeaf,
  type Value,
  type ValueObject,
} from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { fieldOf, itemField } from '../../catalog/walk.ts';
import type { Field } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { hide, type FieldLocation } from '../../catalog/secrecy/secrecy.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { canonicalField } from '../../resource/canonical.ts';
import { match, type Pair } from './match.ts';
import { isUnresolved, resolveSpec } from '../../resource/resolve.ts';

/** True for a text that contains a known secret. */
type Repeats = (text: string) => boolean;

/** Matches the manifest with the live state, and masks the secrets of each pair. */
export function matchMasked(manifest: Manifest, snapshot: Snapshot) {
  const repeats = (text: string) => knownSecrets.holds(text);
  const matched = match(manifest, manifest.resources, snapshot);
  const known = new Map(matched.imports.known);
  for (const { kind, desired, live } of matched.pairs)
    if (live !== undefined) known.set(desired.address, maskResource(kind, desired.spec, live, repeats));
  const pairs = matched.pairs.map((pair): Pair => {
    const { kind, desired, live } = pair;
    if (live === undefined) return pair;
    const masked = isUnresolved(desired.spec) ? undefined : known.get(desired.address);
    return { kind, desired, live: masked ?? maskResource(kind, resolveSpec(desired.spec, known), live, repeats) };
  });
  const byId = new Map(pairs.flatMap(({ live }) => (live === undefined ? [] : [[live.id, live]])));
  const resources = snapshot.resources.map((live) => byId.get(live.id) ?? live);
  return { snapshot: { ...snapshot, resources }, matched: { ...matched, pairs } };
}

/**
 * Makes values opaque where `desired` has a secret, and values that repeat a secret. Values that the manifest shows in clear
 * text at the same place stay visible.
 */
function maskResource(kind: Kind, desired: ValueObject, live: LiveResource, repeats: Repeats): LiveResource {
  const mayShowAll = live.writeOnly.length === 0 && !holdsSecret(desired);
  if (mayShowAll && !someLeaf(live.spec, (leaf) => isConcealed(leaf, repeats))) return live;
  const owner = `live:${live.id}`;
  const entries = Object.entries(live.spec).map(([name, value]): [string, Value] => {
    const field = kind.fields[name];
    const wanted = desired[name];
    const isConcerned =
      (wanted !== undefined && holdsSecret(wanted)) || someLeaf(value, (leaf) => isConcealed(leaf, repeats));
    if (name === METADATA || field === undefined || !isConcerned) return [name, value];
    return [name, maskValue(value, wanted, { field, owner, path: [name], repeats })];
  });
  return { ...live, spec: Object.fromEntries(entries) };
}

/** True for a secret, and for a text that contains one. */
function isConcealed(leaf: Value, repeats: Repeats): boolean {
  return leaf instanceof Secret || (typeof leaf === 'string' && repeats(leaf));
}

interface MaskCursor extends FieldLocation {
  readonly repeats: Repeats;
}

function maskValue(live: Value, desired: Value | undefined, cursor: MaskCursor): Value {
  if (isOpaque(desired)) return hide(live, cursor);
  if (isList(live)) return maskList(live, desired, cursor);
  if (isValueObject(live)) return maskObject(live, desired, cursor);
  if (live instanceof Secret) return isPublic(live, desired, cursor) ? (desired ?? live) : live;
  if (typeof live !== 'string' || isPublic(live, desired, cursor)) return live;
  return cursor.repeats(live) ? hide(live, cursor) : live;
}

/** True for a value that the manifest has in clear text, unless the catalogue says that it is secret. */
function isPublic(live: Value, desired: Value | undefined, { field }: MaskCursor): boolean {
  if (desired === undefined || field?.sensitive || holdsSecret(desired)) return false;
  return keyOf(field, live) === keyOf(field, desired);
}

/** List items have no fixed place: next to a secret, only those in the manifest in clear text stay visible. */
function maskList(live: readonly Value[], desired: Value | undefined, cursor: MaskCursor): Value {
  const items = desired !== undefined && isList(desired) ? desired : [];
  const field = itemField(cursor.field);
  const said = new Map(items.filter((item) => !holdsSecret(item)).map((item) => [keyOf(field, item), item]));
  const hasSecret = items.some(holdsSecret);
  return live.map((item, index): Value => {
    const below = { ...cursor, field, path: [...cursor.path, String(index)] };
    const same = said.get(keyOf(field, item));
    if (same !== undefined) return holdsSecret(item) ? same : item;
    return hasSecret ? hide(item, below) : maskValue(item, undefined, below);
  });
}

/** Map keys may have swapped values: next to a secret, only values in the manifest in clear text stay visible. */
function maskObject(live: ValueObject, desired: Value | undefined, cursor: MaskCursor): Value {
  const { field } = cursor;
  const wanted = isValueObject(desired) ? desired : {};
  const fields = field?.type === 'object' ? field.fields : {};
  const caseless = field?.type === 'map' && field.keys === 'lower';
  const keyed = new Map(Object.entries(wanted).map(([name, item]) => [caseless ? name.toLowerCase() : name, item]));
  const hasSecret = Object.entries(wanted).some(([name, item]) => !Object.hasOwn(fields, name) && holdsSecret(item));
  const entries = Object.entries(live).map(([name, item]): [string, Value] => {
    const sub = fieldOf(fields, name);
    const below = { ...cursor, field: sub, path: [...cursor.path, name] };
    const given = keyed.get(caseless ? name.toLowerCase() : name);
    return [
      name,
      sub === undefined && hasSecret && given === undefined ? hide(item, below) : maskValue(item, given, below),
    ];
  });
  return Object.fromEntries(entries);
}

function keyOf(field: Field | undefined, value: Value): string {
  const canonical = field === undefined ? value : (canonicalField(field, value) ?? null);
  return canonicalJson(revealed(canonical));
}
