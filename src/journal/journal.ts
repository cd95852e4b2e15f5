// The journal of a run: what it is about to do and what came of it, each on the disk before its promise resolves.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import type { Json } from '../core/json.ts';
import type { Files } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import { boundElsewhere } from './binding.ts';
import { compact } from './compact.ts';
import {
  bodyDigest,
  JOURNAL_VERSION,
  type BeginEntry,
  type EndEntry,
  type JournalEntry,
  type IntentEntry,
  type ResolvedEntry,
  type OutcomeEntry,
} from './entry.ts';
import { takeLock } from './lock.ts';
import { createLog, type Log } from './log.ts';
import { parseJournal } from './parse.ts';

/** A file above this many characters is rewritten at the start of a run. */
const LARGE = 1024 * 1024;

export interface JournalOptions extends ProcessIdentity, Pick<BeginEntry, 'run' | 'stack' | 'service' | 'fingerprint'> {
  readonly path: string;
  readonly files: Files;
  /** Wall time, ISO 8601 in UTC. */
  readonly now: () => string;
}

/** An entry to be, by the names of the program. */
type JournalWrite = Pick<IntentEntry, 'step' | 'address' | 'kind' | 'method' | 'path' | 'replaces'> & {
  readonly liveId: string | null;
  readonly parentId: string | null;
  /** As the plan has it, with placeholders for secrets; kept as a digest. */
  readonly body?: Json;
  readonly releases?: boolean;
};

/** Takes the lock, reads what is there, and begins the run on the disk. Throws `FileError`. */
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
      // The error that is under way says more. The process ends, and the next run takes the lock over.
    }
    throw error;
  }
}

function begin(options: JournalOptions, release: () => void): Result<Journal> {
  const { path, files, run, stack, service, fingerprint } = options;
  const text = files.read(path);
  const found = text === undefined ? { value: [], diagnostics: [] } : parseJournal(text, path);
  const previous = found.value;
  if (previous === undefined) return { diagnostics: found.diagnostics };
  const other = boundElsewhere(previous, options);
  if (other !== undefined) return { diagnostics: [mismatch(options, other)] };
  const first: BeginEntry = { type: 'begin', v: JOURNAL_VERSION, run, stack, service, fingerprint, at: options.now() };
  const kept = text !== undefined && text.length > LARGE ? compact(previous) : previous;
  const log = createLog(options, { kept, found: text, first });
  return { value: journalOf(options, log, release, previous), diagnostics: found.diagnostics };
}

function mismatch({ path, stack, service }: JournalOptions, other: BeginEntry): Diagnostic {
  const theirs = `stack ${JSON.stringify(other.stack)} at ${JSON.stringify(other.service)}`;
  const ours = `stack ${JSON.stringify(stack)} at ${JSON.stringify(service)}`;
  const message = `${JSON.stringify(path)} is the journal of ${theirs}, but this run is for ${ours}`;
  return { code: 'journal-mismatch', severity: 'error', message, fix: 'choose another file with --journal FILE' };
}

export type Journal = ReturnType<typeof journalOf>;

/**
 * Every function fails with `FileError` when the entry did not reach the disk; entries are written in the order of the calls. What
 * is known stays in `unsaved`, and the next entry writes the whole file anew, but for one whose values do not have the form of
 * an entry; an intent that failed is forgotten, because its request must not be sent.
 */
function journalOf({ run, now }: JournalOptions, log: Log, release: () => void, previous: readonly JournalEntry[]) {
  let last = 0;
  return {
    /** What earlier runs left. */
    previous,
    /** Entries that are true and not on the disk; a caller shows them before it ends. */
    unsaved: log.unsaved,
    /** Before the request is sent; gives the number for its outcome. */
    intent: async (write: JournalWrite): Promise<number> => {
      const { liveId, parentId, body, step, address, kind, method, path, replaces, releases } = write;
      last += 1;
      const n = last;
      const digest = body === undefined ? null : bodyDigest(body, run);
      await log.add({
        type: 'intent',
        n,
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
      return n;
    },
    outcome: (n: number, { status, liveId }: { readonly status: OutcomeEntry['status']; readonly liveId?: string }) =>
      log.add({ type: 'outcome', n, status, ...(liveId !== undefined && { live_id: liveId }) }, true),
    /** A value shown once has reached its file. */
    stored: (address: string, liveId: string) => log.add({ type: 'stored', address, live_id: liveId }, true),
    /** What the open writes of an address came to. */
    resolved: (address: string, as: ResolvedEntry['as']) => log.add({ type: 'resolved', address, as }, true),
    end: (result: string, seen?: Omit<EndEntry, 'type' | 'run' | 'result'>) =>
      log.add({ type: 'end', run, result, ...seen }, true),
    /**
     * Releases the lock, once what is being written has been; also needed after `end`. The journal takes nothing from here on:
     * every other function fails, also an intent that was on its way to the disk, so that a step that is still under way sends
     * nothing more and its late answer is not used.
     */
    close: async () => {
      await log.close();
      release();
    },
  };
}
