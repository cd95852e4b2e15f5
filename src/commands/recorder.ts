// Notes for the journal while a run writes: what must be on the disk before a request, and what may be late.

import type { Recorder } from '../apply/ports.ts';
import { FileError } from '../files/error.ts';
import type { Journal } from '../journal/journal.ts';

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
