// The emulator's objects in memory, with the objects that the latest writes replaced. Knows neither rules nor HTTP. The cost of
// a write or a page depends on what it touches, not on the number of objects.

import type { JsonObject } from '../../core/json.ts';
import type { Kind } from '../../catalog/kind.ts';
import { keysOf } from '../keys.ts';
import type { Chain, Link } from './chain.ts';
import { addLink, objectsFrom, removeLink } from './chain.ts';

/** One object. Records are never changed, only replaced. */
export interface Stored {
  /** Kind name. */
  readonly kind: string;
  readonly id: string;
  readonly parentId: string | undefined;
  /** Counter over all kinds; later objects have greater numbers. */
  readonly number: number;
  readonly created: string;
  /** User or bot that owns it, for kinds that have an owner. */
  readonly owner: string;
  /** Given values by catalogue name, in request shape, without nulls; values set from outside may override computed ones. */
  readonly spec: JsonObject;
  /** Returned-once values, by field name. */
  readonly once: Readonly<Record<string, string>>;
}

export interface Store {
  readonly get: (id: string) => Stored | undefined;
  readonly all: () => Stored[];
  /** Objects of a kind, newest first; `parentId` limits them to one parent. */
  readonly list: (kind: Kind, parentId?: string) => Stored[];
  /** Top-level objects of a kind that are older than one of them, newest first; all of them without an id. */
  readonly older: (kind: Kind, id: string | undefined) => Iterable<Stored>;
  /** Objects with a key, oldest first. */
  readonly holders: (key: string) => Stored[];
  readonly nextNumber: () => number;
  readonly put: (stored: Stored) => void;
  readonly remove: (ids: readonly string[]) => void;
  /** The store as it was this many writes ago, effectively read-only. */
  readonly past: (writes: number) => Store;
}

/** The result of a write for each id: an object, or none. */
type Change = ReadonlyMap<string, Stored | undefined>;

/** Number of writes kept for stale answers. */
const HISTORY = 32;

/**
 * A store with initial objects; `changed` runs before every write takes effect, and prevents it by throwing. Its argument
 * returns the objects after the write.
 */
export function createStore(initial: readonly Stored[], changed: (objects: () => Stored[]) => void): Store {
  const objects = createObjects(initial);
  const history: Change[] = [];
  let highest = initial.reduce((most, { number }) => Math.max(most, number), 0);
  const write = (change: Change): void => {
    // A change that cannot be saved is not made.
    changed(() => [...withChange(objects.all(), change)]);
    history.unshift(new Map([...change.keys()].map((id) => [id, objects.get(id)])));
    history.length = Math.min(history.length, HISTORY);
    for (const [id, next] of change) objects.set(id, next);
  };
  const { set: _, ...read } = objects;
  return {
    ...read,
    nextNumber: () => ++highest,
    put: (stored) => {
      write(new Map([[stored.id, stored]]));
    },
    remove: (ids) => {
      write(new Map(ids.map((id) => [id, undefined])));
    },
    past: (writes) => {
      const state = history.slice(0, writes).reduce(withChange, objects.all());
      return createStore(state, () => undefined);
    },
  };
}

function withChange(objects: readonly Stored[], change: Change): Stored[] {
  const next = new Map(objects.map((stored) => [stored.id, stored]));
  for (const [id, stored] of change) {
    if (stored === undefined) next.delete(id);
    else next.set(id, stored);
  }
  return [...next.values()];
}

interface Objects extends Pick<Store, 'get' | 'all' | 'list' | 'older' | 'holders'> {
  readonly set: (id: string, next: Stored | undefined) => void;
}

/** The objects by id, in their lists, and by key. */
function createObjects(initial: readonly Stored[]): Objects {
  const links = new Map<string, Link<Stored>>();
  const chains = new Map<string, Chain<Stored>>();
  const all = () => Array.from(links.values(), ({ stored }) => stored);
  const index = createIndex(all);
  const take = (link: Link<Stored>): void => {
    const key = listOf(link.stored.kind, link.stored.parentId);
    const chain = chains.get(key);
    if (chain !== undefined) removeLink(chain, link);
    if (chain?.newest === undefined) chains.delete(key);
  };
  const place = (stored: Stored): void => {
    const key = listOf(stored.kind, stored.parentId);
    const chain = chains.get(key) ?? { newest: undefined };
    chains.set(key, chain);
    links.set(stored.id, addLink(chain, stored));
  };
  const set: Objects['set'] = (id, next) => {
    const link = links.get(id);
    index.replace(link?.stored, next);
    if (link !== undefined && next !== undefined && isBeside(link.stored, next)) link.stored = next;
    else {
      if (link !== undefined) take(link);
      if (next === undefined) links.delete(id);
      else place(next);
    }
  };
  for (const stored of [...initial].sort((a, b) => a.number - b.number)) set(stored.id, stored);
  const newestOf = (kind: Kind, parentId?: string) => chains.get(listOf(kind.name, parentId))?.newest;
  return {
    set,
    all,
    get: (id) => links.get(id)?.stored,
    list: (kind, parentId) =>
      kind.parent !== undefined && parentId === undefined
        ? all()
            .filter((stored) => stored.kind === kind.name)
            .sort((a, b) => b.number - a.number)
        : [...objectsFrom(newestOf(kind, parentId))],
    older: (kind, id) => objectsFrom(id === undefined ? newestOf(kind) : links.get(id)?.older),
    holders: index.holders,
  };
}

function listOf(kind: string, parentId: string | undefined): string {
  return `${kind} ${parentId ?? ''}`;
}

/** Whether both have the same place in the same list. */
function isBeside(a: Stored, b: Stored): boolean {
  return a.number === b.number && a.kind === b.kind && a.parentId === b.parentId;
}

interface Index {
  readonly replace: (old: Stored | undefined, next: Stored | undefined) => void;
  readonly holders: Store['holders'];
}

/** The objects by key, built on first use. */
function createIndex(all: () => Stored[]): Index {
  let made: Map<string, Map<string, Stored>> | undefined;
  const add = (byKey: Map<string, Map<string, Stored>>, stored: Stored): void => {
    for (const key of keysOf(stored))
      byKey.set(key, (byKey.get(key) ?? new Map<string, Stored>()).set(stored.id, stored));
  };
  return {
    replace: (old, next) => {
      if (made === undefined) return;
      for (const key of old === undefined ? [] : keysOf(old)) {
        const held = made.get(key);
        held?.delete(old?.id ?? '');
        if (held?.size === 0) made.delete(key);
      }
      if (next !== undefined) add(made, next);
    },
    holders: (key) => {
      if (made === undefined) {
        made = new Map();
        for (const stored of all()) add(made, stored);
      }
      return [...(made.get(key)?.values() ?? [])].sort((a, b) => a.number - b.number);
    },
  };
}
