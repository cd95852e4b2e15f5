// Facts from the journal of earlier runs, for runs that only read. Takes no lock and changes nothing.

import { parseAddress } from '../../catalog/address.ts';
import { isId } from '../../catalog/id.ts';
import type { Diagnostic, Result } from '../../core/diagnostic.ts';
import { shortDigest } from '../../core/digest.ts';
import { accountsIn, livingAccount, type AccountEntries } from '../../journal/accounts.ts';
import { boundElsewhere } from '../../journal/binding.ts';
import type { BeginEntry, JournalEntry } from '../../journal/entry.ts';
import { notedObjects, replayJournal, type JournalState, type NotedObject } from '../../journal/replay.ts';
import { parseJournal } from '../../journal/parse.ts';
import { presentIn, type JournalView, type KnownObject } from '../../plan/journal-view.ts';
import { onFileError } from '../../platform/file-error.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import { failOnFileError } from '../../platform/problem.ts';
import type { ExpectedObject } from './run-effects.ts';
import type { Platform } from '../platform.ts';
import type { RunOptions } from '../run.ts';

/** Known objects from a journal, whether or not a list shows them. */
export interface Notes {
  readonly expectedObjects: readonly ExpectedObject[];
  /** Ids of objects whose returned-once value was stored in its file. */
  readonly stored: ReadonlySet<string>;
  readonly view: JournalView;
  readonly isSettled: boolean;
}

/** What earlier runs in one account recorded. */
export interface EarlierRuns extends Pick<Notes, 'expectedObjects' | 'stored'> {
  /** Undefined without a trustworthy journal. */
  readonly view: JournalView | undefined;
  /** A run there had a good end. */
  readonly isSettled?: boolean;
}

/** What a journal knows, account by account. */
export interface NotedAccounts {
  /** The newest is the last. */
  readonly accounts: readonly EarlierRuns[];
  /** Why an existing journal was not used. */
  readonly problem?: Diagnostic | undefined;
}

/** Without a journal. */
export const NO_NOTES: EarlierRuns = { expectedObjects: [], stored: new Set(), view: undefined };

/** What `--resolve` says, as a journal has it. */
export function answersOf({ resolutions }: Pick<RunOptions, 'resolutions'>): JournalEntry[] {
  return resolutions.map((answer) => ({ type: 'resolved', ...answer }));
}

/** The notes, with more entries after them; empty without a journal, or with one that is damaged or belongs to another stack or service. */
export function readNotes(
  path: string,
  owner: Pick<BeginEntry, 'stack' | 'service'>,
  { files }: Pick<Platform, 'files'>,
  more: readonly JournalEntry[] = [],
): NotedAccounts {
  return notesIn(
    failOnFileError(() => files.read(path)),
    path,
    owner,
    more,
  );
}

/** The notes in the text of a journal, if there is one, with more entries after them. */
export function notesIn(
  text: string | undefined,
  path: string,
  owner: Pick<BeginEntry, 'stack' | 'service'>,
  more: readonly JournalEntry[] = [],
): NotedAccounts {
  if (text === undefined) return { accounts: [] };
  const { value: entries, diagnostics } = parseJournal(text, path);
  if (entries === undefined) return { accounts: [], problem: diagnostics[0] };
  const other = boundElsewhere(entries, owner);
  if (other !== undefined) return { accounts: [], problem: notOurs(other) };
  const noted = notesOfEach(accountsIn(entries), { path, stack: owner.stack }, more);
  return noted.value === undefined ? { accounts: [], problem: noted.diagnostics[0] } : { accounts: noted.value };
}

/** The notes of each account, with more entries after them. */
export function notesOfEach(
  accounts: readonly AccountEntries[],
  of: Pick<BeginEntry, 'stack'> & { readonly path: string },
  more: readonly JournalEntry[] = [],
): Result<readonly Notes[]> {
  const found: Notes[] = [];
  for (const { account, entries } of accounts) {
    const { value, diagnostics } = notesOf(replayJournal([...entries, ...more]), of);
    if (value === undefined) return { diagnostics };
    const known = { account: { journal: of.path, number: account } };
    const expectedObjects = value.expectedObjects.map((one) => ({ ...one, ...(accounts.length > 1 && known) }));
    found.push({ ...value, expectedObjects });
  }
  return { value: found, diagnostics: [] };
}

