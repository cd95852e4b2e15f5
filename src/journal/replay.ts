// What a journal says: writes whose outcome nobody knows, ids of objects, values shown once that were lost.

import { compareText } from '../core/json.ts';
import {
  isRemovalIntent,
  operationOf,
  type BeginEntry,
  type EndEntry,
  type JournalEntry,
  type IntentEntry,
  type ResolvedEntry,
  type OutcomeEntry,
} from './entry.ts';

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

/** Members by group, in the order in which they came. */
class Groups extends Map<string, Set<string>> {
  add(group: string, member: string): void {
    this.set(group, (this.get(group) ?? new Set()).add(member));
  }

  remove(group: string, member: string): void {
    const members = this.get(group);
    members?.delete(member);
    if (members?.size === 0) this.delete(group);
  }

  of(group: string): readonly string[] {
    return [...(this.get(group) ?? [])];
  }
}

/** What the entries so far say. */
export class JournalState {
  /** Writes whose outcome is not known and that nothing later settles: by run and number, in the order they were begun. */
  readonly open = new Map<string, OpenIntent>();
  /** Id → address. */
  readonly ids = new Map<string, string>();
  /** By id, those whose value shown once is not known to have reached its file. */
  readonly made = new Map<string, CreatedObject>();
  /** Ids of objects whose value shown once has reached its file, with their address then. */
  readonly stored = new Map<string, string>();
  /** Ids of objects that were deleted, released, or said to be gone, with their address then. */
  readonly deleted = new Map<string, string>();
  /** The last run. */
  begin: BeginEntry | undefined;
  /** Names of all runs, in their order. */
  readonly runs: string[] = [];
  /** How the runs ended that came to their end, by run. */
  readonly ended = new Map<string, EndEntry>();
  /** Every write of the run under way. */
  intents = new Map<number, IntentEntry>();
  /** Keys of open writes by address, and of those to an object by its id. */
  readonly openAt = new Groups();
  readonly openTo = new Groups();
  /** Ids by address, and by the object that they lie in, where a write to them said so. */
  readonly idsAt = new Groups();
  readonly idsIn = new Groups();
  /** Id of the object that an object lies in. */
  readonly parents = new Map<string, string>();
}

/** All facts of a journal in one pass, or what more entries add to those of earlier ones. */
export function replayJournal(entries: readonly JournalEntry[], reading = new JournalState()): JournalState {
  for (const entry of entries) take(reading, entry);
  return reading;
}

