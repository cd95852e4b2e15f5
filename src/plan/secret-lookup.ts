// Finds the secrets that a plan's placeholders refer to.

import { Secret } from '../core/secrets/secret.ts';
import { Expression, parsePath, valueAt, type ValueObject } from '../core/value.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Lookup } from '../resource/placeholder.ts';

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
