// Objects outside a stack that its plan leaves alone.

import { otherOwner } from '../resource/marker/ownership.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { disposedAs } from './match/disposition.ts';
import type { Match } from './match/match.ts';
import { ownerAround } from './match/owner-around.ts';
import type { Plan } from './plan.ts';

/** Those that stay; a part of the live state lists only those that no stack owns. `gone` are ids of what the plan deletes. */
export function unmanagedOf(matched: Match, { whole }: Snapshot, gone: ReadonlySet<string>): Plan['unmanaged'] {
  const all = disposedAs(matched.dispositions, 'left')
    .filter(({ live }) => !gone.has(live.id))
    .map(({ live }): Plan['unmanaged'][number] => {
      const { kind, id } = live;
      const other = otherOwner(matched.ownership.of(live));
      if (other !== undefined)
        return { kind, id, owner: `${other.stack}: ${other.address ?? 'its marker cannot be read'}` };
      const around = ownerAround(live, matched);
      return { kind, id, owner: null, ...(around && { parent_stack: around.stack }) };
    });
  return whole === undefined ? all : all.filter(({ owner }) => owner === null);
}
