// Converts objects from outside, in response or request shape, to stored ones. Enforces no rules.

import type { Json, JsonObject } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import { CREATED_AT, ID, URI } from '../../catalog/fields/common.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds } from '../../catalog/lookup.ts';
import { kinds } from '../../catalog/kinds/index.ts';
import { makeId } from '../ids.ts';
import { ownerOf } from '../rules.ts';
import type { Stored } from './store.ts';

interface SeedRules {
  /** Default creation time. */
  readonly now: string;
  /** Default owner. */
  readonly owner: string;
}

/** The kind of the objects under a list key, or under a key of their parent. */
export function kindByListKey(key: string): Kind | undefined {
  return kinds.find((kind) => kind.operations.list?.key === key) ?? kinds.find((kind) => kind.parent?.listedAs === key);
}

/** The objects of a seed: lists by list key, oldest first, children inside their parents. */
export function seedObjects(seed: JsonObject, rules: SeedRules): Stored[] {
  const made = new Map<string, Stored>();
  for (const [key, items] of Object.entries(seed)) {
    const kind = kindByListKey(key);
    if (kind === undefined || kind.parent) throw new Error(`seed: no list has the key ${key}`);
    addObjects(kind, items, { made, rules, parentId: undefined });
  }
  return [...made.values()];
}

interface Adding {
  /** By id. */
  readonly made: Map<string, Stored>;
  readonly rules: SeedRules;
  readonly parentId: string | undefined;
}

function addObjects(kind: Kind, items: Json, adding: Adding): void {
  if (!isList(items)) throw new Error(`seed: the ${kind.manifestKey} are not a list`);
  for (const item of items) {
    if (!isObject(item)) throw new Error(`seed: one of the ${kind.manifestKey} is not an object`);
    const stored = seedObject(kind, item, adding);
    adding.made.set(stored.id, stored);
    for (const child of childKinds(kind)) {
      addObjects(child, item[child.parent?.listedAs ?? ''] ?? [], { ...adding, parentId: stored.id });
    }
  }
}

function seedObject(kind: Kind, item: JsonObject, { made, rules, parentId }: Adding): Stored {
  const number = made.size + 1;
  const id = text(item[ID]) ?? makeId(kind.idPrefix, number);
  if (made.has(id)) throw new Error(`seed: two objects have the id ${id}`);
  const spec = requestShape(kind, item);
  const once = Object.entries(kind.fields).flatMap(([name, field]): [string, string][] => {
    const shown = field.read === 'once' ? text(item[name]) : undefined;
    return shown === undefined ? [] : [[name, shown]];
  });
  return {
    kind: kind.name,
    id,
    parentId,
    number,
    created: text(item[CREATED_AT]) ?? rules.now,
    owner: ownerOf(kind, spec) ?? rules.owner,
    spec,
    once: Object.fromEntries(once),
  };
}

/** The stored values of an object in response or request shape; null stays, because it means "unset" in a change. */
export function requestShape(kind: Kind, item: JsonObject): JsonObject {
  const own = [ID, URI, CREATED_AT, kind.parent?.idField];
  const known = Object.entries(toRequest(kind.fields, item)).filter(
    ([name]) => !own.includes(name) && kind.fields[name]?.read !== 'once',
  );
  return Object.fromEntries(known);
}

function toRequest(fields: Fields, item: JsonObject): JsonObject {
  const read = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const shown = field.response?.name;
    const value = Object.hasOwn(item, name) ? item[name] : shown === undefined ? undefined : item[shown];
    return value === undefined ? [] : [[name, valueOf(field, value)]];
  });
  return Object.fromEntries(read);
}

function valueOf(field: Field, value: Json): Json {
  if (field.response?.shape === 'ref' || field.response?.shape === 'refs') {
    return isList(value) ? value.map(idOf) : idOf(value);
  }
  if (field.type === 'list' && isList(value)) return value.map((item) => valueOf(field.items, item));
  if (field.type !== 'object' || !isObject(value)) return value;
  const unknown = Object.entries(value).filter(([name]) => field.open && !Object.hasOwn(field.fields, name));
  const known = Object.entries(toRequest(field.fields, value));
  return Object.fromEntries([...unknown, ...known].filter(([, item]) => item !== null));
}

function idOf(value: Json): Json {
  return isObject(value) ? (value[ID] ?? null) : value;
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
