// Where the secrets are that a plan's placeholders name.

import type { Secret } from '../base/secret.ts';
import { secretIn } from '../base/value.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';

/** Finds secrets for requests: those of the manifest by address, those of live objects by id. */
export function secretLookup(manifest: Manifest, snapshot: Snapshot): (from: string) => Secret | undefined {
  const specs = new Map(manifest.resources.map((resource) => [resource.address, resource.spec]));
  for (const live of snapshot.resources) specs.set(`live:${live.id}`, live.spec);
  return (from) => {
    const at = from.indexOf('#');
    const spec = specs.get(from.slice(0, at));
    return spec === undefined ? undefined : secretIn(spec, from.slice(at + 1).split('.'));
  };
}
