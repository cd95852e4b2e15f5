// Live objects by their address in the manifest.

import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { match, type Match } from './match.ts';
import type { JsonObject } from '../../core/json.ts';

/** The stack's objects by address; the marker of a renamed or adopted one may still have another address, or be missing. */
export function liveByAddress({ resources }: Snapshot, { ownership, pairs }: Match): ReadonlyMap<string, LiveResource> {
  const found = new Map<string, LiveResource>();
  for (const live of resources) {
    const status = ownership.of(live);
    if (status.is === 'ours') found.set(status.marker.address, live);
  }
  for (const { desired, live } of pairs) if (live !== undefined) found.set(desired.address, live);
  return found;
}

/** Read-only values of the stack's live objects by the address in the manifest, even if the marker still has another. */
export function knownValues(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...liveByAddress(snapshot, match(manifest, manifest.resources, snapshot))].map(([address, { computed }]) => [
      address,
      computed,
    ]),
  );
}
