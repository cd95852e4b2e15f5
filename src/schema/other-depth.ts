// A field that is unknown where it stands, and known in a block inside it, around it or beside it. What restricts who may reach
// something is often such a field: the fix says where it belongs, and never to remove it.

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { alternatives } from '../core/text/closest.ts';
import { valueAt } from '../core/value.ts';
import { safeKey } from './describe-value.ts';
import { allTypesOf } from './location.ts';

/** A field that is known in more places than this is one that every block has. */
const MAX_PLACES = 12;

/** The path of a block of a resource has its kind and its name at least: nothing belongs into another kind. */
const LENGTH_OF_RESOURCE = 2;

/** Stands for the name of an entry in a path. */
const ENTRY = '*';

/** A block of a document, and the schema of the block. */
interface Block {
  readonly schema: JsonObject;
  readonly value: Json | undefined;
}

type Place = readonly string[];

/** The part of a schema that describes the value at a path. */
export function schemaAt(schema: JsonObject, path: Place): JsonObject {
  return path.reduce<JsonObject>((at, key) => {
    const { properties, items, additionalProperties } = at;
    if (hasKey(properties, key)) return objectOf(properties[key]);
    return objectOf(isObject(items) ? items : additionalProperties);
  }, schema);
}

/** The fix for a key of the block, if one inside it has a field of this name: `error_threshold_percentage` beside `circuit_breaker`. */
export function fixOfDeeper(block: Block, key: string): string | undefined {
  const places = placesOf(block, key);
  return places.length === 0 ? undefined : `move it into ${alternatives(places.map(inWords))}`;
}

/** The fix for a key with a single value, in a block whose one map takes any names: a header beside `add`. */
export function fixOfMap({ schema }: Block, value: Json | undefined): string | undefined {
  if (value === null || typeof value === 'object' || value === undefined) return undefined;
  const maps = Object.entries(objectOf(schema['properties'])).filter(([, field]) => {
    const { additionalProperties: entry } = objectOf(field);
    return isObject(entry) && allTypesOf(entry).includes('string');
  });
  const [[name] = [], ...others] = maps;
  return name === undefined || others.length > 0 ? undefined : `move it into ${name}`;
}

/** The fix for a key of the block at the path, if one around it or in its resource has it: `hostports` or `min_version` in a route. */
export function fixOfElsewhere(root: Block, path: Place, key: string): string | undefined {
  const around = path.map((_, index) => path.slice(0, path.length - index - 1));
  const owner = around.find((outer) => hasKey(schemaAt(root.schema, outer)['properties'], key));
  if (owner !== undefined)
    return owner.length === 0 ? 'move it to the top level of the file' : `move it to ${addressOf(owner)}`;
  for (const outer of around.filter(({ length }) => length >= LENGTH_OF_RESOURCE)) {
    const value = valueAt(root.value, outer);
    const places = placesOf({ schema: schemaAt(root.schema, outer), value }, key);
    if (places.length > 0) return `move it to ${alternatives(places.map((place) => addressOf([...outer, ...place])))}`;
  }
  return undefined;
}

/** The places inside the block that have the field: those that are given, or else all that are the least deep. */
function placesOf({ schema, value }: Block, key: string): readonly Place[] {
  const all = placesIn(schema, key).sort((a, b) => a.length - b.length);
  const given = all.filter((place) => isGiven(value, place));
  const some = given.length > 0 ? given : all;
  const nearest = some.filter(({ length }) => length === some[0]?.length);
  return nearest.length > MAX_PLACES ? [] : nearest;
}

function placesIn(schema: JsonObject, key: string, at: Place = []): Place[] {
  const { properties, items, additionalProperties } = schema;
  const inner: (readonly [string, Json])[] = Object.entries(objectOf(properties));
  for (const entry of [items, additionalProperties]) if (isObject(entry)) inner.push([ENTRY, entry]);
  return inner.flatMap(([name, one]) => {
    const place = [...at, name];
    const field = objectOf(one);
    return [...(hasKey(field['properties'], key) ? [place] : []), ...placesIn(field, key, place)];
  });
}

/** True for a block that is written there, if with nothing in it, or as its name alone. */
function isGiven(value: Json | undefined, [first, ...rest]: Place): boolean {
  if (first === undefined) return true;
  if (first === ENTRY) return isObject(value) && Object.values(value).some((entry) => isGiven(entry, rest));
  if (value === first) return rest.length === 0;
  return hasKey(value, first) && isGiven(value[first], rest);
}

/** `oauth.provider.github`, or `backend of an entry of routes`. */
function inWords(place: Place): string {
  const entry = place.lastIndexOf(ENTRY);
  if (entry === -1) return place.join('.');
  const outer = `an entry of ${inWords(place.slice(0, entry))}`;
  return entry === place.length - 1 ? outer : `${place.slice(entry + 1).join('.')} of ${outer}`;
}

function addressOf(place: Place): string {
  return place.includes(ENTRY) ? inWords(place) : place.map(safeKey).join('.');
}

function hasKey(fields: Json | undefined, key: string): fields is JsonObject {
  return isObject(fields) && Object.hasOwn(fields, key);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
