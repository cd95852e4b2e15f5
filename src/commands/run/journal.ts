// The journal of an apply: where it is, what earlier runs left in it, and how a run writes to it.

import { dirname, resolve } from 'node:path';
import type { Recorder } from '../../apply/ports.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { shortDigest } from '../../core/digest.ts';
import { publishNames } from '../../platform/filter.ts';
import { parseAddress } from '../../catalog/address.ts';
import { EXAMPLES } from '../../catalog/examples.ts';
import { idForm, isId } from '../../catalog/id.ts';
import type { Capability, Kind } from '../../catalog/kind.ts';
import { canList, kindByName } from '../../catalog/lookup.ts';
import { FileError } from '../../platform/error.ts';
import type { Owner } from '../../journal/binding.ts';
import { boundElsewhere } from '../../journal/binding.ts';
import type { Entry } from '../../journal/entry.ts';
import { isLeaving, operationOf } from '../../journal/entry.ts';
import type { Facts } from '../../journal/facts.ts';
import { deletedIds, factsOf, knownIds, leavingIds, recentRuns } from '../../journal/facts.ts';
import type { Journal } from '../../journal/journal.ts';
import { openJournal } from '../../journal/journal.ts';
import { parseJournal } from '../../journal/parse.ts';
import type { JournalView } from '../../plan/match/past.ts';
import type { ExitCode } from '../shell/exit.ts';
import { EXIT } from '../shell/exit.ts';
import { collectAll, CommandFailure } from '../shell/failure.ts';
import { orFail } from '../shell/file.ts';
import type { Host, Ports } from '../shell/host.ts';
import type { RawOptions } from '../options/options.ts';
import { capabilitiesOf, usage } from '../options/options.ts';
import type { Pin } from './pin.ts';
import { portsOf } from '../shell/ports.ts';
import type { Look } from './recorder.ts';
import { lookFor, recorderOf } from './recorder.ts';

export function journalPath(raw: RawOptions, host: Host, stack: string): string {
  return resolve(host.cwd, raw.journal ?? `.edgeform/${stack}.journal.jsonl`);
}

/** What earlier runs noted, for commands that only read. */
export interface Noted {
  readonly pins: readonly Pin[];
  /** Ids of objects whose value that is shown once has reached its file. */
  readonly stored: ReadonlySet<string>;
  /** Undefined when there is no journal that can be believed. */
  readonly view: JournalView | undefined;
}

/** Without a journal, or with one that is damaged or belongs elsewhere, nothing. */
export function notedInJournal(raw: RawOptions, host: Host, owner: Owner): Noted {
  const path = journalPath(raw, host, owner.stack);
  const text = orFail(() => portsOf(host).files.read(path));
  const found = text === undefined ? [] : parseJournal(text, path).value;
  const other = boundElsewhere(found ?? [], owner);
  if (other !== undefined)
    host.stderr.write(
      `warning: the journal is that of stack ${JSON.stringify(other.stack)} at ${JSON.stringify(other.service)} and was not used\n`,
    );
  const entries = (other === undefined ? found : undefined) ?? [];
  const facts = factsOf(entries);
  const pins = found && pinsOf(knownIds(facts));
  if (pins === undefined)
    host.stderr.write('warning: the journal is damaged and was not used; apply says what to do about it\n');
  if (pins === undefined) return { pins: [], stored: new Set(), view: undefined };
  const isThere = text !== undefined && other === undefined;
  return { pins, stored: new Set(facts.stored.keys()), view: isThere ? viewOf(facts) : undefined };
}

/**
 * What the journal says of objects that may be missing. A deletion or release that was begun is no one else's, until a later
 * run has come to a good end.
 */
function viewOf(facts: Facts): JournalView {
  const open = [...facts.open.values()].map(({ intent }) => intent);
  const leaving = leavingIds(facts);
  const known = knownIds(facts);
  return {
    ids: new Map(known.filter(([id]) => !leaving.has(id))),
    deleted: new Map([...deletedIds(facts), ...known.filter(([id]) => leaving.has(id))]),
    open: new Set(open.filter((intent) => !isLeaving(intent)).map(({ address }) => address)),
    creating: new Set(open.filter((intent) => operationOf(intent) === 'create').map(({ address }) => address)),
    made: new Set([...facts.made.keys(), ...facts.stored.keys()]),
    unstored: new Set(facts.made.keys()),
    runs: new Set(facts.runs.map(shortDigest)),
    unfinished: new Set(recentRuns(facts).map(shortDigest)),
  };
}

