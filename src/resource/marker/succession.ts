// Which object replaced which. The marker alone does not prove it: its text may have been copied or edited, and trusting it
// would delete the object that it names (ADR-0017).

import { compareInstants } from '../../core/instant.ts';
import { CREATED_AT } from '../../catalog/fields/common.ts';
import type { Origins } from './moves.ts';
import type { LiveResource } from '../snapshot.ts';

/**
 * Objects by id that another one replaced: a later one of the same kind and address whose marker says so. The successor may
 * have been renamed since, so addresses linked by moves count, too.
 */
export function replacedAmong(
  objects: readonly LiveResource[],
  origins: Origins = () => [],
): ReadonlyMap<string, LiveResource> {
  const byId = new Map(objects.map((live) => [live.id, live]));
  const successors = new Map<string, LiveResource>();
  for (const live of objects) {
    const old = byId.get(live.marker?.replaces ?? '');
    if (old !== undefined && isSuccessor(live, old, origins)) successors.set(old.id, live);
  }
  // In a circle, and on the way to one, no marker is trusted.
  const ends = (id: string, links = 0): boolean => {
    const successor = successors.get(id);
    return successor === undefined || (links < LONGEST && ends(successor.id, links + 1));
  };
  return new Map([...successors].filter(([id]) => ends(id)));
}

/** More replacements of one object than are ever left unfinished. */
const LONGEST = 100;

/** True when the object may have been created to replace the other, which may have no marker. Timestamps are in whole seconds. */
export function isSuccessor(live: LiveResource, old: LiveResource, origins: Origins): boolean {
  if (live.id === old.id || live.marker?.replaces !== old.id || live.kind !== old.kind) return false;
  const { address } = live.marker;
  const was = old.marker?.address ?? address;
  if (was !== address && !origins(address).includes(was)) return false;
  return compareInstants(String(live.computed[CREATED_AT]), String(old.computed[CREATED_AT])) >= 0;
}
