// The journal of a run: what it is about to do and what came of it, each on the disk before the function returns.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import type { Json } from '../core/json.ts';
import { FileError, UNEXPECTED_VALUE } from '../platform/file-error.ts';
import type { Files } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import { boundElsewhere } from './binding.ts';
import { compact } from './compact.ts';
import type { BeginEntry, EndEntry, JournalEntry, IntentEntry, ResolvedEntry, WriteStatus } from './entry.ts';
import { bodyDigest, encodeEntry, encodeJournal, JOURNAL_VERSION } from './entry.ts';
import { findInvalidValue } from './check-values.ts';
import type { Lock } from './lock.ts';
import { takeLock } from './lock.ts';
import { parseJournal } from './parse.ts';

/** A file above this many characters is rewritten at the start of a run. */
const LARGE = 1024 * 1024;

export interface JournalOptions extends ProcessIdentity {
  readonly path: string;
  readonly files: Files;
  /** Random, new for every run. */
  readonly run: string;
  readonly stack: string;
  readonly service: string;
  /** Fingerprint of the plan. */
  readonly fingerprint: string;
  /** Wall time, ISO 8601 in UTC. */
  readonly now: () => string;
}

/** An entry to be, by the names of the program. */
export interface JournalWrite extends Pick<IntentEntry, 'step' | 'address' | 'kind' | 'method' | 'path' | 'replaces'> {
  readonly liveId: string | null;
  readonly parentId: string | null;
  /** As the plan has it, with placeholders for secrets; kept as a digest. */
  readonly body?: Json;
  readonly releases?: boolean;
}

/**
 * Every function throws `FileError` when the entry did not reach the disk. What is known stays in `unsaved`, and the next
 * entry writes the whole file anew, but for one whose values do not have the form of an entry; an intent that failed is
 * forgotten, because its request must not be sent.
 */
export interface Journal {
  /** What earlier runs left. */
  readonly previous: readonly JournalEntry[];
  /** Before the request is sent; gives the number for its outcome. */
  readonly intent: (write: JournalWrite) => number;
  readonly outcome: (n: number, what: { readonly status: WriteStatus; readonly liveId?: string }) => void;
  /** A value shown once has reached its file. */
  readonly stored: (address: string, liveId: string) => void;
  /** What the open writes of an address came to. */
  readonly resolved: (address: string, as: ResolvedEntry['as']) => void;
  readonly end: (result: string, seen?: Omit<EndEntry, 'type' | 'run' | 'result'>) => void;
  /** Entries that are true and not on the disk; a caller shows them before it ends. */
  readonly unsaved: () => readonly JournalEntry[];
  /**
   * Releases the lock; also needed after `end`. The journal takes nothing from here on: every other function throws, so that
   * a step that is still under way sends nothing more and its late answer is not used.
   */
  readonly close: () => void;
}

/** Takes the lock, reads what is there, and begins the run on the disk. Throws `FileError`. */
export function openJournal(options: JournalOptions): Result<Journal> {
  const { path, files, run } = options;
  const lock = takeLock(`${path}.lock`, files, { ...options, run, since: options.now() });
  if (lock.value === undefined) return { diagnostics: lock.diagnostics };
  try {
    const opened = begin(options, lock.value);
    if (opened.value === undefined) lock.value.release();
    return opened;
  } catch (error) {
    releaseQuietly(lock.value);
    throw error;
  }
}

/** The error that is under way says more. */
function releaseQuietly(lock: Lock): void {
  try {
    lock.release();
  } catch {
    // The process ends, and the next run takes the lock over.
  }
}

function begin(options: JournalOptions, lock: Lock): Result<Journal> {
  const { path, files, run, stack, service, fingerprint } = options;
  const text = files.read(path);
  const found = text === undefined ? { value: [], diagnostics: [] } : parseJournal(text, path);
  const previous = found.value;
  if (previous === undefined) return { diagnostics: found.diagnostics };
  const other = boundElsewhere(previous, options);
  if (other !== undefined) return { diagnostics: [mismatch(options, other)] };
  const first: BeginEntry = { type: 'begin', v: JOURNAL_VERSION, run, stack, service, fingerprint, at: options.now() };
  const kept = text !== undefined && text.length > LARGE ? compact(previous) : previous;
  const log = createLog(options, kept, text);
  log.add(first);
  return { value: journalOf(options, { log, lock, previous }), diagnostics: found.diagnostics };
}

