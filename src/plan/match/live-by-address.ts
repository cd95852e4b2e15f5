// Live objects by the addresses that a manifest has for them.

import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { match, type Match } from './match.ts';
import type { JsonObject } from '../../core/json.ts';

/** The stack's objects by address; one that is renamed or taken over has another address in its marker yet, or none. */
export function liveByAddress({ resources }: Snapshot, { ownership, pairs }: Match): ReadonlyMap<string, LiveResource> {
  const found = new Map<string, LiveResource>();
  for (const live of resources) {
    const status = ownership.of(live);
    if (status.is === 'ours') found.set(status.marker.address, live);
  }
  for (const { desired, live } of pairs) if (live !== undefined) found.set(desired.address, live);
  return found;
}

/** Read-only values of the stack's live objects by address: the one in the manifest, also where the marker has another yet. */
export function knownValues(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...liveByAddress(snapshot, match(manifest, manifest.resources, snapshot))].map(([address, { computed }]) => [
      address,
      computed,
    ]),
  );
}
