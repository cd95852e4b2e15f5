// Equality of JSON values; the order of keys does not matter.

import deepEqual from 'fast-deep-equal';
import { isList, isObject, type Json } from './json.ts';

/** True for equal values whose keys are the catalogue's or ours. */
export function sameJson(a: Json, b: Json): boolean {
  return deepEqual(a, b);
}

/**
 * True for equal values whose keys may come from outside. The library calls an object's own `toString` and `valueOf`, so that
 * such a key would be code: objects are compared as their entries.
 */
export function sameEntries(a: Json, b: Json): boolean {
  return deepEqual(entriesOf(a), entriesOf(b));
}

function entriesOf(value: Json): Json {
  if (isList(value)) return value.map(entriesOf);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return { keys, values: keys.map((key) => entriesOf(value[key] ?? null)) };
}
