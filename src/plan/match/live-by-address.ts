// Live objects by the addresses that a manifest has for them.

import { ownershipIn } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { match } from './match.ts';
import type { JsonObject } from '../../core/json.ts';

/** The stack's objects by address; one that is renamed or taken over has another address in its marker yet, or none. */
export function liveByAddress(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, LiveResource> {
  const { of } = ownershipIn(manifest, snapshot.resources);
  const marked = snapshot.resources.flatMap((live): [string, LiveResource][] => {
    const status = of(live);
    return status.is === 'ours' ? [[status.marker.address, live]] : [];
  });
  const matched = match(manifest, manifest.resources, snapshot).pairs.flatMap(
    ({ desired, live }): [string, LiveResource][] => (live === undefined ? [] : [[desired.address, live]]),
  );
  return new Map([...marked, ...matched]);
}

/** Read-only values of the stack's live objects by address: the one in the manifest, also where the marker has another yet. */
export function knownValues(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map([...liveByAddress(manifest, snapshot)].map(([address, { computed }]) => [address, computed]));
}
