// What a journal says: writes whose outcome nobody knows, ids of objects, values shown once that were lost.

import { compareText } from '../core/json.ts';
import type { BeginEntry, EndEntry, JournalEntry, IntentEntry, ResolvedEntry, OutcomeEntry } from './entry.ts';
import { isRemovalIntent, operationOf } from './entry.ts';

/** A write that may or may not have been carried out. */
interface OpenIntent {
  readonly intent: IntentEntry;
  readonly isCreate: boolean;
  /** False when the run ended before any answer; true when it saw that the answer was lost. */
  readonly isAnswerLost: boolean;
}

/** An object whose creation is known, and whose value shown once is not known to have reached its file. */
interface CreatedObject {
  readonly intent: IntentEntry;
  readonly address: string;
  readonly liveId: string;
}

export interface JournalState {
  /** Writes whose outcome is not known and that nothing later settles: by run and number, in the order they were begun. */
  readonly open: Map<string, OpenIntent>;
  /** Id → address. */
  readonly ids: Map<string, string>;
  /** By id, those whose value shown once is not known to have reached its file. */
  readonly made: Map<string, CreatedObject>;
  /** Ids of objects whose value shown once has reached its file, with their address then. */
  readonly stored: Map<string, string>;
  /** Ids of objects that were deleted, released, or said to be gone, with their address then. */
  readonly deleted: Map<string, string>;
  /** Id of the object that an object lies in, where a write to it said so. */
  readonly parents: Map<string, string>;
  /** The last run. */
  readonly begin: BeginEntry | undefined;
  /** Undefined when that run did not come to its end. */
  readonly result: string | undefined;
  /** Names of all runs, in their order. */
  readonly runs: string[];
  /** How the runs ended that came to their end, by run. */
  readonly ended: Map<string, EndEntry>;
}

interface ReplayState extends JournalState {
  begin: BeginEntry | undefined;
  result: string | undefined;
  /** Every write of the run under way. */
  intents: Map<number, IntentEntry>;
}

/** All facts of a journal in one pass. */
export function replayJournal(entries: readonly JournalEntry[]): JournalState {
  const reading: ReplayState = {
    open: new Map(),
    ids: new Map(),
    made: new Map(),
    stored: new Map(),
    deleted: new Map(),
    parents: new Map(),
    begin: undefined,
    result: undefined,
    runs: [],
    ended: new Map(),
    intents: new Map(),
  };
  for (const entry of entries) take(reading, entry);
  return reading;
}

function take(reading: ReplayState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'begin':
      reading.begin = entry;
      reading.runs.push(entry.run);
      reading.result = undefined;
      reading.intents = new Map();
      break;
    case 'intent':
      reading.intents.set(entry.n, entry);
      noteReplaced(reading, entry);
      setOpen(reading, entry, false);
      break;
    case 'outcome':
      takeOutcome(reading, entry);
      break;
    case 'stored':
      reading.made.delete(entry.live_id);
      reading.stored.set(entry.live_id, entry.address);
      break;
    case 'resolved':
      resolve(reading, entry);
      break;
    case 'end':
      takeEnd(reading, entry);
      break;
  }
}

function keyOf(intent: IntentEntry): string {
  return `${intent.run} ${intent.n}`;
}

function setOpen({ open }: JournalState, intent: IntentEntry, isAnswerLost: boolean): void {
  open.set(keyOf(intent), { intent, isCreate: operationOf(intent) === 'create', isAnswerLost });
}

function takeOutcome(reading: ReplayState, { n, status, live_id }: OutcomeEntry): void {
  const intent = reading.intents.get(n);
  if (intent === undefined) return;
  const id = intent.live_id ?? live_id;
  // A creation of which no id is known cannot be found again, whatever its status says.
  if (status === 'unknown' || (status === 'done' && id === undefined)) {
    setOpen(reading, intent, true);
    return;
  }
  reading.open.delete(keyOf(intent));
  if (status === 'rejected' || id === undefined) return;
  if (operationOf(intent) === 'create') bind(reading, intent, id);
  else written(reading, intent, id);
}

/** A creation made this object; what is stored stays stored, whenever the outcome was noted. */
function bind(reading: JournalState, intent: IntentEntry, id: string): void {
  const { ids, made, stored } = reading;
  ids.set(id, intent.address);
  noteParent(reading, intent, id);
  if (stored.has(id)) return;
  made.set(id, { intent, address: intent.address, liveId: id });
}

