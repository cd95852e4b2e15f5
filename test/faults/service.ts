// The service of a simulated world: the emulator's own rules behind knobs, with a log of everything that was done.
// Knows nothing of the program that talks to it.

import type { JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import { DESCRIPTION, ID, METADATA } from '../../src/catalog/fields/common.ts';
import type { Capability, Kind } from '../../src/catalog/kind.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import type { Core } from '../../src/emulator/http/answer.ts';
import { answer } from '../../src/emulator/http/answer.ts';
import { makeId } from '../../src/emulator/ids.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { Store, Stored } from '../../src/emulator/state/store.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { coreOf } from '../support/emulated.ts';
import { withMasks } from '../support/masking.ts';
import { formatAddress } from '../../src/catalog/address.ts';
import { respond } from '../../src/emulator/http/respond.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import type { RequestFault } from './faults.ts';
import { addressIn } from './read-markers.ts';
import { bareSpec, usesOfKind } from './users.ts';

export const BASE_URL = 'https://service.test';

/** What somebody else writes into an object. */
export const CONCURRENT_EDIT = 'somebody was here';

/** What a list may lack: what was made lately, or the end of what is gone. */
export type Behind = 'created' | 'deleted';

/** What differs between services that all follow the specification. */
export interface Knobs {
  readonly disabled?: readonly Capability[];
  readonly pageSize?: number;
  /** Lists show what was created or deleted so many milliseconds later. */
  readonly lagMs?: number;
  /** The same by reads of the list, as caches do it, but for no longer than some seconds. */
  readonly lagReads?: number;
  /** The only changes that lists show late; both when missing. */
  readonly lagOf?: Behind;
  /** At most 120 requests in 60 seconds; more are refused without a word on when to come back. */
  readonly isLimited?: boolean;
  /** A request that comes so soon after another is refused likewise. */
  readonly spacingMs?: number;
  /** An object that others refer to may be deleted. */
  readonly isLoose?: boolean;
  /** What it answers in place of a secret; the secret itself when missing. */
  readonly mask?: string;
  /** Answers leave out what is false, 0 or empty. */
  readonly omitsZeros?: boolean;
  /** For a 0 it keeps its default. */
  readonly keepsDefaults?: boolean;
  /** The journal of what came before is there, on any scenario. */
  readonly keepsJournal?: true;
}

/** One request that reached the service. */
export interface Entry {
  readonly run: number;
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject | undefined;
  readonly status: number;
  /** Id of the object that it is about: the one that was made, changed or deleted; a parent that got nothing otherwise. */
  readonly id: string;
  /** Address in the marker that the object has, or had. */
  readonly address: string | undefined;
  /** The request came after the program had given it up. */
  readonly isLate: boolean;
  readonly objects: readonly Stored[];
}

export interface Asked {
  readonly run: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isLate?: boolean;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
}

const MOST_LAG_MS = 10_000;
const WINDOW_MS = 60_000;
const MOST_REQUESTS = 120;
const FIRST_DAY = Date.UTC(2030, 0, 1);

interface Change {
  readonly stored: Stored;
  readonly at: number;
  readonly reads: number;
  readonly isGone: boolean;
}

export class Service {
  readonly store: Store;
  readonly log: Entry[] = [];
  /** What others created meanwhile, by id. */
  readonly intruders = new Map<string, Stored>();
  /** What another stack took over, as it was then, by id. */
  readonly taken = new Map<string, { readonly stored: Stored; readonly at: number }>();
  readonly #core: Core;
  readonly #knobs: Knobs;
  readonly #now: () => number;
  readonly #changes: Change[] = [];
  readonly #reads = new Map<string, number>();
  readonly #arrivals: number[] = [];

  constructor(objects: readonly Stored[], apiKey: string, knobs: Knobs, now: () => number, baseUrl = BASE_URL) {
    this.store = createStore(objects, () => undefined);
    this.#knobs = knobs;
    this.#now = now;
    this.#core = coreOf({
      view: {
        ...{ store: this.store, baseUrl },
        omitsZeros: knobs.omitsZeros ?? false,
        keepsDefaults: knobs.keepsDefaults ?? false,
      },
      apiKey,
      disabled: knobs.disabled,
      pageSize: knobs.pageSize,
      now: () => this.#stamp(),
    });
  }

  /** The time, in whole seconds as services write it. */
  #stamp(): string {
    return `${new Date(FIRST_DAY + Math.floor(this.#now())).toISOString().slice(0, 19)}Z`;
  }

  /** Carries out one request. */
  ask(asked: Asked): Answered {
    const path = asked.path.split('?', 1)[0] ?? '';
    if (this.#isTooMuch()) return this.#note(asked, refused(429, 'too many requests'), '');
    const target = this.#core.router(asked.method, path);
    const before = this.store.all();
    const gone = target === undefined ? undefined : this.store.get(target.id);
    const isList = target?.action === 'list';
    const view = isList ? { ...this.#core.view, store: this.#listed(target.kind) } : this.#core.view;
    const headers = Object.fromEntries(
      Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const loose = this.#knobs.isLoose === true && target?.action === 'delete' && gone?.kind === target.kind.name;
    const given = loose
      ? this.#deleteAnyway(gone)
      : answer({ ...this.#core, view }, { method: asked.method, path: asked.path, headers, text: asked.text });
    this.#remember(before);
    if (isList) this.#reads.set(target.kind.name, this.#readsOf(target.kind.name) + 1);
    const made = given.status === 201 && given.body !== undefined ? String(given.body[ID]) : undefined;
    const id = made ?? target?.id ?? '';
    return this.#note(asked, { status: given.status, text: this.#textOf(given.body) }, id, gone);
  }

  /** What a stale cache says to a list: how it was before the latest changes, or those of one sort. */
  stale(asked: Asked, behind?: Behind): Answered {
    const view = { ...this.#core.view, store: this.#before(this.#changes.filter(isOf(behind))) };
    const headers = Object.fromEntries(
      Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const given = answer({ ...this.#core, view }, { method: 'GET', path: asked.path, headers, text: asked.text });
    return this.#note(asked, { status: given.status, text: this.#textOf(given.body) }, '');
  }

  #textOf(body: JsonObject | undefined): string {
    const { mask } = this.#knobs;
    if (body === undefined) return '';
    // As the emulator does, what has no value is left out.
    const plain = JSON.stringify(body);
    return mask === undefined ? plain : JSON.stringify(withMasks(parseJson(plain), mask));
  }

  /** Somebody else creates an object of the same kind, before a creation would have. */
  intrude(path: string, text: string): void {
    const target = this.#core.router('POST', path);
    const body = text === '' ? undefined : parseJson(text);
    if (target?.action !== 'create' || target.parentId !== undefined || !isObject(body)) return;
    const { fields, idPrefix, name } = target.kind;
    const number = this.store.nextNumber();
    const spec = Object.fromEntries(
      Object.entries(body).filter(([field]) => field !== METADATA && fields[field]?.unique === undefined),
    );
    const id = makeId(idPrefix, number);
    const made: Stored = {
      kind: name,
      id,
      parentId: undefined,
      number,
      created: this.#stamp(),
      owner: 'usr_they',
      spec,
      once: {},
    };
    this.store.put(made);
    this.intruders.set(id, made);
  }

  /** Somebody else writes into the object that a path names; gives its id. */
  editConcurrently(path: string): string | undefined {
    const stored = this.store.get(this.#core.router('GET', path)?.id ?? '');
    if (stored !== undefined) this.store.put({ ...stored, spec: { ...stored.spec, [DESCRIPTION]: CONCURRENT_EDIT } });
    return stored?.id;
  }

  /** Another stack makes its own marker of ours. */
  takeOver(id: string): void {
    const own = this.store.get(id);
    if (own === undefined || this.taken.has(id)) return;
    const theirs = String(own.spec[METADATA]).replace('"stack":"shop"', '"stack":"shopping"');
    const stored = { ...own, spec: { ...own.spec, [METADATA]: theirs } };
    this.store.put(stored);
    this.taken.set(id, { stored, at: this.#now() });
  }

  /** Another stack makes an object that uses one of ours. */
  takeIntoUse({ id, as }: NonNullable<RequestFault['uses']>): void {
    const victim = this.store.get(id);
    if (victim === undefined || this.intruders.size > 0) return;
    const kind = kindByName(victim.kind);
    const use = usesOfKind(kind).find(({ name }) => name === as);
    if (use === undefined) throw new Error(`nothing uses a ${victim.kind} as ${as}`);
    const spec = use.specFor(respond(this.#core.view, kind, victim));
    const above = use.kind.parent === undefined ? undefined : kindByName(use.kind.parent.kind);
    const parent = above && this.#putTheirs(above, bareSpec(above), formatAddress(above, 'late'));
    const address = formatAddress(use.kind, 'late', above && formatAddress(above, 'late'));
    this.#putTheirs(use.kind, spec, address, parent?.id);
  }

  /** Puts an object of another stack there. */
  #putTheirs({ name, idPrefix }: Kind, spec: JsonObject, address: string, parentId?: string): Stored {
    const number = this.store.nextNumber();
    const marker = writeMarker('', { v: 1, stack: 'shopping', address, applied: {} });
    const made: Stored = {
      kind: name,
      id: makeId(idPrefix, number),
      parentId,
      number,
      created: this.#stamp(),
      owner: 'usr_they',
      spec: { ...spec, [METADATA]: marker },
      once: {},
    };
    this.store.put(made);
    this.intruders.set(made.id, made);
    return made;
  }

  /** Whether a request is about a list. */
  isList(method: string, path: string): boolean {
    return this.#core.router(method, path.split('?', 1)[0] ?? '')?.action === 'list';
  }

  #deleteAnyway(stored: Stored): { status: number; body: undefined } {
    const inside = this.store.all().filter((one) => one.parentId === stored.id);
    this.store.remove([stored.id, ...inside.map((one) => one.id)]);
    return { status: 204, body: undefined };
  }

  #isTooMuch(): boolean {
    const { isLimited = false, spacingMs = 0 } = this.#knobs;
    const now = this.#now();
    while ((this.#arrivals[0] ?? Infinity) <= now - WINDOW_MS) this.#arrivals.shift();
    const isSoon = now - (this.#arrivals.at(-1) ?? -Infinity) < spacingMs;
    if (isSoon || (isLimited && this.#arrivals.length >= MOST_REQUESTS)) return true;
    this.#arrivals.push(now);
    return false;
  }

  #readsOf(kind: string): number {
    return this.#reads.get(kind) ?? 0;
  }

  #remember(before: readonly Stored[]): void {
    const after = new Map(this.store.all().map((one) => [one.id, one]));
    const had = new Set(before.map((one) => one.id));
    const note = (stored: Stored, isGone: boolean) =>
      this.#changes.push({ stored, isGone, at: this.#now(), reads: this.#readsOf(listedUnder(stored)) });
    for (const stored of after.values()) if (!had.has(stored.id)) note(stored, false);
    for (const stored of before) if (!after.has(stored.id)) note(stored, true);
  }

  /** The store as lists show it: what changed lately is not to be seen yet. */
  #listed(kind: Kind): Store {
    const { lagMs = 0, lagReads = 0 } = this.#knobs;
    if (lagMs === 0 && lagReads === 0) return this.store;
    const isFresh = ({ at, reads }: Change) =>
      this.#now() - at < lagMs || (this.#now() - at < MOST_LAG_MS && this.#readsOf(kind.name) - reads < lagReads);
    const isLate = isOf(this.#knobs.lagOf);
    return this.#before(
      this.#changes.filter((one) => listedUnder(one.stored) === kind.name && isLate(one) && isFresh(one)),
    );
  }

  /** The store without these changes. */
  #before(changes: readonly Change[]): Store {
    const all = new Map(this.store.all().map((one) => [one.id, one]));
    for (const { stored, isGone } of [...changes].reverse()) {
      if (isGone) all.set(stored.id, stored);
      else all.delete(stored.id);
    }
    return createStore([...all.values()], () => undefined);
  }

  #note(asked: Asked, answered: Answered, id: string, gone?: Stored): Answered {
    const json = asked.text === '' ? undefined : parseJson(asked.text);
    const body = isObject(json) ? json : undefined;
    const stored = this.store.get(id) ?? gone;
    const metadata = stored?.spec[METADATA] ?? body?.[METADATA];
    this.log.push({
      run: asked.run,
      at: this.#now(),
      method: asked.method,
      path: asked.path,
      body,
      status: answered.status,
      id,
      address: addressIn(metadata),
      isLate: asked.isLate === true,
      objects: this.store.all(),
    });
    return answered;
  }
}

/** Tells changes of one sort; all of them when none is named. */
function isOf(behind: Behind | undefined): (change: Change) => boolean {
  return ({ isGone }) => behind === undefined || isGone === (behind === 'deleted');
}

/** Name of the kind in whose list an object appears. */
function listedUnder(stored: Stored): string {
  return kinds.find((one) => one.name === stored.kind)?.parent?.kind ?? stored.kind;
}

function refused(status: number, msg: string): Answered {
  return { status, text: JSON.stringify({ error_code: 'ERR_EDGE_FAULT', status_code: status, msg, details: {} }) };
}
