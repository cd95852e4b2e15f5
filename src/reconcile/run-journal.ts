// The journal of an apply: its lock, the facts from earlier runs, and this run's entries.

import { dirname } from 'node:path';
import { shortDigest } from '../core/digest.ts';
import { Failure } from '../core/failure.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import { STARTED_BY_NOBODY, type RunIdentity } from '../core/run-record.ts';
import type { Recorder } from '../apply/recorder.ts';
import type { JournalState } from '../journal/replay.ts';
import type { ObjectAtEnd } from '../journal/entry.ts';
import { openJournal, type Journal, type JournalOptions } from '../journal/journal.ts';
import { isMadeBy, type JournalView } from '../plan/journal-view.ts';
import type { PlanOptions } from '../plan/plan-options.ts';
import { unresolvedCreations } from '../plan/match/unread-kinds.ts';
import type { FileError } from '../platform/file-error.ts';
import { failBecause, failOnFileError } from '../platform/problem.ts';
import { answersOf, notesFor, notesOfEach, type Notes } from './execution/noted.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Platform } from './platform.ts';
import { createJournalRecorder } from './execution/journal-recorder.ts';
import { objectsAtEnd, type LastRead } from './execution/objects-at-end.ts';
import type { ExpectedObject } from './execution/run-effects.ts';
import type { RunInput, RunOptions } from './run.ts';

/** Takes the lock and starts the run. Fails before any request. */
export function openRunJournal(given: RunInput): RunJournal {
  const { manifest, connection, options, platform: ports, emit, startedBy = STARTED_BY_NOBODY } = given;
  const { stack } = manifest;
  const service = connection.baseUrl.href;
  const { journal: path } = options;
  failOnFileError(() => ports.files.prepareDirectory(dirname(path)));
  const run = ports.runName();
  const identity = { id: run, began: ports.wallTime(), ...startedBy };
  const journal = openOrFail({ stack, service, ...ports.identity, path, run }, { ports, emit });
  const { value: before } = notesOfEach(journal.accounts, { path, stack });
  const { value: notes, diagnostics } = notesOfEach(journal.accounts, { path, stack }, answersOf(options));
  if (notes === undefined || before === undefined) {
    // If the lock stays, the next run takes it over.
    journal.close().catch(() => undefined);
    throw new Failure('error', diagnostics);
  }
  return new RunJournal({ journal, identity, options, notes, before });
}

interface OpenedJournal {
  readonly journal: Journal;
  readonly identity: RunIdentity;
  readonly options: RunOptions;
  /** What earlier runs recorded, with the answers of `--resolve`, and without them. */
  readonly notes: readonly Notes[];
  readonly before: readonly Notes[];
}

const NOTHING: JournalView = { objects: new Map(), creating: new Set(), runs: new Set(), unfinished: new Set() };

/** The journal of one run. */
export class RunJournal {
  readonly journal: Journal;
  readonly identity: RunIdentity;
  /** The run's name in markers. */
  readonly runName: string;
  readonly record: Recorder;
  /** Ids of objects whose returned-once value was stored in its file, by earlier runs or this one. */
  readonly stored: ReadonlySet<string>;
  /** True once it is known which account this is. */
  hasAccount: boolean;
  /** By address, the object whose value this run last wrote to the file. */
  readonly filled: ReadonlyMap<string, string>;
  readonly #stored: Set<string>;
  readonly #notes: OpenedJournal['notes'];
  readonly #before: OpenedJournal['before'];
  /** The place of the account of this run among those of the journal. */
  #account: number;
  /** True in an account that no earlier run knew. */
  #isNew = false;
  readonly #options: RunOptions;
  readonly #failed: { intent?: FileError; outcome?: FileError } = {};
  #lastRead: LastRead | undefined;

  constructor({ journal, identity, options, notes, before }: OpenedJournal) {
    const stored = new Set(notes.at(-1)?.stored);
    const filled = new Map<string, string>();
    this.#notes = notes;
    this.#before = before;
    this.#account = notes.length - 1;
    this.#stored = stored;
    this.hasAccount = notes.length < 2;
    this.journal = journal;
    this.identity = identity;
    this.runName = shortDigest(identity.id);
    this.stored = stored;
    this.filled = filled;
    this.#options = options;
    this.record = createJournalRecorder(journal, { stored, filled }, (what, error) => {
      this.#failed[what] = error;
    });
  }

  /** What earlier runs recorded about objects that may be missing. */
  get view(): JournalView {
    return this.#notes[this.#account]?.view ?? NOTHING;
  }