/** The view, with what a run has deleted or released since. */
export function withoutObjects({ ids, deleted, ...rest }: JournalView, gone: ReadonlySet<string>): JournalView {
  const left = [...ids].filter(([id]) => gone.has(id));
  return {
    ids: new Map([...ids].filter(([id]) => !gone.has(id))),
    deleted: new Map([...deleted, ...left]),
    ...rest,
  };
}

/** The objects that a journal names; undefined when one has an id that its kind cannot have. */
function pinsOf(known: ReturnType<typeof knownIds>): readonly Pin[] | undefined {
  const pins = known.flatMap(([id, address]) => {
    const kind = parseAddress(address)?.kind;
    return kind === undefined ? [] : [{ kind, id, address }];
  });
  if (pins.some(({ kind, id }) => !isId(kind.idPrefix, id))) return undefined;
  return pins.map((pin) => ({ ...pin, kind: pin.kind.name }));
}

export interface Session {
  /** Names the run in the markers of what it creates. */
  readonly signature: string;
  readonly journal: Journal;
  readonly record: Recorder;
  /** Takes note of what is there: the last look counts when the run comes to a good end. */
  readonly look: Look['take'];
  readonly end: (exitCode: ExitCode) => void;
  /** Writes what `--resolve` says, once nothing stops the run any more: what was said in vain must not bind the journal. */
  readonly noteResolutions: () => void;
  /** Why an intent could not be written, so that its request was not sent. */
  readonly unwritten: () => FileError | undefined;
  /** Why an outcome could not be written, the last time; a later entry may have brought it along. */
  readonly late: () => FileError | undefined;
  /** Ids that earlier runs noted. */
  readonly pins: readonly Pin[];
  /** Ids of objects whose value that is shown once has reached its file, in earlier runs and in this one. */
  readonly stored: ReadonlySet<string>;
  /** By address, the object whose value this run wrote to the file last. */
  readonly filled: ReadonlyMap<string, string>;
  /** What earlier runs noted of objects that may be missing. */
  readonly view: JournalView;
}

export interface SessionOptions {
  readonly stack: string;
  readonly service: string;
  readonly fingerprint: string;
}

/** Takes the lock and begins. Fails before anything is asked of the service. */
export function openSession(options: SessionOptions, raw: RawOptions, host: Host): Session {
  const ports = portsOf(host);
  const resolutions = resolutionsOf(raw);
  const path = journalPath(raw, host, options.stack);
  const { host: machine, bootId, birth } = ports.identity;
  publishNames(() => [machine, bootId, birth]);
  orFail(() => {
    ports.files.prepareDirectory(dirname(path));
  });
  const run = ports.runName();
  const { value: journal, diagnostics } = orFail(() =>
    openJournal({
      ...options,
      ...ports.identity,
      path,
      files: ports.journalFiles,
      run,
      now: ports.wallTime,
    }),
  );
  if (journal === undefined) throw new CommandFailure(EXIT.error, diagnostics);
  for (const { message } of diagnostics) host.stderr.write(`warning: ${message}\n`);
  const noted = [...journal.previous, ...resolutions.map(resolvedBy)];
  const facts = factsOf(noted);
  // What is said to be absent is looked at all the same: it may stand in the way.
  const pins = pinsOf([...new Map([...knownIds(factsOf(journal.previous)), ...knownIds(facts)])]);
  if (pins === undefined) {
    journal.close();
    throw new CommandFailure(EXIT.error, [wrongIds(path)]);
  }
  const stored = new Set(facts.stored.keys());
  const failed: { intent?: FileError; outcome?: FileError } = {};
  const filled = new Map<string, string>();
  const record = recorderOf(journal, { stored, filled }, (what, error) => {
    failed[what] = error;
  });
  const noteResolutions = () => {
    for (const { address, as } of resolutions)
      orFail(() => {
        journal.resolved(address, as);
      });
  };
  const look = lookFor(leavingIds(facts), { ...options, capabilities: capabilitiesOf(host) });
  // The name itself is the key of the journal's digests and stays in it.
  const signature = shortDigest(run);
  return {
    journal,
    signature,
    record,
    pins,
    stored,
    filled,
    noteResolutions,
    look: look.take,
    end: (exitCode) => {
      journal.end(String(exitCode), { ...look.found(), ...((raw.target ?? []).length > 0 && { partial: true }) });
    },
    unwritten: () => failed.intent,
    late: () => failed.outcome,
    view: viewOf(facts),
  };
}

