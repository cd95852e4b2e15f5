// Whether a seed could have come from the service: names, ids, values and uniqueness. A seed is written by hand or copied from
// answers, so it may contain values that only the service sets, and masked secrets.

import type { Json, JsonObject } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import { CREATED_AT, ID, URI } from '../../catalog/fields/common.ts';
import type { Field, Fields } from '../../catalog/field.ts';
import { idForm, isId } from '../../catalog/id.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds, kindByName } from '../../catalog/lookup.ts';
import { readBody } from '../http/body.ts';
import { failureMessage, Refusal } from '../problem.ts';
import { checkWhole } from '../rules.ts';
import { kindByListKey, seedObjects } from './seed.ts';
import type { Stored } from './store.ts';
import { createStore } from './store.ts';

/** The problems of a seed, each with its place, such as `tls_edges.0: …`, or why its lists cannot be identified. */
export function seedProblems(seed: JsonObject): string[] {
  try {
    return problemsOf(seed);
  } catch (error) {
    return [failureMessage(error)];
  }
}

function problemsOf(seed: JsonObject): string[] {
  const named = Object.entries(seed).flatMap(([key, items]) => {
    const kind = kindByListKey(key);
    return kind === undefined ? [] : problemsIn(kind, items, key);
  });
  return named.length > 0 ? named : problemsAmong(seedObjects(seed, { now: new Date(0).toISOString(), owner: '' }));
}

function problemsIn(kind: Kind, items: Json, at: string): string[] {
  if (!isList(items)) return [];
  return items.flatMap((item, index) => {
    if (!isObject(item)) return [];
    const here = `${at}.${index}`;
    const inside = childKinds(kind).flatMap((child) => {
      const key = child.parent?.listedAs ?? '';
      return problemsIn(child, item[key] ?? [], `${here}.${key}`);
    });
    return [...ownProblems(kind, item).map((problem) => `${here}: ${problem}`), ...inside];
  });
}

function ownProblems(kind: Kind, item: JsonObject): string[] {
  const lists = childKinds(kind).map((child) => child.parent?.listedAs ?? '');
  const own: readonly string[] = [ID, URI, CREATED_AT, kind.parent?.idField ?? '', ...lists];
  const rest = Object.fromEntries(Object.entries(item).filter(([name]) => !own.includes(name)));
  const { [ID]: id, [CREATED_AT]: created } = item;
  return [
    ...(id === undefined || (typeof id === 'string' && isId(kind, id)) ? [] : [`${ID} must be ${idForm(kind)}`]),
    ...(created === undefined || !Number.isNaN(Date.parse(String(created))) ? [] : [`${CREATED_AT} must be a time`]),
    ...unknownNames(kind.fields, rest, ''),
  ];
}

function unknownNames(fields: Fields, item: JsonObject, above: string): string[] {
  const byName = new Map(
    Object.entries(fields).flatMap(([name, field]) => [
      [name, field] as const,
      [field.response?.name ?? name, field] as const,
    ]),
  );
  return Object.entries(item).flatMap(([name, value]) => {
    const field = byName.get(name);
    if (field === undefined) return [`${above}${name} is not a field`];
    const isOpen = field.type !== 'object' || field.open === true || !isObject(value);
    return isOpen ? [] : unknownNames(field.fields, value, `${above}${name}.`);
  });
}

/** Checks values by the rules for a creation, then whole objects; a conflict is reported for the later object. */
function problemsAmong(objects: readonly Stored[]): string[] {
  const earlier = createStore([], () => undefined);
  const store = { ...createStore(objects, () => undefined), holders: earlier.holders };
  return objects.flatMap((one) => {
    const kind = kindByName(one.kind);
    try {
      readBody(kind, writable(kind.fields, one.spec), 'create');
      checkWhole(store, kind, { ...one, spec: withoutNulls(one.spec) }, undefined);
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return [`${one.id}: ${error.message}`];
    } finally {
      earlier.put(one);
    }
  });
}

/** A null in an answer means that there is no value. */
function withoutNulls(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null));
}

/** The values that a client could have sent, with some text in place of a masked secret. */
function writable(fields: Fields, spec: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(spec).flatMap(([name, value]): [string, Json][] => {
      const field = fields[name];
      if (value === null || field?.write === 'never' || field?.write === 'update') return [];
      return [[name, field === undefined ? value : sent(field, value)]];
    }),
  );
}

function sent(field: Field, value: Json): Json {
  if (field.sensitive === true && value === '') return 'masked';
  if (field.type === 'list' && isList(value)) return value.map((item) => sent(field.items, item));
  return field.type === 'object' && isObject(value) ? writable(field.fields, value) : value;
}
