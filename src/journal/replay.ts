// Derives what a journal knows: the objects at the last good end, and what happened to them since.

import { compareText } from '../core/json.ts';
import { afterWrite, type ShownValues } from '../core/shown-values.ts';
import {
  operationOf,
  type EndEntry,
  type IntentEntry,
  type JournalEntry,
  type OutcomeEntry,
  type ResolvedEntry,
} from './entry.ts';

/** What is known of an object that exists or existed. */
export interface NotedObject {
  readonly address: string;
  /** A run with this journal created it. */
  readonly createdHere?: true | undefined;
  /** Its returned-once value was stored in its file. */
  readonly tokenStored?: true | undefined;
  readonly parentId?: string | undefined;
  /** Addresses that it had before. */
  readonly formerly?: readonly string[] | undefined;
  /** The stack gave it up, or began to, and did not delete it. */
  readonly isReleased?: boolean;
  /** What the service showed in place of values that it did not take, by field. */
  readonly untaken?: ShownValues | undefined;
  readonly is: 'there' | 'leaving' | 'gone';
  /** True when it was gone before the last good end. */
  readonly isLongGone?: boolean;
}

/** What the entries so far imply. */
export class JournalState {
  /** By id. */
  objects = new Map<string, NotedObject>();
  /** Creations with an unknown outcome, by address, in the order of their start. */
  readonly creations = new Map<string, readonly IntentEntry[]>();
  /** The run with the last good end, and those since. */
  settledBy: string | undefined;
  runs: string[] = [];
  /** Writes of the current run whose outcome is open. */
  intents = new Map<number, IntentEntry>();
  /** By id, the fields of changes since the last good end of which no outcome is known. */
  readonly unread = new Map<string, ReadonlySet<string>>();
  /** True when something was recorded about an object since the last good end. */
  hasNews = false;
}

/** All facts of a journal in one pass, or those of more entries added to earlier ones. */
export function replayJournal(entries: readonly JournalEntry[], state = new JournalState()): JournalState {
  for (const entry of entries) take(state, entry);
  return state;
}

function take(state: JournalState, entry: JournalEntry): void {
  if (entry.type === 'begin') {
    state.runs.push(entry.run);
    state.intents = new Map();
    return;
  }
  if (entry.type === 'end') {
    takeEnd(state, entry);
    return;
  }
  state.hasNews = true;
  switch (entry.type) {
    case 'intent':
      takeIntent(state, entry);
      break;
    case 'outcome':
      takeOutcome(state, entry);
      break;
    case 'stored':
      meet(state, entry.live_id, entry.address);
      note(state, entry.live_id, { address: entry.address, createdHere: true, tokenStored: true });
      break;
    case 'resolved':
      resolve(state, entry);
      break;
    default:
      entry satisfies never;
  }
}

function takeIntent(state: JournalState, intent: IntentEntry): void {
  const { address, live_id: id, replaces } = intent;
  state.intents.set(intent.n, intent);
  // A replacement proves that the old object existed.
  if (replaces !== undefined && state.objects.get(replaces)?.is !== 'gone') note(state, replaces, { address });
  if (id === null) state.creations.set(address, [...(state.creations.get(address) ?? []), intent]);
  else if (isRemovalIntent(intent)) {
    meet(state, id, address);
    const known = state.objects.get(id)?.address ?? address;
    note(state, id, { address: known, is: 'leaving', isReleased: operationOf(intent) === 'release' });
  } else state.unread.set(id, new Set([...(state.unread.get(id) ?? []), ...fieldsOf(intent)]));
}

