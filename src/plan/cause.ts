// Who caused a difference: the manifest, somebody outside, or both. Three values decide: what was applied, what is
// desired, what is live (ADR-0003).

import type { Value } from '../base/value.ts';
import { isValueObject } from '../base/value.ts';
import type { Field } from '../catalog/field.ts';
import type { Marker } from '../live/snapshot.ts';
import { fieldDigest, holdsUnknown } from './digests.ts';
import type { FieldDiff } from './diff.ts';
import type { Cause } from './plan.ts';

/** The cause of a field's difference, from the digests in the marker. */
export function causeOf(diff: FieldDiff, marker: Marker | undefined, salt: string): Cause {
  if (marker === undefined) return 'unknown';
  const applied = marker.applied[diff.name];
  if (diff.given !== undefined && holdsUnknown(diff.given)) return 'config';
  const desired = diff.given === undefined ? undefined : fieldDigest(diff.field, diff.given, salt);
  if (desired === applied) return 'drift';
  return liveIsAsApplied(diff, applied, salt) ? 'config' : 'both';
}

function liveIsAsApplied(diff: FieldDiff, applied: string | undefined, salt: string): boolean {
  if (diff.masked.length > 0) return true;
  if (applied === undefined) return isDefault(diff.field, diff.live);
  const candidates = [
    diff.live,
    withoutServiceChoices(diff.field, diff.live, diff.desired),
    withoutServiceChoices(diff.field, diff.live, undefined),
  ];
  return candidates.some((value) => fieldDigest(diff.field, value, salt) === applied);
}

function isDefault(field: Field, live: Value | undefined): boolean {
  return (
    live === undefined ||
    field.default === 'service' ||
    fieldDigest(field, live, '') === fieldDigest(field, undefined, '')
  );
}

/** The live value without what the service chose: fields with such a default that the desired value does not give. */
function withoutServiceChoices(field: Field, live: Value | undefined, desired: Value | undefined): Value | undefined {
  if (field.type !== 'object' || !isValueObject(live)) return live;
  const kept = Object.entries(live).flatMap(([name, value]): [string, Value][] => {
    const sub = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined;
    const wanted = isValueObject(desired) ? desired[name] : undefined;
    if (sub === undefined || (sub.default === 'service' && wanted === undefined))
      return sub === undefined ? [[name, value]] : [];
    const inner = withoutServiceChoices(sub, value, wanted);
    return inner === undefined ? [] : [[name, inner]];
  });
  return Object.fromEntries(kept);
}
