// Children inside the stack's own objects that are not the stack's, such as a route that somebody added to an edge. An edge that is
// the stack's is the stack's whole, so they are named, whoever their marker names: the address of a route begins with that of its
// edge, so no other stack can own it. Only an exclusive parent has them deleted, and only those without a marker (ADR-0050).

import { formatAddress } from '../../catalog/address.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import type { OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { disposedAs } from './disposition.ts';
import type { Match } from './match.ts';

export interface ForeignChild {
  readonly live: LiveResource;
  readonly status: OwnershipStatus;
  /** The block of the object that it is in. */
  readonly parent: DesiredResource;
  /** Its parent's address with its id as the name: it has no other. */
  readonly address: string;
  /** True when its parent is exclusive, and nothing in its metadata says that it may be somebody's. */
  readonly isExpendable: boolean;
}

/**
 * One in whose parent's place nothing is matched, or an object that another stack owns, is not among them; neither is one that may
 * be the stack's.
 */
export function foreignChildrenIn(matched: Match): ForeignChild[] {
  const { pairs, ownership } = matched;
  const parents = new Map(
    pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [[live.id, { desired, live }]])),
  );
  return disposedAs(matched.dispositions, 'left', 'unreadable').flatMap(({ live }): ForeignChild[] => {
    const parent = parents.get(live.parentId ?? '');
    if (parent === undefined) return [];
    const status = ownership.of(live);
    const above = ownership.of(parent.live);
    if (above.is === 'foreign' || isPartOfMove(status, above)) return [];
    const address = formatAddress(kindByName(live.kind), live.id, parent.desired.address);
    // What has the name of a marker is never written, whatever else it says (ADR-0017).
    const isExpendable = parent.desired.lifecycle.exclusive && status.is === 'unowned';
    return [{ live, status, parent: parent.desired, address, isExpendable }];
  });
}

/** A child that `moved` brings, or that stays with the stack from which its parent comes: the plan says so already. */
function isPartOfMove(child: OwnershipStatus, parent: OwnershipStatus): boolean {
  return child.is === 'transferred' || (child.is === 'foreign' && parent.is === 'transferred');
}