function mismatch({ path, stack, service }: JournalOptions, other: BeginEntry): Diagnostic {
  const theirs = `stack ${JSON.stringify(other.stack)} at ${JSON.stringify(other.service)}`;
  const ours = `stack ${JSON.stringify(stack)} at ${JSON.stringify(service)}`;
  const message = `${JSON.stringify(path)} is the journal of ${theirs}, but this run is for ${ours}`;
  return { code: 'journal-mismatch', severity: 'error', message, fix: 'choose another file with --journal FILE' };
}

interface Log {
  /** Writes one entry. With `isTrue` it is kept although it could not be written. */
  readonly add: (entry: JournalEntry, isTrue?: boolean) => void;
  readonly unsaved: () => readonly JournalEntry[];
  readonly close: () => void;
}

/** The file, and all of its text, so that it can be written anew when an append left it in an unknown state. */
function createLog(
  { path, files }: Pick<JournalOptions, 'path' | 'files'>,
  kept: readonly JournalEntry[],
  found: string | undefined,
): Log {
  let { text, checksum } = encodeJournal(kept);
  // Also when there is no file yet: it then appears with its first line, and never without.
  let isAnew = text !== found;
  let isClosed = false;
  let unsaved: readonly JournalEntry[] = [];
  const refused: JournalEntry[] = [];
  return {
    unsaved: () => [...refused, ...unsaved],
    close: () => {
      isClosed = true;
    },
    add: (entry, isTrue = false) => {
      if (isClosed) throw new Error('the journal of this run is closed');
      const odd = findInvalidValue(entry);
      if (odd !== undefined) {
        // It will never be written, and the lines after it go on without it.
        if (isTrue) refused.push(entry);
        throw new FileError(path, `${UNEXPECTED_VALUE} at ${odd}`);
      }
      const line = encodeEntry(entry, checksum);
      try {
        if (isAnew) files.writeAtomic(path, text + line.text);
        else files.appendDurable(path, line.text);
        isAnew = false;
        unsaved = [];
      } catch (error) {
        isAnew = true;
        if (!isTrue) throw error;
        unsaved = [...unsaved, entry];
        text += line.text;
        checksum = line.checksum;
        throw error;
      }
      text += line.text;
      checksum = line.checksum;
    },
  };
}

interface Parts {
  readonly log: Log;
  readonly lock: Lock;
  readonly previous: readonly JournalEntry[];
}

function journalOf({ run, now }: JournalOptions, { log, lock, previous }: Parts): Journal {
  let last = 0;
  return {
    previous,
    unsaved: log.unsaved,
    intent: ({ liveId, parentId, body, step, address, kind, method, path, replaces, releases }) => {
      last += 1;
      const digest = body === undefined ? null : bodyDigest(body, run);
      log.add({
        type: 'intent',
        n: last,
        run,
        step,
        address,
        kind,
        method,
        path,
        live_id: liveId,
        parent_id: parentId,
        body_digest: digest,
        at: now(),
        ...(replaces !== undefined && { replaces }),
        ...(releases === true && { releases }),
      });
      return last;
    },
    outcome: (n, { status, liveId }) => {
      log.add({ type: 'outcome', n, status, ...(liveId !== undefined && { live_id: liveId }) }, true);
    },
    stored: (address, liveId) => {
      log.add({ type: 'stored', address, live_id: liveId }, true);
    },
    resolved: (address, as) => {
      log.add({ type: 'resolved', address, as }, true);
    },
    end: (result, seen) => {
      log.add({ type: 'end', run, result, ...seen }, true);
    },
    close: () => {
      log.close();
      lock.release();
    },
  };
}