/** Addresses of objects, and of writes with an unknown outcome, that earlier runs noted; undefined when the journal cannot be read. */
export function notedAddresses(raw: RawOptions, host: Host, stack: string): readonly string[] | undefined {
  const path = journalPath(raw, host, stack);
  try {
    const text = portsOf(host).files.read(path);
    const entries = text === undefined ? [] : parseJournal(text, path).value;
    if (entries === undefined) return undefined;
    const { open, ids } = factsOf(entries);
    return [...[...open.values()].map(({ intent }) => intent.address), ...ids.values()];
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return undefined;
  }
}

function wrongIds(path: string): Diagnostic {
  const message = `${JSON.stringify(path)} names an object by an id that its kind cannot have`;
  const fix = 'look for writes without an outcome in it, check them by hand, then move it away';
  return { code: 'journal-damaged', severity: 'error', message, fix };
}

export interface Resolution {
  readonly address: string;
  readonly kind: Kind;
  readonly as: { readonly id: string } | 'absent';
}

function resolvedBy({ address, as }: Resolution): Entry {
  return { type: 'resolved', address, as };
}

/** What `--resolve` says. */
export function resolutionsOf({ resolve: given = [] }: RawOptions): readonly Resolution[] {
  return collectAll(given, resolutionOf);
}

function resolutionOf(text: string): Resolution {
  const at = text.indexOf('=');
  const address = text.slice(0, Math.max(0, at));
  const what = text.slice(at + 1);
  const kind = parseAddress(at < 0 ? text : address)?.kind;
  if (kind === undefined)
    throw usage('--resolve takes ADDRESS=ID or ADDRESS=absent', `for example --resolve ${EXAMPLES.address}=absent`);
  const fix = `give --resolve ${at < 0 ? text : address}=${kind.idPrefix}…, or =absent when there is no such object`;
  if (at < 0 || what === '') throw usage(`--resolve ${text} says no id`, fix);
  if (what === 'absent') return { address, kind, as: what };
  if (!isId(kind.idPrefix, what)) throw usage(`--resolve ${address} takes absent, or ${idForm(kind.idPrefix)}`, fix);
  return { address, kind, as: { id: what } };
}

/** Creations of earlier runs of which nobody knows what became of them. */
export interface Unsettled {
  /** Milliseconds until their absence would count. */
  readonly waitMs: number;
  /** Those of kinds that cannot be listed: only a person can say. */
  readonly problems: readonly Diagnostic[];
}

/** What has to be waited for, or asked, before anything is created. */
export function unsettled(
  journal: Journal,
  resolved: readonly string[],
  context: {
    readonly settleMs: number;
    readonly capabilities: ReadonlySet<Capability>;
    readonly wallTime: Ports['wallTime'];
  },
): Unsettled {
  const settled = new Set(resolved.map((text) => text.slice(0, text.indexOf('='))));
  const open = [...factsOf(journal.previous).open.values()].filter(
    ({ isCreate, intent }) => isCreate && !settled.has(intent.address),
  );
  const now = Date.parse(context.wallTime());
  const waits = open.map(({ intent }) => {
    const age = now - Date.parse(intent.at);
    // A clock that went backward tells nothing about how long ago it was.
    return age >= 0 ? Math.max(0, context.settleMs - age) : context.settleMs;
  });
  const problems = open
    .filter(({ intent }) => !canList(kindByName(intent.kind), context.capabilities))
    .map(({ intent }) => unknownOutcome(intent.address, kindByName(intent.kind)));
  return { waitMs: Math.max(0, ...waits), problems };
}

function unknownOutcome(address: string, kind: Kind): Diagnostic {
  return {
    code: 'unknown-outcome',
    severity: 'error',
    address,
    message: `an earlier run may have created ${address}, and the service cannot be asked, because ${kind.title}s cannot be listed; nothing was changed`,
    fix: `look it up, then run: edgeform apply --resolve ${address}=ID, or --resolve ${address}=absent`,
  };
}
