// The stack's objects, as a run that left nothing to do records them in the journal at its end. They replace everything that the
// journal knew before, so that an object which is left out here is forgotten.
//
// Example: the journal says that `tls_edges.a` is edgtls_1 and that its deletion was begun. The last read shows no edgtls_1, and
// edges of this kind can be listed: it is recorded as gone, so that a list which still shows it to the next run is not believed.
// Where they cannot be listed, one answer proves nothing, and it is recorded as leaving. An object that was not being deleted and
// is missing was deleted by somebody else, and is forgotten.

import { parseAddress } from '../../catalog/address.ts';
import type { Capability } from '../../catalog/kind.ts';
import { isListable } from '../../catalog/lookup.ts';
import type { ObjectAtEnd } from '../../journal/entry.ts';
import {
  formerAddresses,
  notedObjects,
  untakenText,
  type JournalState,
  type NotedObject,
} from '../../journal/replay.ts';
import { isUnder } from '../../resource/marker/moves.ts';
import { scopeOfStack, ownershipIn, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';

/** What the run read last. */
export interface LastRead {
  readonly snapshot: Snapshot;
  readonly manifest: Pick<Manifest, 'stack' | 'removed'>;
}

/** An existing object with one of these statuses no longer belongs to the stack; one with an unreadable marker may. */
const LEFT: readonly OwnershipStatus['is'][] = ['foreign', 'unowned'];

export function objectsAtEnd(
  state: JournalState,
  read: LastRead,
  capabilities: ReadonlySet<Capability>,
): ObjectAtEnd[] {
  const noted = new Map(notedObjects(state));
  return [...objectsRead(state, noted, read), ...objectsMissing(noted, read.snapshot, capabilities)];
}

type NotedById = ReadonlyMap<string, NotedObject>;

/** Objects that the last read shows: the stack's own, and those that the journal knows. */
function objectsRead(state: JournalState, noted: NotedById, { snapshot, manifest }: LastRead): ObjectAtEnd[] {
  const { of } = ownershipIn(scopeOfStack(manifest.stack), snapshot.resources);
  const released = new Set(manifest.removed.flatMap(({ from, destroy }) => (destroy ? [] : [from])));
  return snapshot.resources.flatMap((live) => {
    const before = noted.get(live.id);
    const { is } = of(live);
    if (is === 'ours') return [ownObject(state, live, before)];
    if (before === undefined) return [];
    // As long as it is there, an old manifest may ask for what was given up.
    const isGivenUp = before.isReleased === true && LEFT.includes(is);
    if (before.isLongGone === true && !isGivenUp) return [];
    const isGone = hasLeft(before, is) || isReleased(live, released);
    return [objectAtEnd(live.id, { ...before, parentId: live.parentId, is: isGone ? 'gone' : 'there' })];
  });
}

function ownObject(state: JournalState, live: LiveResource, before: NotedObject | undefined): ObjectAtEnd {
  const address = live.marker?.address ?? '';
  // The creation of it whose outcome was not known.
  const isFound = before === undefined && state.creations.has(address);
  const createdHere = isFound ? true : before?.createdHere;
  const { parentId } = live;
  const formerly = formerAddresses(before, address);
  return objectAtEnd(live.id, {
    address,
    parentId,
    createdHere,
    tokenStored: before?.tokenStored,
    formerly,
    untaken: before?.untaken,
    is: 'there',
  });
}

function hasLeft(before: NotedObject, status: OwnershipStatus['is']): boolean {
  return before.is === 'gone' || (before.is === 'leaving' && LEFT.includes(status));
}

function isReleased({ markerProblem }: LiveResource, released: ReadonlySet<string>): boolean {
  return isUnder(markerProblem?.knownAs ?? '', released);
}

/** Objects that the journal knows and the last read does not show, unless somebody else deleted them. */
function objectsMissing(
  noted: NotedById,
  { resources }: Snapshot,
  capabilities: ReadonlySet<Capability>,
): ObjectAtEnd[] {
  const read = new Set(resources.map(({ id }) => id));
  return [...noted].flatMap(([id, before]) => {
    if (read.has(id) || before.isLongGone === true) return [];
    // One answer proves nothing of an object that no list shows.
    const kind = parseAddress(before.address)?.kind.name;
    const isProven = kind !== undefined && isListable(kind, capabilities);
    if (before.is === 'there' && isProven) return [];
    return [objectAtEnd(id, { ...before, is: before.is === 'leaving' && isProven ? 'gone' : before.is })];
  });
}

function objectAtEnd(id: string, noted: NotedObject): ObjectAtEnd {
  const { address, parentId, createdHere, tokenStored, formerly, untaken, isReleased, is } = noted;
  return {
    id,
    address,
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(createdHere === true && { created_here: createdHere }),
    ...(tokenStored === true && { token_stored: tokenStored }),
    ...(formerly !== undefined && { formerly }),
    ...(isReleased === true && { released: isReleased }),
    ...(untaken !== undefined && untaken.size > 0 && { untaken: untakenText(untaken) }),
    ...(is !== 'there' && { is }),
  };
}
