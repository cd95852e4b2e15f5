// The journal of a run: its intents and their outcomes, each on disk before its promise resolves.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import type { Files } from '../platform/files.ts';
import type { ProcessIdentity } from '../platform/process-identity.ts';
import { accountsIn, compactAccounts, newAccount, type AccountEntries } from './accounts.ts';
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
import { createLog, type Log } from './log.ts';
import { parseJournal } from './parse.ts';
import { replayJournal, type JournalState } from './replay.ts';

/** A larger file (in characters) is compacted at the start of a run. */
const LARGE = 1024 * 1024;

export interface JournalOptions extends ProcessIdentity, Pick<BeginEntry, 'run' | 'stack' | 'service'> {
  readonly path: string;
  readonly files: Files;
  /** Wall time, ISO 8601 in UTC. */
  readonly now: () => string;
}

/** A new entry, with the program's own names. */
type JournalWrite = Pick<IntentEntry, 'address' | 'kind' | 'method' | 'path' | 'replaces'> & {
  readonly live_id: string | null;
  readonly parentId: string | null;
  readonly fields?: readonly string[];
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
  const accounts = accountsIn(previous);
  const account = accounts.at(-1)?.account ?? 1;
  const begun: BeginEntry = { type: 'begin', v: JOURNAL_VERSION, run, stack, service, at: options.now() };
  const first = beginIn(begun, account);
  const kept = text !== undefined && text.length > LARGE ? compactAccounts(previous) : previous;
  const log = createLog(options, { kept, first });
  return { value: journalOf(options, { log, first }, release, accounts), diagnostics: found.diagnostics };
}

function beginIn({ account: _, ...begun }: BeginEntry, account: number): BeginEntry {
  return account === 1 ? begun : { ...begun, account };
}

function mismatch({ path, stack, service }: JournalOptions, other: BeginEntry): Diagnostic {
  const theirs = `stack ${JSON.stringify(other.stack)} at ${JSON.stringify(other.service)}`;
  const ours = `stack ${JSON.stringify(stack)} at ${JSON.stringify(service)}`;
  const message = `${JSON.stringify(path)} is the journal of ${theirs}, but this run is for ${ours}`;
  return { code: 'journal-mismatch', severity: 'error', message, fix: 'choose another file with --journal FILE' };
}

/** The journal of a run. Every function fails with `FileError` if its entry did not reach the disk; entries are written in call order. */
export interface Journal {
  /** What earlier runs left, by account; the newest is the last. */
  readonly accounts: readonly AccountEntries[];
  /** What follows from that of the account of this run, the newest until it enters another one, and from this run's entries. */
  readonly state: JournalState;
  /** From now on the entries are about this account, or, without one, about an account that no earlier run knew. */
  readonly enter: (account?: AccountEntries) => void;
  /** Facts that are not on disk; the caller prints them before it ends. */
  readonly unsaved: () => readonly JournalEntry[];
  /** How many writes of this run are on disk as intended. */
  readonly intents: () => number;
  /** Called before the request is sent; returns the number for its outcome. */
  readonly intent: (write: JournalWrite) => Promise<number>;
  readonly outcome: (n: number, result: Pick<OutcomeEntry, 'status' | 'live_id' | 'untaken'>) => Promise<void>;
  /** A returned-once value was stored in its file. */
  readonly stored: (address: string, live_id: string) => Promise<void>;
  /** How the open writes of an address were resolved. */
  readonly resolved: (address: string, as: ResolvedEntry['as']) => Promise<void>;
  /** `objects`: all of the stack's, after a run that saw the whole stack and left nothing to do. */
  readonly end: (result: string, objects?: EndEntry['objects']) => Promise<void>;
  /**
   * Releases the lock after pending writes; needed even after `end`. From then on every other function fails, including an
   * intent that is on its way to the disk, so that a step still under way sends nothing more and its late answer is not used.
   */
  readonly close: () => Promise<void>;
}

/**
 * A failed fact stays in `unsaved`, and the next entry rewrites the whole file, unless its values have an invalid form. A failed
 * intent is forgotten, because its request must not be sent.
 */
function journalOf(
  options: JournalOptions,
  { log: file, first }: { readonly log: Log; readonly first: BeginEntry },
  release: () => void,
  accounts: readonly AccountEntries[],
): Journal {
  const { run } = options;
  let state = replayJournal(accounts.at(-1)?.entries ?? []);
  let entered = first.account ?? 1;
  const { log, beginAgain } = lazyBegin(file);
  let last = 0;
  let saved = 0;
  // A fact is true even if it cannot be written.
  const fact = (entry: JournalEntry) => {
    replayJournal([entry], state);
    return log.add(entry, true);
  };
  return {
    accounts,
    get state() {
      return state;
    },
    enter: (account) => {
      const number = account?.account ?? newAccount(accounts);
      if (number === entered) return;
      entered = number;
      state = replayJournal(account?.entries ?? []);
      beginAgain(beginIn(first, number));
    },
    unsaved: log.unsaved,
    intents: () => saved,
    intent: async (write) => {
      last += 1;
      const entry = intentEntry(write, { n: last, run, at: options.now() });
      await log.add(entry);
      saved += 1;
      replayJournal([entry], state);
      return entry.n;
    },
    outcome: (n, result) => fact({ type: 'outcome', n, ...result }),
    stored: (address, live_id) => fact({ type: 'stored', address, live_id }),
    resolved: (address, as) => fact({ type: 'resolved', address, as }),
    end: (result, objects) => fact({ type: 'end', run, result, ...(objects !== undefined && { objects }) }),
    close: async () => {
      await log.close();
      release();
    },
  };
}

/** A log in which the begin of another account waits for the first line that follows it. */
function lazyBegin(file: Log): { readonly log: Log; readonly beginAgain: (begin: BeginEntry) => void } {
  let begin: BeginEntry | undefined;
  const add: Log['add'] = (entry, isTrue) => {
    // A run that recorded nothing leaves the newest account as it was.
    const isNothing = entry.type === 'end' && entry.objects === undefined;
    // The entry fails as this one does.
    if (begin !== undefined && !isNothing) file.add(begin, true).catch(() => undefined);
    begin = undefined;
    return file.add(entry, isTrue);
  };
  return {
    log: { ...file, add },
    beginAgain: (next) => {
      begin = next;
    },
  };
}

function intentEntry(write: JournalWrite, begun: Pick<IntentEntry, 'n' | 'run' | 'at'>): IntentEntry {
  const { live_id, parentId, address, kind, method, path, replaces, fields, releases, foreign } = write;
  return {
    type: 'intent',
    ...begun,
    address,
    kind,
    method,
    path,
    live_id,
    parent_id: parentId,
    ...(replaces !== undefined && { replaces }),
    ...(fields !== undefined && fields.length > 0 && { fields: fields.join(' ') }),
    ...(releases === true && { releases }),
    ...(foreign === true && { foreign }),
  };
}
