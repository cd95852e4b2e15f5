// Children inside the stack's own objects that the manifest does not have and that no stack owns, such as a route that somebody
// added to an edge. An edge that is the stack's is the stack's whole, so they are named; only an exclusive parent has them deleted
// (ADR-0050).

import { formatAddress } from '../../catalog/address.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import { otherOwner } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Match } from './match.ts';

export interface ForeignChild {
  readonly live: LiveResource;
  /** The block of the object that it is in. */
  readonly parent: DesiredResource;
  /** Its parent's address with its id as the name: it has no other. */
  readonly address: string;
  /** True when its parent is exclusive, and nothing in its metadata says that it may be somebody's. */
  readonly isExpendable: boolean;
}

/** One in whose parent's place nothing is matched, or that may be anybody's, is not among them. */
export function foreignChildrenIn({ pairs, unmanaged, ownership }: Match): ForeignChild[] {
  const parents = new Map(pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[live.id, desired]])));
  return unmanaged.flatMap((live): ForeignChild[] => {
    const parent = parents.get(live.parentId ?? '');
    const status = ownership.of(live);
    if (parent === undefined || otherOwner(status) !== undefined) return [];
    const address = formatAddress(kindByName(live.kind), live.id, parent.address);
    // A misplaced marker of ours is reported, and its object never written (ADR-0017).
    const isExpendable = parent.lifecycle.exclusive && status.is === 'unowned';
    return [{ live, parent, address, isExpendable }];
  });
}
