// Fields that are live as the manifest has them while the marker still has the digest of another value: somebody made the
// manifest's change by hand. Left alone, the marker would take the way back for the manifest's change. And fields of which the
// marker has to say no more than it did (ADR-0024).

import { holdsUnknown, type ValueObject } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import { canonicalField } from '../../resource/canonical.ts';
import { isOutdated } from './cause.ts';
import { isTextOutdated } from './changes.ts';
import { equal, type FieldDiff } from '../../resource/diff.ts';
import { isDigestOf, saltOf, tellsOtherSecrets } from '../../resource/digests.ts';
import type { Pair } from '../match/match.ts';

/** Names of the fields whose digest has to be renewed although nothing of them is sent. */
export function outdatedFields(
  { kind, spec, lifecycle }: DesiredResource,
  live: LiveResource,
  { same, salt }: { readonly same: readonly FieldDiff[]; readonly salt: string },
): string[] {
  const { marker } = live;
  if (marker === undefined) return [];
  const differing = same.filter((diff) => isOutdated(diff, marker, salt)).map((diff) => diff.name);
  // What is ignored as a whole is not compared, and may have become secret all the same.
  const ignored = Object.entries(kindByName(kind).fields).filter(([name]) => lifecycle.ignoreChanges.includes(name));
  const veiled = ignored.filter(([name, field]) => {
    const digest = marker.applied[name];
    return digest !== undefined && tellsOtherSecrets(digest, field, spec[name], name);
  });
  const names = [...differing, ...veiled.map(([name]) => name)];
  const text = spec[METADATA] ?? '';
  // Text that was not known while it was sent has no digest, and none of it is missed.
  const hasNone = holdsUnknown(text) && marker.applied[METADATA] === undefined;
  if (hasNone || lifecycle.ignoreChanges.includes(METADATA)) return names;
  return isTextOutdated(live) ? [...names, METADATA] : names;
}

/** What one resource is to be, as the manifest gives it and as the service will have it. */
interface Intended {
  readonly pair: Pair;
  readonly spec: ValueObject;
  readonly next: ValueObject;
}

/**
 * Fields that will not be as the manifest gives them, because the difference is ignored: the manifest's value is not applied,
 * so the marker goes on saying what was. Of a field of which only a part is ignored it can do so as long as all of it is as it was
 * applied. A renamed object's digests are of no use under its new address.
 */
export function unappliedFields({ pair: { kind, desired, live }, spec, next }: Intended): string[] {
  const marker = live?.marker?.address === desired.address ? live.marker : undefined;
  const names = new Set(desired.lifecycle.ignoreChanges.map((path) => path.split('.')[0] ?? ''));
  return [...names].filter((name) => {
    const field = kind.fields[name];
    const digest = marker?.applied[name];
    // What became secret is told no longer, whoever may be blamed for it.
    if (field === undefined || digest === undefined || tellsOtherSecrets(digest, field, spec[name], name)) return false;
    if (equal(canonicalField(field, spec[name]), canonicalField(field, next[name]))) return false;
    const isWhole = desired.lifecycle.ignoreChanges.includes(name);
    return isWhole || (marker !== undefined && isDigestOf(digest, field, next[name], saltOf(marker)));
  });
}
