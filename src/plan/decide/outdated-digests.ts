// Fields that are live as desired although the marker has the digest of another value: the manifest's change was made by
// hand. Without a new digest, changing it back would seem to come from the manifest. Also fields whose digest must record
// different secrets (ADR-0024).

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
import type { PlanContext } from '../plan-options.ts';

/** Fields whose digest must be renewed although the field is not sent. */
export function outdatedFields(
  { kind, spec, lifecycle }: DesiredResource,
  live: LiveResource,
  { same, salt }: { readonly same: readonly FieldDiff[]; readonly salt: string },
): string[] {
  const { marker } = live;
  if (marker === undefined) return [];
  const differing = same.filter((diff) => isOutdated(diff, marker, salt)).map((diff) => diff.name);
  // A field that is ignored as a whole is not compared, but may have become secret.
  const ignored = Object.entries(kindByName(kind).fields).filter(([name]) => lifecycle.ignoreChanges.includes(name));
  const veiled = ignored.filter(([name, field]) => {
    const digest = marker.applied[name];
    return digest !== undefined && tellsOtherSecrets(digest, field, spec[name], name);
  });
  const names = [...differing, ...veiled.map(([name]) => name)];
  const text = spec[METADATA] ?? '';
  // Text that was unknown when it was sent has no digest, which is not missing either.
  const hasNone = holdsUnknown(text) && marker.applied[METADATA] === undefined;
  if (hasNone || lifecycle.ignoreChanges.includes(METADATA)) return names;
  return isTextOutdated(text, live) ? [...names, METADATA] : names;
}

/** The desired state of one resource: as written, and as the service will have it. */
interface Intended {
  readonly pair: Pair;
  readonly context: Pick<PlanContext, 'stack'>;
  readonly spec: ValueObject;
  readonly next: ValueObject;
}

/**
 * Ignored fields whose manifest value is not applied, so that the marker keeps the old digest. If only a part of a field is
 * ignored, it can do so only while the whole field is as it was applied. A renamed object's digests are useless under its new
 * address.
 */
export function unappliedFields({ pair: { kind, desired, live }, context, spec, next }: Intended): string[] {
  const { address } = desired;
  const before = live?.marker;
  const isRenamed = before === undefined || saltOf(before) !== saltOf({ stack: context.stack, address });
  const marker = isRenamed ? undefined : before;
  const names = new Set(desired.lifecycle.ignoreChanges.map((path) => path.split('.')[0] ?? ''));
  return [...names].filter((name) => {
    const field = kind.fields[name];
    const digest = marker?.applied[name];
    // A digest that would expose a new secret is not kept, whoever gets the blame for the change.
    if (field === undefined || digest === undefined || tellsOtherSecrets(digest, field, spec[name], name)) return false;
    if (equal(canonicalField(field, spec[name]), canonicalField(field, next[name]))) return false;
    const isWhole = desired.lifecycle.ignoreChanges.includes(name);
    return isWhole || (marker !== undefined && isDigestOf(digest, field, next[name], saltOf(marker)));
  });
}