/** What the account knows that the live state is of: an id is alive in its own account only. */
export function notesFor(accounts: readonly EarlierRuns[], { resources, whole }: Snapshot): EarlierRuns | undefined {
  const listed = new Set(accounts.length > 1 ? resources.map(({ id }) => id) : []);
  const isAlive = (id: string) => listed.has(id) || whole?.byId.has(id) === true;
  const idsOf = ({ view }: EarlierRuns) => ({ expected: presentIn(view).keys(), known: view?.objects.keys() ?? [] });
  const telling = accounts.filter(saysSomething);
  return livingAccount(telling.length === 0 ? accounts : telling, idsOf, isAlive);
}

/** Not one that was begun and whose writes all failed. */
function saysSomething({ view, isSettled }: EarlierRuns): boolean {
  return isSettled === true || (view !== undefined && view.objects.size + view.creating.size > 0);
}

/** Notes for a run; an error when an object has an address of no kind, or an id of another kind. */
export function notesOf(
  facts: JournalState,
  { path, stack }: { readonly path: string; readonly stack: string },
): Result<Notes> {
  const noted = notedObjects(facts);
  const expectedObjects = noted.flatMap(([id, { address, is }]): ExpectedObject[] => {
    const kind = parseAddress(address)?.kind;
    if (kind === undefined || !isId(kind, id)) return [];
    return [{ kind: kind.name, id, address, ...(is === 'gone' && { deletedBy: stack }) }];
  });
  if (expectedObjects.length < noted.length) return { diagnostics: [wrongIds(path)] };
  const stored = noted.flatMap(([id, { is, tokenStored }]) => (is !== 'gone' && tokenStored === true ? [id] : []));
  const isSettled = facts.settledBy !== undefined;
  return { value: { expectedObjects, stored: new Set(stored), view: viewOf(facts), isSettled }, diagnostics: [] };
}

/** A journal with impossible ids or addresses. */
function wrongIds(path: string): Diagnostic {
  const message = `${JSON.stringify(path)} has an address of no kind, or an id that its kind cannot have`;
  const fix = 'look for writes without an outcome in the file, check them by hand, then move the file away';
  return { code: 'journal-damaged', severity: 'error', message, fix };
}

/** A folder may be used for several services in turn, so this does not stop a plan. */
function notOurs({ stack, service }: BeginEntry): Diagnostic {
  const message = `the journal belongs to stack ${JSON.stringify(stack)} at ${JSON.stringify(service)}, so it was not used`;
  return { code: 'journal-mismatch', severity: 'warning', message, fix: 'choose another file with --journal FILE' };
}

/** What the journal knows about objects. A started deletion or release counts as ours until a later run has a good end. */
function viewOf(facts: JournalState): JournalView {
  const { settledBy, runs } = facts;
  const objects = notedObjects(facts).map(([id, noted]): [string, KnownObject] => [id, knownFrom(noted)]);
  return {
    objects: new Map(objects),
    creating: new Set(facts.creations.keys()),
    unread: facts.unread,
    runs: new Set([...(settledBy === undefined ? [] : [settledBy]), ...runs].map(shortDigest)),
    unfinished: new Set(runs.map(shortDigest)),
  };
}

function knownFrom({ address, formerly, isReleased, is, createdHere, tokenStored, untaken }: NotedObject): KnownObject {
  const past = { ...(formerly !== undefined && { formerly }), ...(isReleased === true && { isReleased }) };
  if (is === 'gone') return { address, ...past, isGone: true };
  return {
    address,
    ...past,
    ...(is === 'leaving' && { isGone: true }),
    ...(createdHere === true && { createdHere }),
    ...(tokenStored === true && { tokenStored }),
    ...(untaken !== undefined && { untaken }),
  };
}

/** Addresses of objects, and of writes with an unknown outcome, in the journal; undefined when it cannot be read. */
export function notedAddresses(path: string, { files }: Pick<Platform, 'files'>): readonly string[] | undefined {
  return onFileError(
    () => {
      const text = files.read(path);
      const entries = text === undefined ? [] : parseJournal(text, path).value;
      if (entries === undefined) return undefined;
      return accountsIn(entries).flatMap((account) => {
        const state = replayJournal(account.entries);
        const present = notedObjects(state).filter(([, { is }]) => is !== 'gone');
        return [...state.creations.keys(), ...present.map(([, { address }]) => address)];
      });
    },
    () => undefined,
  );
}
