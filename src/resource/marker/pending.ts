// Marks values that are returned once, at creation (§5), as pending in the marker until they are known to be stored.

import { perObject } from '../../core/lazy.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Marker } from '../snapshot.ts';

/** Takes the place of the digest of such a value in a marker until then. */
const PENDING = 'pending';

/** Names of values that are returned once, at creation. */
export const returnedOnceFields = perObject(({ fields }: Kind) =>
  Object.keys(fields).filter((name) => fields[name]?.read === 'once'),
);

/** The value that the marker calls pending, if any. */
export function pendingValue(kind: Kind, marker: Marker | undefined): string | undefined {
  return returnedOnceFields(kind).find((name) => marker?.applied[name] === PENDING);
}

/** The marker of an object whose returned-once values are not stored yet. */
export function pendingMarker(marker: Marker, kind: Kind): Marker {
  const pending = returnedOnceFields(kind).map((name) => [name, PENDING] as const);
  return pending.length === 0 ? marker : { ...marker, applied: { ...marker.applied, ...Object.fromEntries(pending) } };
}
