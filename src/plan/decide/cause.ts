// Who caused a difference: the manifest, a change outside, or both (ADR-0003).
//
// Three values decide. `desired` is in the manifest and `live` is at the service. `applied` is what edgeform last wrote; of it
// the marker has only a digest, so it can be compared but not read.
//
//   applied = desired, live differs        somebody changed the object           drift
//   applied = live, desired differs        somebody changed the manifest         config
//   applied equals neither                 both changed                          both
//   no marker                              nothing is known of `applied`         unknown
//   applied = desired, and the run was     the service may have kept another     not-taken
//   cut off in the write                   value (record 0088)
//
// Example: `min_version: "1.2"` was applied. The manifest now says "1.3". If the service still says "1.2", the cause is `config`.
// If the service says "1.1" by now, the cause is `both`. If the manifest still says "1.2" and the service "1.1", it is `drift`.
//
// What makes it hard is that a service fills in what a manifest leaves out. `applied` was digested without `cookie_prefix`, and
// `live` has it. Which of its values the service chose is not recorded, so the live value is tried without each combination
// of those that it may have chosen. With too many of them, or where a digest is slow because it holds a secret, only the
// likely combinations are tried, and the cause may be `unknown`. A value that refers to an object which is yet to be created was
// never applied, so that it is `config` if live is as applied, else `both`. A secret that no response shows cannot be compared at all:
// the difference is then `config`, which never makes a schedule fail for nothing.

import type { Path } from '../../core/json.ts';
import { secrecyOfDigest } from '../../core/digest.ts';
import { holdsUnknown, isValueObject, valueAt, type Value } from '../../core/value.ts';
import type { Field } from '../../catalog/field.ts';
import type { Marker } from '../../resource/snapshot.ts';
import { isSwitchedOff } from '../../resource/canonical.ts';
import { fieldDigest, isDigestOf, tellsOtherSecrets } from '../../resource/digests.ts';
import { asOmitted } from '../../resource/zeros.ts';
import { isOffAnyway, liveAsApplied, valueWritten, type FieldDiff } from '../../resource/diff.ts';
import type { Cause } from '../plan.ts';

/** With at most this many values chosen by the service, every combination without them is tried. */
const MAX_CHOICES = 8;

/** The cause of a field's difference, by the digests in the marker. */
export function causeOf(diff: FieldDiff, marker: Marker | undefined, salt: string): Cause {
  if (marker === undefined) return 'unknown';
  if (isOffAnyway(diff)) return 'config';
  const applied = appliedDigest(diff, marker, salt);
  const written = valueWritten(diff);
  // What refers to an object that is yet to be created was never applied.
  const isNew = written !== undefined && holdsUnknown(written);
  if (!isNew && isDigestOf(applied, diff.field, written, salt)) return diff.isUnread === true ? 'not-taken' : 'drift';
  if (diff.isAsShown === true || mayHideSecret(diff)) return 'config';
  return compareWithApplied(diff, applied, salt);
}

/**
 * For a field that is live as desired: whether the marker records another applied value. If so, a later change back to that
 * value would seem to come from the manifest. A value in the manifest counts as its own even if the service had chosen the
 * same. Also true if the same value was applied with different secrets.
 */
export function isOutdated(diff: FieldDiff, marker: Marker, salt: string): boolean {
  const written = valueWritten(diff);
  if (written !== undefined && holdsUnknown(written)) return false;
  const applied = appliedDigest(diff, marker, salt);
  // A marker may omit a field that every object has.
  if (applied === undefined && (diff.field.required || written === undefined)) return false;
  if (applied !== undefined && tellsOtherSecrets(applied, diff.field, written, diff.name)) return true;
  return !isDigestOf(applied, diff.field, written, salt);
}

/** A field that the manifest omits was applied with its default, if that is known. */
function appliedDigest({ name, field }: FieldDiff, marker: Marker, salt: string): string | undefined {
  return marker.applied[name] ?? fieldDigest(field, undefined, salt);
}

/** True when the live value has a secret that no response shows, or may have one: it cannot be compared with what was applied. */
export function mayHideSecret({ field, live, writeOnly, isHidden }: FieldDiff): boolean {
  return writeOnly.length > 0 || isHidden || hidesSecret(field, live);
}

