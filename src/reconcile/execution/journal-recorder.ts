// Records journal entries while a run writes: some must be on disk before a request, others may be late.

import type { Recorder } from '../../apply/recorder.ts';
import { parseAddress } from '../../catalog/address.ts';
import type { Capability } from '../../catalog/kind.ts';
import { isListable } from '../../catalog/lookup.ts';
import { FileError } from '../../platform/file-error.ts';
import type { SeenObject } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
import { notedObjects, type JournalState } from '../../journal/replay.ts';
import { isUnder } from '../../resource/marker/moves.ts';
import { scopeOfStack, ownershipIn, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { Manifest } from '../../manifest/manifest.ts';

/** Intents must be on disk before their request is sent; outcomes that cannot be written are kept and shown at the end. */
export function createJournalRecorder(
  journal: Journal,
  { stored, filled }: { readonly stored: Set<string>; readonly filled: Map<string, string> },
  fail: (what: 'intent' | 'outcome', error: FileError) => void,
): Recorder {
  const keep = async (noted: Promise<void>) => {
    try {
      await noted;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      fail('outcome', error);
    }
  };
  return {
    intent: async (intent) => {
      try {
        return await journal.intent(intent);
      } catch (error) {
        if (error instanceof FileError) fail('intent', error);
        throw error;
      }
    },
    outcome: (number, status, liveId) => keep(journal.outcome(number, { status, ...(liveId !== null && { liveId }) })),
    stored: (address, liveId) => {
      stored.add(liveId);
      filled.set(address, liveId);
      return keep(journal.stored(address, liveId));
    },
  };
}

/** An existing object with one of these statuses no longer belongs to the stack; one with an unreadable marker may. */
const GONE: readonly OwnershipStatus['is'][] = ['foreign', 'unowned'];

interface Seen {
  readonly snapshot: Snapshot;
  readonly manifest: Pick<Manifest, 'stack' | 'removed'>;
  readonly capabilities: ReadonlySet<Capability>;
}

/** The stack's objects for the journal, after a run that read everything and left nothing to do. */
export function seenObjects(state: JournalState, { snapshot, manifest, capabilities }: Seen): SeenObject[] {
  const noted = new Map(notedObjects(state));
  const there = new Set(snapshot.resources.map(({ id }) => id));
  const { of } = ownershipIn(scopeOfStack(manifest.stack), snapshot.resources);
  const released = new Set(manifest.removed.flatMap(({ from, destroy }) => (destroy ? [] : [from])));
  const isReleased = ({ markerProblem }: LiveResource) => isUnder(markerProblem?.knownAs ?? '', released);
  const found = snapshot.resources.flatMap((live): SeenObject[] => {
    const before = noted.get(live.id);
    const { is } = of(live);
    const { parentId } = live;
    if (is === 'ours') {
      const address = live.marker?.address ?? '';
      const token = before === undefined && state.creations.has(address) ? 'unstored' : before?.token;
      return [entryOf(live.id, { address, parentId, token, is: 'there' })];
    }
    if (before === undefined || before.isLongGone === true) return [];
    const hasLeft = before.is === 'gone' || (before.is === 'leaving' && GONE.includes(is)) || isReleased(live);
    return [entryOf(live.id, { ...before, parentId, is: hasLeft ? 'gone' : 'there' })];
  });
  const missing = [...noted].flatMap(([id, one]): SeenObject[] => {
    if (there.has(id) || one.isLongGone === true) return [];
    const kind = parseAddress(one.address)?.kind.name;
    // One answer proves nothing of an object that no list shows.
    const isProven = kind !== undefined && isListable(kind, capabilities);
    if (one.is === 'there' && isProven) return [];
    return [entryOf(id, { ...one, is: one.is === 'leaving' && isProven ? 'gone' : one.is })];
  });
  return [...found, ...missing];
}

function entryOf(id: string, { address, parentId, token, is }: ReturnType<typeof notedObjects>[number][1]): SeenObject {
  return {
    id,
    address,
    ...(parentId !== undefined && { parent_id: parentId }),
    ...(token !== undefined && { token }),
    ...(is !== 'there' && { is }),
  };
}
