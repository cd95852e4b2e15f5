// Records journal entries while a run writes: some must be on disk before a request, others may be late.

import type { Recorder } from '../../apply/recorder.ts';
import { FileError } from '../../platform/file-error.ts';
import type { Journal } from '../../journal/journal.ts';
import { untakenText } from '../../journal/replay.ts';

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
    outcome: (number, { status, live_id, untaken }) =>
      keep(
        journal.outcome(number, {
          status,
          ...(live_id !== null && { live_id }),
          ...(untaken !== undefined && untaken.size > 0 && { untaken: untakenText(untaken) }),
        }),
      ),
    stored: (address, live_id) => {
      stored.add(live_id);
      filled.set(address, live_id);
      return keep(journal.stored(address, live_id));
    },
  };
}
