// Objects that a block names by id and whose ownership marker was changed outside. The plan adopts them again, which looks like
// work of the manifest; a journal proves that they belonged to the stack before.

import { originsOf } from '../resource/marker/moves.ts';
import type { OwnershipStatus } from '../resource/marker/ownership.ts';
import type { PlanInput } from '../plan/build.ts';
import type { Match, Pair } from '../plan/match/match.ts';
import { presentIn } from '../plan/match/missing-objects.ts';

/** What happened to the marker, by the address of the block. Objects that no block names by id are unclear or missing. */
export function changedMarkers(
  { manifest, snapshot, options: { journal } }: PlanInput,
  { pairs, ownership }: Match,
): ReadonlyMap<string, { readonly pair: Pair; readonly evidence: string }> {
  const liveById = new Map(snapshot.resources.map((live) => [live.id, live]));
  const origins = originsOf(manifest.moved);
  const present = presentIn(journal);
  const found = pairs.flatMap((pair) => {
    const { address } = pair.desired;
    const live = liveById.get(pair.live?.id ?? '');
    const knownAs = present.get(live?.id ?? '');
    if (live === undefined || knownAs === undefined) return [];
    const what = whatHappened(ownership.of(live), live.markerProblem?.what, [knownAs, address, ...origins(address)]);
    return what === undefined ? [] : [[address, { pair, evidence: `its ownership marker ${what}` }] as const];
  });
  return new Map(found);
}

/** Undefined if the marker is one that the stack wrote: it names one of the addresses. */
function whatHappened(
  status: OwnershipStatus,
  problem: string | undefined,
  addresses: readonly string[],
): string | undefined {
  switch (status.is) {
    case 'ours':
    case 'misplaced':
      return addresses.includes(status.marker.address) ? undefined : `names ${status.marker.address}`;
    case 'foreign':
      return `names stack ${status.stack}`;
    case 'unclear':
    case 'unowned':
      return problem ?? 'was removed';
    default:
      return status satisfies never;
  }
}
