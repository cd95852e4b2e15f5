// Derives what a journal knows: writes with an unknown outcome, ids of objects, returned-once values that were lost.

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
  /** False when the run ended before any answer; true when the answer was lost. */
  readonly isAnswerLost: boolean;
}

/** A created object whose returned-once value may not have been stored in its file. */
interface CreatedObject {
  readonly intent: IntentEntry;
  readonly address: string;
  readonly liveId: string;
}

/** Members by group, in order of insertion. */
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

/** What the entries so far imply. */
export class JournalState {
  /** Writes with an unknown outcome that no later entry resolves: by run and number, in the order of their start. */
  readonly open = new Map<string, OpenIntent>();
  /** Id → address. */
  readonly ids = new Map<string, string>();
  /** Objects by id whose returned-once value may not have been stored in its file. */
  readonly made = new Map<string, CreatedObject>();
  /** Ids of objects whose returned-once value was stored in its file, with their address at that time. */
  readonly stored = new Map<string, string>();
  /** Ids of objects that were deleted, released or reported as gone, with their last address. */
  readonly deleted = new Map<string, string>();
  begin: BeginEntry | undefined;
  readonly runs: string[] = [];
  /** Runs that came to an end, by name. */
  readonly ended = new Map<string, EndEntry>();
  /** All writes of the current run. */
  intents = new Map<number, IntentEntry>();
  /** Keys of open writes by address, and of those to an object by its id. */
  readonly openAt = new Groups();
  readonly openTo = new Groups();
  /** Ids by address, and by the parent that a write to them named. */
  readonly idsAt = new Groups();
  readonly idsIn = new Groups();
  /** Id of an object's parent. */
  readonly parents = new Map<string, string>();
}

/** All facts of a journal in one pass, or those of more entries added to earlier ones. */
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
  // A creation without an id cannot be found again, whatever its status.
  if (status === 'unknown' || (status === 'done' && id === undefined)) {
    setOpen(reading, intent, true);
    return;
  }
  close(reading, keyOf(intent));
  if (status === 'rejected' || id === undefined) return;
  if (operationOf(intent) === 'create') bind(reading, intent, id);
  else written(reading, intent, id);
}

/** A creation made this object; a stored value stays stored, whenever the outcome was recorded. */
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

/** A write to an object succeeded: the object existed, and its open writes are resolved. */
function written(reading: JournalState, intent: IntentEntry, id: string): void {
  const { open, openAt, openTo, ids } = reading;
  const { address } = intent;
  const isNews = !ids.has(id);
  for (const key of openTo.of(id)) close(reading, key);
  for (const key of isNews ? openAt.of(address) : []) {
    // A new, unknown object is the one that the creation made.
    if (open.get(key)?.isCreate !== true) continue;
    const creation = close(reading, key);
    if (creation !== undefined) bind(reading, creation.intent, id);
  }
  noteParent(reading, intent, id);
  if (isRemovalIntent(intent)) forget(reading, id, address);
  else place(reading, id, address);
}

/** A replacement proves that the old object existed. */
function noteReplaced(reading: JournalState, { replaces, address }: IntentEntry): void {
  if (replaces !== undefined && !reading.deleted.has(replaces)) place(reading, replaces, address);
}

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

/** The object no longer exists or has no owner, and neither do its children. */
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

/** Resolves every open write of an address. */
function resolve(reading: JournalState, { address, as, parent_id: parent }: ResolvedEntry): void {
  const settled = reading.openAt.of(address).flatMap((key) => close(reading, key) ?? []);
  if (as === 'absent') {
    // "Absent" is about the open writes only: if a new object does not exist, the one it replaces still does.
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

/** A good end resolves open writes: the object is gone, or exists as intended. A creation may still appear later. */
function takeEnd(reading: JournalState, { gone = [], unseen = [], ...end }: EndEntry): void {
  const { openTo, ids, deleted } = reading;
  reading.ended.set(end.run, { ...end, ...(unseen.length > 0 && { unseen }) });
  if (!isGoodEnd(end)) return;
  const left = new Set(unseen);
  const begun = new Map<string, string>();
  for (const id of [...openTo.keys()].filter((one) => !left.has(one)))
    for (const key of openTo.of(id)) begun.set(id, close(reading, key)?.intent.address ?? '');
  // Look up all before forgetting any, because a parent takes its children along.
  const addresses = gone.map((id) => [id, ids.get(id) ?? begun.get(id) ?? deleted.get(id)] as const);
  for (const [id, address] of addresses) if (address !== undefined) forget(reading, id, address);
}

/** Every known id with its address, in code-unit order of both; an address has several ids during a replacement. */
export function knownIds({ ids }: JournalState): readonly (readonly [id: string, address: string])[] {
  return [...ids].sort(([a, at], [b, other]) => compareText(at, other) || compareText(a, b));
}

/** Kinds by the ids of objects with a deletion or release whose outcome is unknown. */
export function leavingIds({ open }: JournalState): ReadonlyMap<string, string> {
  const left = [...open.values()].map(({ intent }) => intent).filter(isRemovalIntent);
  return new Map(left.flatMap(({ live_id: id, kind }) => (id === null ? [] : [[id, kind] as const])));
}

/** Runs since the last good end, which found every object and kept it or gave it up. */
export function recentRuns({ runs, ended }: JournalState): readonly string[] {
  return runs.slice(runs.findLastIndex((run) => isGoodEnd(ended.get(run))) + 1);
}

/** True for a run that read everything and left nothing to do. */
export function isGoodEnd(end: EndEntry | undefined): boolean {
  return end?.result === '0' && end.partial !== true;
}