function hidesSecret(field: Field, live: Value | undefined): boolean {
  if (field.type !== 'object' || !isValueObject(live)) return false;
  return Object.entries(field.fields).some(([name, sub]) =>
    sub.sensitive ? sub.read === 'masked' && live[name] === undefined : hidesSecret(sub, live[name]),
  );
}

/** True for a live value that counts as absent: none, one chosen by the service, or a disabled module (ADR-0005). */
function isAbsent(field: Field, live: Value | undefined): boolean {
  return live === undefined || field.default === 'service' || (field.module === true && isSwitchedOff(live));
}

/**
 * Whether the live value is the applied one. The marker does not record which values the service chose, so every combination
 * without them is tried; with too many, the cause is unknown.
 */
function compareWithApplied(diff: FieldDiff, applied: string | undefined, salt: string): Cause {
  const { field } = diff;
  const live = liveAsApplied(diff);
  if (applied === undefined) return isAbsent(field, diff.live) ? 'config' : 'both';
  const matches = (value: Value | undefined) => isDigestOf(applied, field, value, salt);
  // An ignored value may also be as applied although the manifest has since changed.
  if (matches(diff.live)) return 'config';
  const choices = serviceChoices(field, live);
  if (likelyApplied(diff).some(matches)) return 'config';
  // Digests of secrets are slow by design, so no combinations are tried on them.
  const canTryAll = choices.length <= MAX_CHOICES && secrecyOfDigest(applied) === 'plain';
  if (!canTryAll) return choices.length === 0 ? 'both' : 'unknown';
  for (let bits = 1; bits < 2 ** choices.length; bits++) {
    const chosen = choices.filter((_, index) => (bits >> index) % 2 === 1);
    if (matches(withoutAll(live, chosen))) return 'config';
  }
  return 'both';
}

/** Candidates for the applied value: the live value as it is, and without what the service seems to have chosen. */
function likelyApplied(diff: FieldDiff): (Value | undefined)[] {
  const { field, desired } = diff;
  const live = liveAsApplied(diff);
  const choices = serviceChoices(field, live);
  const chosen = (isChosen: (path: Path) => boolean) => withoutAll(live, choices.filter(isChosen));
  const all = [live, withoutAll(live, choices)];
  if (desired !== undefined) {
    const isOmitted = (path: Path) => valueAt(desired, path) === undefined;
    // A zero that was applied may be left out by the service, and the manifest may have another value by now.
    const zeros = withoutAll(asOmitted(field, live, desired), choices.filter(isOmitted));
    return [...all, chosen(isOmitted), zeros];
  }
  // A guess: services choose empty values and perhaps texts, but hardly numbers.
  const isEmpty = (path: Path) => EMPTY.includes(valueAt(live, path) ?? null);
  return [...all, chosen(isEmpty), chosen((path) => isEmpty(path) || typeof valueAt(live, path) !== 'number')];
}

const EMPTY: readonly Value[] = [0, '', false];

/**
 * Whether unreadable secrets are proven to be those that were applied: the marker has the digest of the manifest's value, or of
 * the live value with its secrets.
 */
export function areApplied(diff: FieldDiff, marker: Marker | undefined, salt: string): boolean {
  if (marker === undefined) return false;
  const applied = marker.applied[diff.name];
  const likely = [valueWritten(diff), diff.desired, ...likelyApplied(diff)];
  return likely.some((value) => isDigestOf(applied, diff.field, value, salt));
}

/** Paths inside the live value that the service may have chosen. */
export function serviceChoices(field: Field, live: Value | undefined, above: Path = []): Path[] {
  if (field.type !== 'object' || !isValueObject(live)) return [];
  return Object.entries(field.fields).flatMap(([name, sub]) => {
    const value = live[name];
    if (value === undefined || sub.write === 'never') return [];
    return sub.default === 'service' ? [[...above, name]] : serviceChoices(sub, value, [...above, name]);
  });
}

function withoutAll(value: Value | undefined, paths: readonly Path[]): Value | undefined {
  return paths.reduce<Value | undefined>(without, value);
}

function without(value: Value | undefined, [head, ...rest]: Path): Value | undefined {
  if (head === undefined || !isValueObject(value)) return value;
  const { [head]: inner, ...others } = value;
  if (rest.length === 0 || inner === undefined) return others;
  const kept = without(inner, rest);
  return kept === undefined ? others : { ...others, [head]: kept };
}
