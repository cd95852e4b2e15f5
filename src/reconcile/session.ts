// The journal of an apply: its lock, what earlier runs left in it, and how this run writes to it.

import { dirname } from 'node:path';
import { shortDigest } from '../core/digest.ts';
import { Failure } from '../core/failure.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import { replayJournal, knownIds, leavingIds } from '../journal/replay.ts';
import { openJournal, type Journal, type JournalOptions } from '../journal/journal.ts';
import { unresolvedCreations } from '../plan/match/unread-kinds.ts';
import type { FileError } from '../platform/file-error.ts';
import { publishNames } from '../platform/filter.ts';
import { failBecause, failOnFileError } from '../platform/problem.ts';
import { notesOf } from './execution/noted.ts';
import type { Platform } from './platform.ts';
import { createObserver, createJournalRecorder } from './execution/journal-recorder.ts';
import type { RunInput, RunOptions } from './run.ts';

export type JournalSession = ReturnType<typeof openJournalSession>;

/** Takes the lock and begins. Fails before anything is asked of the service. */
export function openJournalSession({ manifest, connection, options, platform: ports, emit }: RunInput) {
  const { stack, digest: fingerprint } = manifest;
  const service = connection.baseUrl.href;
  const { journal: path, resolutions, capabilities } = options;
  const { host: machine, bootId, birth } = ports.identity;
  publishNames(() => [machine, bootId, birth]);
  failOnFileError(() => ports.files.prepareDirectory(dirname(path)));
  const run = ports.runName();
  const journal = openOrFail({ ...{ stack, service, fingerprint }, ...ports.identity, path, run }, { ports, emit });
  const facts = replayJournal(journal.previous);
  // What is said to be absent is looked at all the same: it may stand in the way.
  const before = knownIds(facts);
  replayJournal(
    resolutions.map((one) => ({ type: 'resolved', ...one })),
    facts,
  );
  const { value: notes, diagnostics } = notesOf(facts, path, [...new Map([...before, ...knownIds(facts)])]);
  if (notes === undefined) {
    // A lock that stays is taken over by the next run.
    journal.close().catch(() => undefined);
    throw new Failure('error', diagnostics);
  }
  const stored = new Set(notes.stored);
  const failed: { intent?: FileError; outcome?: FileError } = {};
  const filled = new Map<string, string>();
  const record = createJournalRecorder(journal, { stored, filled }, (what, error) => {
    failed[what] = error;
  });
  const look = createObserver(leavingIds(facts), { stack, capabilities });
  return {
    journal,
    /** Names the run in the markers of what it creates. The name itself is the key of the journal's digests and stays in it. */
    runName: shortDigest(run),
    record,
    /** Objects that earlier runs noted. */
    expectedObjects: notes.expectedObjects,
    /** Ids of objects whose value that is shown once has reached its file, in earlier runs and in this one. */
    stored,
    /** By address, the object whose value this run wrote to the file last. */
    filled,
    /** What earlier runs noted of objects that may be missing. */
    view: notes.view,
    /** Writes what `--resolve` says, once nothing stops the run any more: what was said in vain must not bind the journal. */
    noteResolutions: async () => {
      for (const { address, as } of resolutions) await journal.resolved(address, as).catch(failBecause);
    },
    /** Takes note of what is there: the last look counts when the run comes to a good end. */
    observe: look.observe,
    end: (outcome: RunOutcome) => {
      const isPartial = options.targets.length > 0;
      return journal.end(String(EXIT_CODES[outcome]), { ...look.summary(), ...(isPartial && { partial: true }) });
    },
    /** Why an intent could not be written, so that its request was not sent. */
    unwritten: () => failed.intent,
    /** Why an outcome could not be written, the last time; a later entry may have brought it along. */
    late: () => failed.outcome,
  };
}

/** The journal under its lock, or a failure. */
function openOrFail(
  named: Omit<JournalOptions, 'files' | 'now'>,
  { ports, emit }: { readonly ports: Platform; readonly emit: RunInput['emit'] },
): Journal {
  const options = { ...named, files: ports.journalFiles, now: ports.wallTime };
  const { value: journal, diagnostics } = failOnFileError(() => openJournal(options));
  if (journal === undefined) throw new Failure('error', diagnostics);
  for (const { message } of diagnostics) emit({ type: 'warning', message });
  return journal;
}

/**
 * What has to be waited for, or asked, before anything is created: milliseconds until the absence would count of what earlier
 * runs may have created, and those of kinds that cannot be listed, of which only a person can say.
 */
export function findUnresolved(
  journal: Journal,
  { resolutions, settleMs, capabilities }: Pick<RunOptions, 'resolutions' | 'settleMs' | 'capabilities'>,
  wallTime: Platform['wallTime'],
) {
  const settled = new Set(resolutions.map(({ address }) => address));
  const open = [...replayJournal(journal.previous).open.values()].filter(
    ({ isCreate, intent }) => isCreate && !settled.has(intent.address),
  );
  const now = Date.parse(wallTime());
  const waits = open.map(({ intent }) => {
    const age = now - Date.parse(intent.at);
    // A clock that went backward tells nothing about how long ago it was.
    return age >= 0 ? Math.max(0, settleMs - age) : settleMs;
  });
  const addresses = new Set(open.map(({ intent }) => intent.address));
  const problems = unresolvedCreations(addresses, capabilities);
  return { waitMs: Math.max(0, ...waits), problems };
}
