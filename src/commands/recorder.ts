// Notes for the journal while a run writes: what must be on the disk before a request, and what may be late.

import type { Recorder } from '../apply/ports.ts';
import { FileError } from '../files/error.ts';
import type { End } from '../journal/entry.ts';
import type { Journal } from '../journal/journal.ts';
import type { Standing } from '../live/ownership.ts';
import { claimsOf, ownershipIn } from '../live/ownership.ts';
import type { LiveResource, Snapshot } from '../live/snapshot.ts';

/** Intents must reach the disk before a request is sent; outcomes that do not are kept, and shown at the end. */
export function recorderOf(
  journal: Journal,
  { stored, filled }: { readonly stored: Set<string>; readonly filled: Map<string, string> },
  fail: (what: 'intent' | 'outcome', error: FileError) => void,
): Recorder {
  const keep = (note: () => void) => {
    try {
      note();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      fail('outcome', error);
    }
  };
  return {
    intent: (intent) => {
      try {
        return journal.intent(intent);
      } catch (error) {
        if (error instanceof FileError) fail('intent', error);
        throw error;
      }
    },
    outcome: (number, status, liveId) => {
      keep(() => {
        journal.outcome(number, { status, ...(liveId !== null && { liveId }) });
      });
    },
    stored: (address, liveId) => {
      stored.add(liveId);
      filled.set(address, liveId);
      keep(() => {
        journal.stored(address, liveId);
      });
    },
  };
}

/** What became of objects that earlier runs had begun to delete or release, as far as this run has seen. */
export interface Look {
  readonly take: (snapshot: Snapshot) => void;
  /** Those that were not there, or not the stack's, when it was looked last. */
  readonly gone: () => Pick<End, 'gone'>;
}

/** What is there and is this, is not the stack's any more; a marker that cannot be read may be. */
const GONE: readonly Standing['is'][] = ['foreign', 'unowned'];

export function lookFor(leaving: ReadonlySet<string>, stack: string): Look {
  let gone: readonly string[] = [];
  return {
    take: ({ resources }) => {
      const { of } = ownershipIn(claimsOf(stack), resources);
      const isNobodys = (live: LiveResource) => GONE.includes(of(live).is);
      const kept = resources.filter((live) => leaving.has(live.id) && !isNobodys(live)).map(({ id }) => id);
      gone = [...leaving].filter((id) => !kept.includes(id));
    },
    gone: () => (gone.length === 0 ? {} : { gone }),
  };
}