  /**
   * Objects recorded by earlier runs, of every account until it is known which one this is; those answered to be absent are read all
   * the same, because they may be in the way.
   */
  get expectedObjects(): readonly ExpectedObject[] {
    const all = [...this.#notes, ...this.#before];
    const own = [this.#notes[this.#account], this.#before[this.#account]];
    const expected = (this.hasAccount ? own : all).flatMap((one) => one?.expectedObjects ?? []);
    return [...new Map(expected.map((object) => [object.id, object])).values()];
  }

  /** The first read of the live state shows which account this is. */
  choose(read: Snapshot): void {
    if (this.hasAccount) return;
    this.hasAccount = true;
    const chosen = notesFor(this.#before, read);
    this.#account = this.#before.findIndex((one) => one === chosen);
    this.journal.enter(this.journal.accounts[this.#account]);
    this.#stored.clear();
    for (const id of this.#notes[this.#account]?.stored ?? []) this.#stored.add(id);
  }

  /** Where nothing is alive of what the journal knows, this run is the first one of an account, as far as anybody can tell. */
  beginAccount(read: Snapshot): void {
    const { objects } = this.view;
    const isAlive = (id: string) => read.whole?.byId.has(id) === true || read.resources.some((live) => live.id === id);
    const isExpected = [...objects.values()].some(({ isGone }) => isGone !== true);
    const isOwn = (live: LiveResource) => isMadeBy(this.view, live);
    if (!isExpected || [...objects.keys()].some(isAlive) || read.resources.some(isOwn)) return;
    this.journal.enter();
    this.#isNew = true;
  }

  /** Records the answers of `--resolve` once nothing stops the run: otherwise they must not bind the journal. */
  async noteResolutions(): Promise<void> {
    for (const { address, as } of this.#options.resolutions)
      await this.journal.resolved(address, as).catch(failBecause);
  }

  /** Remembers the live state: the last read counts if the run has a good end. */
  observe(snapshot: Snapshot, manifest: Manifest): void {
    this.#lastRead = { snapshot, manifest };
  }

  /** `isWhole`: nothing was left to do anywhere in the stack, also not outside a saved plan. */
  end(outcome: RunOutcome, isWhole = true): Promise<void> {
    const isGood = EXIT_CODES[outcome] === 0 && isWhole && this.#options.targets.length === 0;
    return this.journal.end(String(EXIT_CODES[outcome]), isGood ? this.#objectsAtEnd() : undefined);
  }

  /** All objects of the stack, if they are not what the last good end says. */
  #objectsAtEnd(): readonly ObjectAtEnd[] | undefined {
    if (this.#lastRead === undefined) return undefined;
    const { state } = this.journal;
    const objects = objectsAtEnd(state, this.#lastRead, this.#options.capabilities);
    const isNews = isOpen(state) || this.#isNew || objects.some(isNewlyGone);
    return isNews ? objects : undefined;
  }

  /** True when the run recorded that it was about to write something. */
  hasWritten(): boolean {
    return this.journal.intents() > 0;
  }

  /** Why an intent could not be written, so that its request was not sent. */
  unwritten(): FileError | undefined {
    return this.#failed.intent;
  }

  /** Why the last outcome could not be written; a later entry may have included it. */
  late(): FileError | undefined {
    return this.#failed.outcome;
  }
}

/** True when the last good end does not say everything that the journal knows. */
function isOpen({ hasNews, objects }: JournalState): boolean {
  return hasNews || [...objects.values()].some(({ is }) => is === 'leaving');
}

/** What was released stays in the journal while it is there. */
function isNewlyGone({ is, released }: ObjectAtEnd): boolean {
  return is === 'gone' && released !== true;
}

/** The locked journal, or a failure. */
function openOrFail(
  named: Omit<JournalOptions, 'files' | 'now'>,
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
  { state }: Pick<Journal, 'state'>,
  options: Pick<RunOptions, 'resolutions' | 'settleMs' | 'capabilities'> & Pick<PlanOptions, 'entry'>,
  wallTime: Platform['wallTime'],
) {
  const { resolutions, settleMs } = options;
  const settled = new Set(resolutions.map(({ address }) => address));
  const open = [...state.creations.values()].flat().filter(({ address }) => !settled.has(address));
  const now = Date.parse(wallTime());
  const waits = open.map(({ at }) => {
    const age = now - Date.parse(at);
    // A clock that was set back cannot tell how long ago it was.
    return age >= 0 ? Math.max(0, settleMs - age) : settleMs;
  });
  const addresses = new Set(open.map(({ address }) => address));
  const problems = unresolvedCreations(addresses, options);
  return { waitMs: Math.max(0, ...waits), problems };
}