/** A write to an object was carried out: it was there, and open writes to it are past. */
function written(reading: ReplayState, intent: IntentEntry, id: string): void {
  const { open, ids } = reading;
  const { address } = intent;
  const isNews = !ids.has(id);
  for (const [key, one] of open) {
    if (one.intent.live_id === id) open.delete(key);
    // An object that nobody knew before is what the creation made.
    if (one.isCreate && one.intent.address === address && isNews) {
      open.delete(key);
      bind(reading, one.intent, id);
    }
  }
  noteParent(reading, intent, id);
  if (isRemovalIntent(intent)) forget(reading, id, address);
  else place(reading, id, address);
}

/** Who is about to make an object in the place of another has seen that one there. */
function noteReplaced({ ids, deleted }: JournalState, { replaces, address }: IntentEntry): void {
  if (replaces !== undefined && !deleted.has(replaces)) ids.set(replaces, address);
}

/** The object is there, at this address. */
function place({ ids, made }: JournalState, id: string, address: string): void {
  ids.set(id, address);
  const before = made.get(id);
  if (before !== undefined) made.set(id, { ...before, address });
}

function noteParent({ parents }: JournalState, { parent_id: parent }: IntentEntry, id: string): void {
  if (parent !== null) parents.set(id, parent);
}

/** The object is gone or nobody's, and so is all that was inside. */
function forget(reading: JournalState, id: string, address: string): void {
  const { ids, made, stored, deleted, parents } = reading;
  for (const [child, at] of [...ids]) if (parents.get(child) === id) forget(reading, child, at);
  deleted.set(id, ids.get(id) ?? address);
  ids.delete(id);
  made.delete(id);
  stored.delete(id);
}

/** Settles every open write of an address. */
function resolve(reading: ReplayState, { address, as }: ResolvedEntry): void {
  const settled = [...reading.open].filter(([, one]) => one.intent.address === address);
  for (const [key] of settled) reading.open.delete(key);
  if (as === 'absent') {
    // Absent is what the open writes were about: when a new object is not there, the one it replaces still is.
    const about = settled.flatMap(([, one]) => one.intent.live_id ?? []);
    const gone = settled.length === 0 ? idsAt(reading, address) : about;
    for (const id of gone) forget(reading, id, address);
    return;
  }
  const creation = settled.find(([, one]) => one.isCreate);
  if (creation !== undefined && !reading.ids.has(as.id)) bind(reading, creation[1].intent, as.id);
  else place(reading, as.id, address);
}

/** After a good end, what was begun is past: the object is gone, or it is there as the run wanted it. A creation may come late. */
function takeEnd(reading: ReplayState, { gone = [], unseen = [], ...end }: EndEntry): void {
  const { open, ids } = reading;
  reading.result = end.result;
  reading.ended.set(end.run, end);
  if (!isGoodEnd(end)) return;
  const addresses = new Map(ids);
  for (const [key, { intent, isCreate }] of [...open]) {
    const id = intent.live_id ?? '';
    if (isCreate || unseen.includes(id)) continue;
    open.delete(key);
    addresses.set(id, ids.get(id) ?? intent.address);
  }
  for (const id of gone) forget(reading, id, addresses.get(id) ?? '');
}

function idsAt({ ids }: JournalState, address: string): string[] {
  return [...ids].flatMap(([id, at]) => (at === address ? [id] : []));
}

/** Every known id with its address, in code-unit order of both; several of one address while a replacement is under way. */
export function knownIds({ ids }: JournalState): readonly (readonly [id: string, address: string])[] {
  return [...ids].sort(([a, at], [b, other]) => compareText(at, other) || compareText(a, b));
}

/** Address by id of the objects that the stack deleted or released, as far as the journal still says. */
export function deletedIds({ deleted, ids }: JournalState): ReadonlyMap<string, string> {
  return new Map([...deleted].filter(([id]) => !ids.has(id)));
}

/** Kind by the id of objects of which a deletion or release was begun whose outcome is not known. */
export function leavingIds({ open }: JournalState): ReadonlyMap<string, string> {
  const left = [...open.values()].map(({ intent }) => intent).filter(isRemovalIntent);
  return new Map(left.flatMap(({ live_id: id, kind }) => (id === null ? [] : [[id, kind] as const])));
}

/** Runs since the last one that came to a good end, which found every object and kept it or let it go. */
export function recentRuns({ runs, ended }: JournalState): readonly string[] {
  return runs.slice(runs.findLastIndex((run) => isGoodEnd(ended.get(run))) + 1);
}

/** True of a run that looked at everything and left nothing to do. */
export function isGoodEnd(end: EndEntry | undefined): boolean {
  return end?.result === '0' && end.partial !== true;
}
