// What a move from another stack leaves behind: children that no block asks for, objects whose marker cannot be read, and what is not
// destroyed because another stack takes it. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { MarkedAs } from '../../resource/marker/transfers.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { nameOf } from '../policies/policy.ts';
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

/** Objects that `destroy` leaves to the stack that takes them; what is inside of one is not said again. */
export function spared(
  { resources }: Pick<Snapshot, 'resources'>,
  taken: ReadonlyMap<string, MarkedAs> = new Map(),
): Diagnostic[] {
  return resources.flatMap((live): Diagnostic[] => {
    const next = taken.get(live.id);
    if (next === undefined || taken.has(live.parentId ?? '')) return [];
    const message = `${nameOf(live)} (${live.id}) is not destroyed: stack ${next.stack} takes it as ${next.address}, by an entry of \`moved\``;
    const fix = `apply stack ${next.stack}, which moves it there; if it is to go, remove the entry from the manifest of stack ${next.stack}, and destroy again`;
    return [{ code: 'left-to-taker', severity: 'warning', live_id: live.id, message, fix }];
  });
}

function mayBring({ ends }: Manifest['transfers'][number], address: string): boolean {
  return ends === undefined || address === ends.to || address.startsWith(`${ends.to}.`);
}
