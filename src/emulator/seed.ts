// Objects given from outside: seeds in response shape, and saved states. Response names become request names.

import type { Json, JsonObject } from '../base/json.ts';
import { isList, isObject } from '../base/json.ts';
import type { Fields } from '../catalog/field.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { Stored } from './respond.ts';
import { kindOfList, type Store } from './store.ts';

/** Puts objects into the store: list key → objects in response (or request) shape. */
export function seed(store: Store, lists: JsonObject, now: string): void {
  for (const [key, objects] of Object.entries(lists)) {
    const kind = kindOfList(key);
    if (kind === undefined || !isList(objects)) throw new Error(`seed: "${key}" is not the key of a list of objects`);
    for (const object of objects) {
      if (!isObject(object)) throw new Error(`seed: ${key} holds something that is not an object`);
      seedOne(store, kind.name, object, now);
    }
  }
}

function seedOne(store: Store, kindName: string, object: JsonObject, now: string): void {
  const kind = kindByName(kindName);
  const serial = store.nextSerial();
  const { id, created_at: createdAt } = object;
  const parentId = kind.parent === undefined ? undefined : object[kind.parent.idField];
  store.put({
    kind,
    id: typeof id === 'string' ? id : `${kind.idPrefix}2${serial.toString(36).padStart(26, '0')}`,
    parentId: typeof parentId === 'string' ? parentId : undefined,
    serial,
    createdAt: typeof createdAt === 'string' ? createdAt : now,
    fields: toRequest(kind.fields, object),
    once: {},
  });
}

function toRequest(fields: Fields, object: JsonObject): JsonObject {
  const made: Record<string, Json> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = object[field.response?.name ?? name] ?? object[name];
    if (value === undefined || value === null) continue;
    if (field.response !== undefined && field.response.shape !== 'same') made[name] = isList(value) ? value.map(idOf) : idOf(value);
    else if (field.type === 'object' && isObject(value)) made[name] = toRequest(field.fields, value);
    else made[name] = value;
  }
  return made;
}

function idOf(value: Json): Json {
  return isObject(value) ? (value['id'] ?? null) : value;
}

/** The whole store as JSON, for a state file. */
export function dump(store: Store): Json {
  return store.all().map(({ kind, parentId, ...rest }) => ({ kind: kind.name, parentId: parentId ?? null, ...rest }));
}

/** Restores what `dump` gave. */
export function restore(store: Store, saved: Json): void {
  if (!isList(saved)) throw new Error('the state file does not hold a list of objects');
  for (const item of saved) store.put(toStored(item));
}

function toStored(item: Json): Stored {
  if (!isObject(item)) throw new Error('the state file holds something that is not an object');
  const { kind, id, parentId, serial, createdAt, fields, once } = item;
  if (typeof kind !== 'string' || typeof id !== 'string' || typeof serial !== 'number' || typeof createdAt !== 'string') {
    throw new Error('the state file holds an incomplete object');
  }
  return {
    kind: kindByName(kind),
    id,
    parentId: typeof parentId === 'string' ? parentId : undefined,
    serial,
    createdAt,
    fields: isObject(fields) ? fields : {},
    once: isObject(once) ? once : {},
  };
}
