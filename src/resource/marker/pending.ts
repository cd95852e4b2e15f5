// What the marker of a new object must not claim yet: that values returned once, at creation (§5), are stored, and that fields
// are applied which only a later request sends.

import { perObject } from '../../core/lazy.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Marker } from '../snapshot.ts';

/** Takes the place of the digest of such a value in a marker until then. */
const PENDING = 'pending';

/** Names of values that are returned once, at creation. */
export const returnedOnceFields = perObject(({ fields }: Kind) =>
  Object.keys(fields).filter((name) => fields[name]?.read === 'once'),
);

export function pendingValue(kind: Kind, marker: Marker | undefined): string | undefined {
  return returnedOnceFields(kind).find((name) => marker?.applied[name] === PENDING);
}

/** The marker that a creation sends: values returned once are pending, and fields that only updates accept are not applied. */
export function creationMarker(marker: Marker, kind: Kind): Marker {
  const sent = Object.entries(marker.applied).filter(([name]) => kind.fields[name]?.write !== 'update');
  const pending = returnedOnceFields(kind).map((name) => [name, PENDING]);
  return { ...marker, applied: Object.fromEntries([...sent, ...pending]) as Marker['applied'] };
}
