// What the `removed` list of a manifest says of live objects.

import { isUnder, destinationsOf } from '../../resource/marker/moves.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';

/**
 * Whether `removed` lists an object to release or to destroy, by any of its addresses: that of its marker, that in the block
 * which took its parent, and addresses that moves lead to. An entry counts for what is inside its object, too. A released object
 * is never deleted under another address. `takenBy` says which block took an object, by id.
 */
export function listedIn(
  { removed, moved }: Manifest,
  takenBy: ReadonlyMap<string, string>,
  end: 'release' | 'destroy',
): (live: LiveResource) => boolean {
  const ahead = destinationsOf(moved);
  const withTargets = (address: string) => [address, ...ahead(address)];
  const entries = removed.filter(({ destroy }) => destroy === (end === 'destroy'));
  const listed = new Set(entries.flatMap(({ from }) => withTargets(from)));
  return ({ marker, markerProblem, parentId }) => {
    const own = marker?.address ?? markerProblem?.knownAs ?? '';
    const above = takenBy.get(parentId ?? '');
    const inside = above === undefined ? [] : [`${above}.${own.split('.').slice(-2).join('.')}`];
    return [own, ...inside].flatMap(withTargets).some((address) => isUnder(address, listed));
  };
}