function takeOutcome(state: JournalState, { n, status, live_id: made, untaken: text }: OutcomeEntry): void {
  const intent = state.intents.get(n);
  if (intent === undefined || status === 'unknown') return;
  state.intents.delete(n);
  const shown = text === undefined ? undefined : untakenIn(text);
  const { address, parent_id: parent } = intent;
  if (operationOf(intent) === 'create') {
    // A creation without an id cannot be found again, whatever its status.
    if (status === 'rejected' || made !== undefined) close(state, intent);
    if (status === 'done' && made !== undefined) bind(state, intent, made, shown);
    return;
  }
  const id = intent.live_id ?? '';
  const isRemoval = isRemovalIntent(intent);
  // An earlier try whose answer was lost may still be carried out.
  if (![...state.intents.values()].some((one) => one.live_id === id)) state.unread.delete(id);
  if (status === 'rejected') {
    if (isRemoval) stay(state, intent, id);
    return;
  }
  meet(state, id, address);
  note(state, id, {
    address,
    ...(parent !== null && { parentId: parent }),
    is: isRemoval ? 'gone' : 'there',
    isReleased: operationOf(intent) === 'release',
    ...withShown(state, intent, id, shown),
  });
}

/** What the service showed in place of the values of a write, and of earlier ones. */
function withShown(
  { objects }: JournalState,
  intent: IntentEntry,
  id: string,
  shown: ShownValues = NOTHING_SHOWN,
): Pick<NotedObject, 'untaken'> {
  const before = objects.get(id)?.untaken;
  if (before === undefined && shown.size === 0) return {};
  return { untaken: afterWrite(before, { sent: new Set(fieldsOf(intent)), shown }) };
}

const NOTHING_SHOWN: ShownValues = new Map();

function fieldsOf({ fields }: IntentEntry): readonly string[] {
  return fields?.split(' ') ?? [];
}

/** A refused removal did nothing; an earlier try of its run whose answer was lost may still be carried out. */
function stay(state: JournalState, { run, address, foreign }: IntentEntry, id: string): void {
  const isOpen = [...state.intents.values()].some(
    (one) => one.run === run && one.live_id === id && isRemovalIntent(one),
  );
  if (isOpen) return;
  // The stack never owned it, and nothing is known of it.
  if (foreign === true) state.objects.delete(id);
  else note(state, id, { address: state.objects.get(id)?.address ?? address });
}

/** Adds to what is known of an object, which exists unless `more` says otherwise. */
function note({ objects }: JournalState, id: string, more: Pick<NotedObject, 'address'> & Partial<NotedObject>): void {
  const before = objects.get(id);
  const formerly = formerAddresses(before, more.address);
  objects.set(id, { ...before, is: 'there', isLongGone: false, isReleased: false, ...more, formerly });
}

/** The addresses that an object had before the one that it has now; undefined for none. */
export function formerAddresses(before: NotedObject | undefined, now: string): readonly string[] | undefined {
  if (before === undefined || before.address === now) return before?.formerly;
  const had = new Set([...(before.formerly ?? []), before.address]);
  had.delete(now);
  return had.size === 0 ? undefined : [...had];
}

function close({ creations }: JournalState, intent: IntentEntry): void {
  const left = (creations.get(intent.address) ?? []).filter((one) => one !== intent);
  if (left.length === 0) creations.delete(intent.address);
  else creations.set(intent.address, left);
}

/** A creation made this object; a stored value stays stored, whenever the outcome was recorded. */
function bind(state: JournalState, intent: IntentEntry, id: string, shown?: ShownValues): void {
  const { address, parent_id: parent } = intent;
  const within = parent === null ? {} : { parentId: parent };
  note(state, id, { address, createdHere: true, ...within, ...withShown(state, intent, id, shown) });
}

/** An unknown object of an address is the one that the open creation made. */
function meet(state: JournalState, id: string, address: string): void {
  if (state.objects.has(id)) return;
  const open = state.creations.get(address) ?? [];
  state.creations.delete(address);
  for (const intent of open) bind(state, intent, id);
}