function take(reading: JournalState, entry: JournalEntry): void {
  switch (entry.type) {
    case 'begin':
      reading.begin = entry;
      reading.runs.push(entry.run);
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

function setOpen(reading: JournalState, intent: IntentEntry, isAnswerLost: boolean): void {
  const key = keyOf(intent);
  if (reading.open.get(key)?.intent !== intent) close(reading, key);
  reading.open.set(key, { intent, isCreate: operationOf(intent) === 'create', isAnswerLost });
  reading.openAt.add(intent.address, key);
  if (intent.live_id !== null) reading.openTo.add(intent.live_id, key);
}

function close({ open, openAt, openTo }: JournalState, key: string): OpenIntent | undefined {
  const closed = open.get(key);
  if (closed === undefined) return undefined;
  open.delete(key);
  openAt.remove(closed.intent.address, key);
  openTo.remove(closed.intent.live_id ?? '', key);
  return closed;
}

function takeOutcome(reading: JournalState, { n, status, live_id }: OutcomeEntry): void {
  const intent = reading.intents.get(n);
  if (intent === undefined) return;
  const id = intent.live_id ?? live_id;
  // A creation of which no id is known cannot be found again, whatever its status says.
  if (status === 'unknown' || (status === 'done' && id === undefined)) {
    setOpen(reading, intent, true);
    return;
  }
  close(reading, keyOf(intent));
  if (status === 'rejected' || id === undefined) return;
  if (operationOf(intent) === 'create') bind(reading, intent, id);
  else written(reading, intent, id);
}

/** A creation made this object; what is stored stays stored, whenever the outcome was noted. */
function bind(reading: JournalState, intent: IntentEntry, id: string): void {
  setAddress(reading, id, intent.address);
  noteParent(reading, intent, id);
  if (!reading.stored.has(id)) reading.made.set(id, { intent, address: intent.address, liveId: id });
}

function setAddress({ ids, idsAt }: JournalState, id: string, address: string): void {
  idsAt.remove(ids.get(id) ?? '', id);
  idsAt.add(address, id);
  ids.set(id, address);
}

/** A write to an object was carried out: it was there, and open writes to it are past. */
function written(reading: JournalState, intent: IntentEntry, id: string): void {
  const { open, openAt, openTo, ids } = reading;
  const { address } = intent;
  const isNews = !ids.has(id);
  for (const key of openTo.of(id)) close(reading, key);
  for (const key of isNews ? openAt.of(address) : []) {
    // An object that nobody knew before is what the creation made.
    if (open.get(key)?.isCreate !== true) continue;
    const creation = close(reading, key);
    if (creation !== undefined) bind(reading, creation.intent, id);
  }
  noteParent(reading, intent, id);
  if (isRemovalIntent(intent)) forget(reading, id, address);
  else place(reading, id, address);
}

/** Who is about to make an object in the place of another has seen that one there. */
function noteReplaced(reading: JournalState, { replaces, address }: IntentEntry): void {
  if (replaces !== undefined && !reading.deleted.has(replaces)) place(reading, replaces, address);
}

/** The object is there, at this address. */
function place(reading: JournalState, id: string, address: string): void {
  setAddress(reading, id, address);
  const before = reading.made.get(id);
  if (before !== undefined) reading.made.set(id, { ...before, address });
}

function noteParent(
  { parents, idsIn }: JournalState,
  { parent_id: parent }: Pick<IntentEntry, 'parent_id'>,
  id: string,
): void {
  if (parent === null) return;
  idsIn.remove(parents.get(id) ?? '', id);
  idsIn.add(parent, id);
  parents.set(id, parent);
}

/** The object is gone or nobody's, and so is all that was inside. */
function forget(reading: JournalState, id: string, address: string): void {
  const { ids, idsAt, idsIn, made, stored, deleted } = reading;
  const at = ids.get(id) ?? address;
  idsAt.remove(at, id);
  ids.delete(id);
  for (const child of idsIn.of(id)) if (ids.has(child)) forget(reading, child, at);
  deleted.set(id, at);
  made.delete(id);
  stored.delete(id);
}

/** Settles every open write of an address. */
function resolve(reading: JournalState, { address, as, parent_id: parent }: ResolvedEntry): void {
  const settled = reading.openAt.of(address).flatMap((key) => close(reading, key) ?? []);
  if (as === 'absent') {
    // Absent is what the open writes were about: when a new object is not there, the one it replaces still is.
    const about = settled.flatMap(({ intent }) => intent.live_id ?? []);
    const gone = settled.length === 0 ? reading.idsAt.of(address) : about;
    for (const id of gone) forget(reading, id, address);
    return;
  }
  const creation = settled.find(({ isCreate }) => isCreate);
  if (creation !== undefined && !reading.ids.has(as.id)) bind(reading, creation.intent, as.id);
  else place(reading, as.id, address);
  noteParent(reading, { parent_id: parent ?? null }, as.id);
}

/** After a good end, what was begun is past: the object is gone, or it is there as the run wanted it. A creation may come late. */
function takeEnd(reading: JournalState, { gone = [], unseen = [], ...end }: EndEntry): void {
  const { openTo, ids, deleted } = reading;
  reading.ended.set(end.run, { ...end, ...(unseen.length > 0 && { unseen }) });
  if (!isGoodEnd(end)) return;
  const left = new Set(unseen);
  const begun = new Map<string, string>();
  for (const id of [...openTo.keys()].filter((one) => !left.has(one)))
    for (const key of openTo.of(id)) begun.set(id, close(reading, key)?.intent.address ?? '');
  // All are looked up before any is forgotten, because what lies in one goes with it.
  const addresses = gone.map((id) => [id, ids.get(id) ?? begun.get(id) ?? deleted.get(id)] as const);
  for (const [id, address] of addresses) if (address !== undefined) forget(reading, id, address);
}

/** Every known id with its address, in code-unit order of both; several of one address while a replacement is under way. */
export function knownIds({ ids }: JournalState): readonly (readonly [id: string, address: string])[] {
  return [...ids].sort(([a, at], [b, other]) => compareText(at, other) || compareText(a, b));
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
