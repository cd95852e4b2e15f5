// The journal of a run: its intents and their outcomes, each on disk before its promise resolves.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import type { Files } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import { boundElsewhere } from './binding.ts';
import {
  JOURNAL_VERSION,
  type BeginEntry,
  type EndEntry,
  type JournalEntry,
  type IntentEntry,
  type ResolvedEntry,
  type OutcomeEntry,
} from './entry.ts';
import { takeLock } from './lock.ts';
import { createLog } from './log.ts';
import { parseJournal } from './parse.ts';
import { compact, replayJournal } from './replay.ts';

/** A larger file (in characters) is compacted at the start of a run. */
const LARGE = 1024 * 1024;

interface JournalOptions extends ProcessIdentity, Pick<BeginEntry, 'run' | 'stack' | 'service'> {
  readonly path: string;
  readonly files: Files;
  /** Wall time, ISO 8601 in UTC. */
  readonly now: () => string;
}

/** A new entry, with the program's own names. */
type JournalWrite = Pick<IntentEntry, 'address' | 'kind' | 'method' | 'path' | 'replaces'> & {
  readonly liveId: string | null;
  readonly parentId: string | null;
  readonly releases?: boolean;
  readonly foreign?: boolean;
};

/** Takes the lock, reads the journal, and records the start of the run. Throws `FileError`. */
export function openJournal(options: JournalOptions): Result<Journal> {
  const { path, files, run } = options;
  const { value: release, diagnostics } = takeLock(`${path}.lock`, files, { ...options, run, since: options.now() });
  if (release === undefined) return { diagnostics };
  try {
    const opened = begin(options, release);
    if (opened.value === undefined) release();
    return opened;
  } catch (error) {
    try {
      release();
    } catch {
      // The current error is more important. The process ends, and the next run takes the lock over.
    }
    throw error;
  }
}

function begin(options: JournalOptions, release: () => void): Result<Journal> {
  const { path, files, run, stack, service } = options;
  const text = files.read(path);
  const found = text === undefined ? { value: [], diagnostics: [] } : parseJournal(text, path);
  const previous = found.value;
  if (previous === undefined) return { diagnostics: found.diagnostics };
  const other = boundElsewhere(previous, options);
  if (other !== undefined) return { diagnostics: [mismatch(options, other)] };
  const first: BeginEntry = { type: 'begin', v: JOURNAL_VERSION, run, stack, service, at: options.now() };
  const kept = text !== undefined && text.length > LARGE ? compact(previous) : previous;
  const log = createLog(options, { kept, first });
  return { value: journalOf(options, log, release, previous), diagnostics: found.diagnostics };
}

function mismatch({ path, stack, service }: JournalOptions, other: BeginEntry): Diagnostic {
  const theirs = `stack ${JSON.stringify(other.stack)} at ${JSON.stringify(other.service)}`;
  const ours = `stack ${JSON.stringify(stack)} at ${JSON.stringify(service)}`;
  const message = `${JSON.stringify(path)} is the journal of ${theirs}, but this run is for ${ours}`;
  return { code: 'journal-mismatch', severity: 'error', message, fix: 'choose another file with --journal FILE' };
}

export type Journal = ReturnType<typeof journalOf>;

type Log = ReturnType<typeof createLog>;

/**
 * Every function fails with `FileError` if its entry did not reach the disk; entries are written in call order. A failed fact
 * stays in `unsaved`, and the next entry rewrites the whole file, unless its values have an invalid form. A failed intent is
 * forgotten, because its request must not be sent.
 */
function journalOf({ run, now }: JournalOptions, log: Log, release: () => void, previous: readonly JournalEntry[]) {
  let last = 0;
  const state = replayJournal(previous);
  // A fact is true even if it cannot be written.
  const fact = (entry: JournalEntry) => {
    replayJournal([entry], state);
    return log.add(entry, true);
  };
  return {
    /** What earlier runs left. */
    previous,
    /** What follows from it and from this run's entries. */
    state,
    /** Facts that are not on disk; the caller prints them before it ends. */
    unsaved: log.unsaved,
    /** Called before the request is sent; returns the number for its outcome. */
    intent: async (write: JournalWrite): Promise<number> => {
      const { liveId, parentId, address, kind, method, path, replaces, releases, foreign } = write;
      last += 1;
      const n = last;
      const entry: IntentEntry = {
        type: 'intent',
        n,
        run,
        address,
        kind,
        method,
        path,
        live_id: liveId,
        parent_id: parentId,
        at: now(),
        ...(replaces !== undefined && { replaces }),
        ...(releases === true && { releases }),
        ...(foreign === true && { foreign }),
      };
      await log.add(entry);
      replayJournal([entry], state);
      return n;
    },
    outcome: (n: number, { status, liveId }: { readonly status: OutcomeEntry['status']; readonly liveId?: string }) =>
      fact({ type: 'outcome', n, status, ...(liveId !== undefined && { live_id: liveId }) }),
    /** A returned-once value was stored in its file. */
    stored: (address: string, liveId: string) => fact({ type: 'stored', address, live_id: liveId }),
    /** How the open writes of an address were resolved. */
    resolved: (address: string, as: ResolvedEntry['as']) => fact({ type: 'resolved', address, as }),
    /** `objects`: all of the stack's, after a run that saw the whole stack and left nothing to do. */
    end: (result: string, objects?: EndEntry['objects']) =>
      fact({ type: 'end', run, result, ...(objects !== undefined && { objects }) }),
    /**
     * Releases the lock after pending writes; needed even after `end`. From then on every other function fails, including an
     * intent that is on its way to the disk, so that a step still under way sends nothing more and its late answer is not used.
     */
    close: async () => {
      await log.close();
      release();
    },
  };
}