/** The answer is about the open writes only: if a new object does not exist, the one it replaces still does. */
function resolve(state: JournalState, { address, as }: ResolvedEntry): void {
  if (as !== 'absent') {
    meet(state, as.id, address);
    state.creations.delete(address);
    note(state, as.id, { address });
    return;
  }
  disown(state, address);
  const known = [...state.objects].filter(([, one]) => one.address === address && one.is !== 'gone');
  const leaving = known.filter(([, { is }]) => is === 'leaving');
  const isAboutOpen = state.creations.delete(address) || leaving.length > 0;
  for (const [id] of isAboutOpen ? leaving : known) note(state, id, { address, is: 'gone' });
}

/** The address is free: what had it before, or was released from it, does not count any more. */
function disown({ objects }: JournalState, address: string): void {
  for (const [id, { formerly, isReleased, ...one }] of objects) {
    const others = formerly?.filter((former) => former !== address);
    objects.set(id, {
      ...one,
      ...(others !== undefined && others.length > 0 && { formerly: others }),
      ...(isReleased !== undefined && { isReleased: isReleased && one.address !== address }),
    });
  }
}

function takeEnd(state: JournalState, { run, objects }: EndEntry): void {
  if (objects === undefined) return;
  state.objects = new Map(
    objects.map(({ id, parent_id: parentId, is = 'there' as const, address, formerly, untaken, ...one }) => [
      id,
      {
        address,
        parentId,
        createdHere: one.created_here,
        tokenStored: one.token_stored,
        formerly,
        isReleased: one.released === true,
        is,
        isLongGone: is === 'gone',
        ...(untaken !== undefined && { untaken: untakenIn(untaken) }),
      },
    ]),
  );
  state.creations.clear();
  state.unread.clear();
  state.settledBy = run;
  state.runs = [];
  state.hasNews = false;
}

/** As `untakenText` writes it. */
function untakenIn(text: string): ShownValues {
  return new Map(text.split(' ').map((one): [string, string] => [one.split('=')[0] ?? '', one.split('=')[1] ?? '']));
}

/** In the outcome of a write, and in an object of the last good end. */
export function untakenText(untaken: ShownValues): string {
  return [...untaken].map(([field, shown]) => `${field}=${shown}`).join(' ');
}

/** The deepest level of the catalogue's kinds, and more; a journal that was edited may contain a circle. */
const MAX_DEPTH = 8;

/** Every object in code-unit order of address and id; an object goes with its parent. */
export function notedObjects({ objects }: JournalState): readonly (readonly [id: string, NotedObject])[] {
  const isGone = ({ is, parentId }: NotedObject, depth = 0): boolean => {
    const parent = objects.get(parentId ?? '');
    return is === 'gone' || (parent !== undefined && depth < MAX_DEPTH && isGone(parent, depth + 1));
  };
  return [...objects]
    .map(([id, one]) => [id, isGone(one) ? { ...one, is: 'gone' as const } : one] as const)
    .sort(([a, one], [b, other]) => compareText(one.address, other.address) || compareText(a, b));
}

/** The entries that count: those since the last good end, without runs that recorded nothing. */
export function compact(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const end = entries.findLastIndex((entry) => entry.type === 'end' && entry.objects !== undefined);
  const start = entries.slice(0, Math.max(0, end)).findLastIndex(({ type }) => type === 'begin');
  const since = end < 0 ? entries : [...entries.slice(start, start + 1), ...entries.slice(end)];
  return since.filter((entry, at) => {
    const [before, after] = [since[at - 1], since[at + 1]];
    if (entry.type === 'begin') return after !== undefined && after.type !== 'begin' && !isPlainEnd(after);
    return !(isPlainEnd(entry) && before?.type === 'begin');
  });
}

function isPlainEnd(entry: JournalEntry): entry is EndEntry {
  return entry.type === 'end' && entry.objects === undefined;
}

/** True when the object no longer belongs to the stack afterwards. */
function isRemovalIntent(intent: IntentEntry): boolean {
  const operation = operationOf(intent);
  return operation === 'delete' || operation === 'release';
}
