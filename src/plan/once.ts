// Values that the service shows once, at creation (§5): whether anybody holds the one of an object that was created and
// whose marker does not say so yet. Only what nobody can hold is made anew without a word (ADR-0021).

import type { Kind } from '../catalog/kind.ts';
import type { LiveResource, Marker } from '../live/snapshot.ts';

/** What stands in a marker for the digest of a value that is shown once, until it is known to be stored (§5). */
export const PENDING = 'pending';

/** What is known from elsewhere of values that were stored. */
export interface StoredValues {
  /** Ids of objects whose values have reached their file. */
  readonly ids: ReadonlySet<string>;
  /** Addresses that have a file, whosever value is in it. */
  readonly files: ReadonlySet<string>;
}

/**
 * `stored`: the value is held, and the marker lags behind. `unclear`: the file of the address may hold it, or that of the
 * object before. `lost`: nobody holds it.
 */
export interface OnceState {
  readonly is: 'stored' | 'unclear' | 'lost';
  /** Name of the value. */
  readonly name: string;
}

/** Names of values that the service shows once, at creation. */
export function onceFields(kind: Kind): string[] {
  return Object.keys(kind.fields).filter((name) => kind.fields[name]?.read === 'once');
}

/** The value that the marker calls pending, if any. */
export function pendingValue(kind: Kind, marker: Marker | undefined): string | undefined {
  return onceFields(kind).find((name) => marker?.applied[name] === PENDING);
}

/** What became of a value that the marker calls pending; undefined when none is. */
export function onceState(kind: Kind, live: LiveResource, stored: StoredValues | undefined): OnceState | undefined {
  const name = pendingValue(kind, live.marker);
  if (name === undefined) return undefined;
  if (stored?.ids.has(live.id) === true) return { is: 'stored', name };
  if (stored?.files.has(live.marker?.address ?? '') !== true) return { is: 'lost', name };
  // A file is written over only for an object that takes the place of another; no other creation finds one there.
  return { is: live.marker?.replaces === undefined ? 'stored' : 'unclear', name };
}
