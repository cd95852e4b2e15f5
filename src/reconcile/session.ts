// The journal of an apply: its lock, the facts from earlier runs, and this run's entries.

import { dirname } from 'node:path';
import { shortDigest } from '../core/digest.ts';
import { Failure } from '../core/failure.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import { replayJournal, type JournalState } from '../journal/replay.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { openJournal, type Journal } from '../journal/journal.ts';
import { unresolvedCreations } from '../plan/match/unread-kinds.ts';
import type { FileError } from '../platform/file-error.ts';
import { failBecause, failOnFileError } from '../platform/problem.ts';
import { notesOf } from './execution/noted.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Platform } from './platform.ts';
import { createJournalRecorder, seenObjects } from './execution/journal-recorder.ts';
import type { RunInput, RunOptions } from './run.ts';

export type JournalSession = ReturnType<typeof openJournalSession>;

/** Takes the lock and starts the run. Fails before any request. */
export function openJournalSession({ manifest, connection, options, platform: ports, emit }: RunInput) {
  const { stack } = manifest;
  const service = connection.baseUrl.href;
  const { journal: path, resolutions, capabilities } = options;
  failOnFileError(() => ports.files.prepareDirectory(dirname(path)));
  const run = ports.runName();
  const journal = openOrFail({ stack, service, ...ports.identity, path, run }, { ports, emit });
  const answers = resolutions.map((one): JournalEntry => ({ type: 'resolved', ...one }));
  const { value: before } = notesOf(journal.state, path);
  const { value: notes, diagnostics } = notesOf(replayJournal([...journal.previous, ...answers]), path);
  if (notes === undefined || before === undefined) {
    // If the lock stays, the next run takes it over.
    journal.close().catch(() => undefined);
    throw new Failure('error', diagnostics);
  }
  const stored = new Set(notes.stored);
  const failed: { intent?: FileError; outcome?: FileError } = {};
  const filled = new Map<string, string>();
  const record = createJournalRecorder(journal, { stored, filled }, (what, error) => {
    failed[what] = error;
  });
  let seen: Omit<Parameters<typeof seenObjects>[1], 'capabilities'> | undefined;
  return {
    journal,
    runName: shortDigest(run),
    record,
    /** Objects recorded by earlier runs; those answered to be absent are read all the same, because they may be in the way. */
    expectedObjects: [
      ...new Map([...notes.expectedObjects, ...before.expectedObjects].map((one) => [one.id, one])).values(),
    ],
    /** Ids of objects whose returned-once value was stored in its file, by earlier runs or this one. */
    stored,
    /** By address, the object whose value this run last wrote to the file. */
    filled,
    /** What earlier runs recorded about objects that may be missing. */
    view: notes.view,
    /** Records the answers of `--resolve` once nothing stops the run: otherwise they must not bind the journal. */
    noteResolutions: async () => {
      for (const { address, as } of resolutions) await journal.resolved(address, as).catch(failBecause);
    },
    /** Records the live state: the last read counts if the run has a good end. */
    observe: (snapshot: Snapshot, manifest: Manifest) => {
      seen = { snapshot, manifest };
    },
    /** `isWhole`: nothing was left to do anywhere in the stack, also not outside a saved plan. */
    end: (outcome: RunOutcome, isWhole = true) => {
      const code = EXIT_CODES[outcome];
      const { state } = journal;
      if (code !== 0 || !isWhole || options.targets.length > 0 || seen === undefined) return journal.end(String(code));
      const objects = seenObjects(state, { ...seen, capabilities });
      // With `--recreate`, what the journal knew and the service lacks is forgotten, also when nothing had to be done.
      const isNews = isOpen(state) || options.recreate === true || objects.some(({ is }) => is === 'gone');
      return journal.end(String(code), isNews ? objects : undefined);
    },
    /** Why an intent could not be written, so that its request was not sent. */
    unwritten: () => failed.intent,
    /** Why the last outcome could not be written; a later entry may have included it. */
    late: () => failed.outcome,
  };
}

/** True when the last good end does not say everything that the journal knows. */
function isOpen({ hasNews, objects }: JournalState): boolean {
  return hasNews || [...objects.values()].some(({ is }) => is === 'leaving');
}

/** The locked journal, or a failure. */
function openOrFail(
  named: Omit<Parameters<typeof openJournal>[0], 'files' | 'now'>,
  { ports, emit }: { readonly ports: Platform; readonly emit: RunInput['emit'] },
): Journal {
  const options = { ...named, files: ports.journalFiles, now: ports.wallTime };
  const { value: journal, diagnostics } = failOnFileError(() => openJournal(options));
  if (journal === undefined) throw new Failure('error', diagnostics);
  for (const { code, message } of diagnostics) emit({ type: 'warning', message, code });
  return journal;
}

/**
 * What earlier runs may have created and must be resolved before any creation: the milliseconds until absence counts, and kinds
 * that cannot be listed, which only a person can resolve.
 */
export function findUnresolved(
  journal: Pick<Journal, 'state'>,
  { resolutions, settleMs, capabilities }: Pick<RunOptions, 'resolutions' | 'settleMs' | 'capabilities'>,
  wallTime: Platform['wallTime'],
) {
  const settled = new Set(resolutions.map(({ address }) => address));
  const open = [...journal.state.creations.values()].flat().filter(({ address }) => !settled.has(address));
  const now = Date.parse(wallTime());
  const waits = open.map(({ at }) => {
    const age = now - Date.parse(at);
    // A clock that was set back cannot tell how long ago it was.
    return age >= 0 ? Math.max(0, settleMs - age) : settleMs;
  });
  const addresses = new Set(open.map(({ address }) => address));
  const problems = unresolvedCreations(addresses, capabilities);
  return { waitMs: Math.max(0, ...waits), problems };
}
