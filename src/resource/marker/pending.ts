// Values that the service shows once, at creation (§5), in a marker: pending until they are known to be stored.

import { perObject } from '../../core/lazy.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { Marker } from '../snapshot.ts';

/** What stands in a marker for the digest of such a value until then. */
const PENDING = 'pending';

/** Names of values that the service shows once, at creation. */
export const returnedOnceFields = perObject(({ fields }: Kind) =>
  Object.keys(fields).filter((name) => fields[name]?.read === 'once'),
);

/** The value that the marker calls pending, if any. */
export function pendingValue(kind: Kind, marker: Marker | undefined): string | undefined {
  return returnedOnceFields(kind).find((name) => marker?.applied[name] === PENDING);
}

/** The marker of an object whose values that are shown once are not stored yet. */
export function pendingMarker(marker: Marker, kind: Kind): Marker {
  const pending = returnedOnceFields(kind).map((name) => [name, PENDING] as const);
  return pending.length === 0 ? marker : { ...marker, applied: { ...marker.applied, ...Object.fromEntries(pending) } };
}
