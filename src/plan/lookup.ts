// Finds what a plan's placeholders refer to: secrets, and live objects by their address in the manifest.

import { Secret } from '../core/secrets/secret.ts';
import { Expression, parsePath, valueAt, type ValueObject } from '../core/value.ts';
import type { Snapshot, LiveResource } from '../resource/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Lookup } from '../resource/placeholder.ts';
import { match, type Match } from './match/match.ts';
import type { JsonObject } from '../core/json.ts';

/** Finds secrets for requests: of the manifest by address, of live objects by id. */
export function secretLookup(manifest: Manifest, snapshot: Snapshot): Lookup['secret'] {
  let specs: ReadonlyMap<string, ValueObject> | undefined;
  return (from) => {
    // Most plans need no secrets.
    specs ??= new Map([
      ...manifest.resources.map((resource) => [resource.address, resource.spec] as const),
      ...snapshot.resources.map((live) => [`live:${live.id}`, live.spec] as const),
    ]);
    const at = from.indexOf('#');
    const spec = specs.get(from.slice(0, at));
    const leaf = spec === undefined ? undefined : valueAt(spec, parsePath(from.slice(at + 1)));
    if (leaf instanceof Secret || leaf instanceof Expression) return leaf;
    // Text that is masked because the manifest has a secret there is plain text to the service.
    return typeof leaf === 'string' ? new Secret(leaf, { origin: from, isCover: true }) : undefined;
  };
}

/** The stack's objects and imports by address; the marker of a renamed or adopted one may still have another address, or be missing. */
export function liveByAddress(
  { resources }: Snapshot,
  { ownership, pairs, imports }: Match,
): ReadonlyMap<string, LiveResource> {
  const found = new Map(imports.known);
  for (const live of resources) {
    const status = ownership.of(live);
    if (status.is === 'ours') found.set(status.marker.address, live);
  }
  for (const { desired, live } of pairs) if (live !== undefined) found.set(desired.address, live);
  return found;
}

/** Read-only values of the stack's live objects and imports by the address in the manifest, even if the marker still has another. */
export function knownValues(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map(
    [...liveByAddress(snapshot, match(manifest, manifest.resources, snapshot))].map(([address, { computed }]) => [
      address,
      computed,
    ]),
  );
}
