// The objects of the emulator in memory, with the states before the latest writes. Knows neither rules nor HTTP.

import type { JsonObject } from '../../core/json.ts';
import type { Kind } from '../../catalog/kind.ts';

/** One object. Records are never changed, only replaced. */
export interface Stored {
  /** Kind name. */
  readonly kind: string;
  readonly id: string;
  readonly parentId: string | undefined;
  /** Running number over all kinds; later objects have greater ones. */
  readonly number: number;
  readonly created: string;
  /** User or bot that owns it, for kinds that have an owner. */
  readonly owner: string;
  /** Given values by catalogue name, in request shape, without nulls; values set from outside may override computed ones. */
  readonly spec: JsonObject;
  /** Values that were shown once, by field name. */
  readonly once: Readonly<Record<string, string>>;
}

export interface Store {
  readonly get: (id: string) => Stored | undefined;
  readonly all: () => Stored[];
  /** Objects of a kind, newest first; `parentId` limits them to one parent. */
  readonly list: (kind: Kind, parentId?: string) => Stored[];
  readonly nextNumber: () => number;
  readonly put: (stored: Stored) => void;
  readonly remove: (ids: readonly string[]) => void;
  /** The store as it was so many writes ago, read-only in effect. */
  readonly past: (writes: number) => Store;
}

/** How many states are remembered for stale answers. */
const HISTORY = 32;

/** A store that starts with the objects; `changed` runs before every write takes effect, and prevents it by throwing. */
export function createStore(initial: readonly Stored[], changed: (objects: readonly Stored[]) => void): Store {
  let objects: ReadonlyMap<string, Stored> = new Map(initial.map((stored) => [stored.id, stored]));
  const history: ReadonlyMap<string, Stored>[] = [];
  let highest = Math.max(0, ...initial.map((stored) => stored.number));
  const replace = (next: ReadonlyMap<string, Stored>): void => {
    // What cannot be kept is not done.
    changed([...next.values()]);
    history.unshift(objects);
    history.length = Math.min(history.length, HISTORY);
    objects = next;
  };
  return {
    get: (id) => objects.get(id),
    all: () => [...objects.values()],
    list: (kind, parentId) => listOf([...objects.values()], kind, parentId),
    nextNumber: () => ++highest,
    put: (stored) => replace(new Map(objects).set(stored.id, stored)),
    remove: (ids) => replace(new Map([...objects].filter(([id]) => !ids.includes(id)))),
    past: (writes) => {
      const state = history[Math.min(writes, history.length) - 1] ?? objects;
      return createStore([...state.values()], () => undefined);
    },
  };
}

function listOf(objects: readonly Stored[], kind: Kind, parentId: string | undefined): Stored[] {
  return objects
    .filter((stored) => stored.kind === kind.name && (parentId === undefined || stored.parentId === parentId))
    .sort((a, b) => b.number - a.number);
}
