// Records journal entries while a run writes: some must be on disk before a request, others may be late.

import type { Recorder } from '../../apply/recorder.ts';
import type { Capability } from '../../catalog/kind.ts';
import { isListable } from '../../catalog/lookup.ts';
import { FileError } from '../../platform/file-error.ts';
import type { EndEntry } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';
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

/** Tracks objects that a journal knows; `leaving` are kinds by the ids of objects with a started deletion or release. */
export function createObserver(
  leaving: ReadonlyMap<string, string>,
  { stack, capabilities }: { readonly stack: string; readonly capabilities: ReadonlySet<Capability> },
) {
  let found: Pick<EndEntry, 'gone' | 'unseen'> = {};
  const isListed = (id: string) => isListable(leaving.get(id) ?? '', capabilities);
  return {
    observe: ({ resources }: Snapshot, { removed }: Pick<Manifest, 'removed'>): void => {
      const { of } = ownershipIn(scopeOfStack(stack), resources);
      const there = new Set(resources.map(({ id }) => id));
      const missing = [...leaving.keys()].filter((id) => !there.has(id));
      const released = new Set(removed.flatMap(({ from, destroy }) => (destroy ? [] : [from])));
      const isReleased = ({ markerProblem }: LiveResource) => isUnder(markerProblem?.knownAs ?? '', released);
      const left = resources.filter((live) => (leaving.has(live.id) && GONE.includes(of(live).is)) || isReleased(live));
      const gone = [...missing.filter(isListed), ...left.map(({ id }) => id)];
      const unseen = missing.filter((id) => !isListed(id));
      found = { ...(gone.length > 0 && { gone }), ...(unseen.length > 0 && { unseen }) };
    },
    /** As of the last read. */
    summary: () => found,
  };
}
