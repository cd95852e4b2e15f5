// What a move from another stack leaves behind: children that no block asks for, and objects whose marker cannot be read. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Match } from '../match/match.ts';

export function leftBehind(manifest: Manifest, matched: Match): Diagnostic[] {
  if (manifest.transfers.length === 0) return [];
  return [...childrenLeft(matched), ...unreadableMarkers(manifest, matched)];
}

/** Children of a parent that moves, which stay with the other stack. */
function childrenLeft({ pairs, snapshot, ownership }: Match): Diagnostic[] {
  const moving = new Map(
    pairs.flatMap(({ desired, live }) =>
      live !== undefined && ownership.of(live).is === 'transferred' ? [[live.id, desired.address] as const] : [],
    ),
  );
  return snapshot.resources.flatMap((live): Diagnostic[] => {
    const parent = moving.get(live.parentId ?? '');
    const status = ownership.of(live);
    if (parent === undefined || status.is !== 'foreign') return [];
    const message = `${status.address ?? live.id} (${live.id}) stays with stack ${status.stack}, although its parent moves here as ${parent}`;
    const fix = `add a block for it to ${parent}, and it moves along; nothing else deletes it`;
    return [{ code: 'child-left-behind', severity: 'warning', address: parent, message, fix }];
  });
}

/** An object of the other stack that may be the one that is still missing. */
function unreadableMarkers({ transfers }: Manifest, { pairs, snapshot }: Match): Diagnostic[] {
  const missing = pairs.filter(({ live }) => live === undefined).map(({ desired }) => desired);
  const nameOf = ({ markerProblem }: LiveResource) =>
    transfers.find(({ stack }) => markerProblem?.stacks.includes(stack))?.stack;
  const isWanted = (live: LiveResource) =>
    missing.some(({ kind, address }) => kind === live.kind && transfers.some((one) => mayBring(one, address)));
  return snapshot.resources.flatMap((live): Diagnostic[] => {
    const stack = nameOf(live);
    if (stack === undefined || !isWanted(live)) return [];
    const message = `the ownership marker of the ${kindByName(live.kind).title} ${live.id} ${live.markerProblem?.what ?? ''}, and names stack ${stack}, from which \`moved\` takes objects`;
    return [{ code: 'broken-marker', severity: 'error', live_id: live.id, message, fix: 'restore it there first' }];
  });
}

function mayBring({ ends }: Manifest['transfers'][number], address: string): boolean {
  return ends === undefined || address === ends.to || address.startsWith(`${ends.to}.`);
}
