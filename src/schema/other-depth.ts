// A field that is unknown where it stands, and known one level deeper or in a block around it.

import { isObject, type Json, type JsonObject } from '../core/json.ts';
import { alternatives } from '../core/text/closest.ts';
import { safeKey } from './describe-value.ts';

/** A field that is known in more places than this could belong to any of them. */
const MAX_PLACES = 3;

/** The part of a schema that describes the value at a path. */
export function schemaAt(schema: JsonObject, path: readonly string[]): JsonObject {
  return path.reduce<JsonObject>((at, key) => {
    const { properties, items, additionalProperties } = at;
    if (hasKey(properties, key)) return objectOf(properties[key]);
    return objectOf(isObject(items) ? items : additionalProperties);
  }, schema);
}

/** The fix for a key of the block at the path, if a block inside it or around it has a field of this name. */
export function fixOfOtherDepth(schema: JsonObject, path: readonly string[], key: string): string | undefined {
  return fixOfDeeper(schemaAt(schema, path), key) ?? fixOfHigher(schema, path, key);
}

/** Such as `error_threshold_percentage` beside `circuit_breaker`, and `match` in an edge with `routes`. */
function fixOfDeeper({ properties }: JsonObject, key: string): string | undefined {
  if (!isObject(properties)) return undefined;
  const places = Object.entries(properties).flatMap(([name, inner]) => {
    const { properties: fields, additionalProperties: entry } = objectOf(inner);
    if (hasKey(fields, key)) return [name];
    return hasKey(objectOf(entry)['properties'], key) ? [`an entry of ${name}`] : [];
  });
  return places.length === 0 || places.length > MAX_PLACES ? undefined : `move it into ${alternatives(places)}`;
}

/** Such as `hostports` in a route. */
function fixOfHigher(schema: JsonObject, path: readonly string[], key: string): string | undefined {
  const around = path.map((_, index) => path.slice(0, path.length - index - 1));
  const owner = around.find((outer) => hasKey(schemaAt(schema, outer)['properties'], key));
  if (owner === undefined) return undefined;
  return owner.length === 0 ? 'move it to the top level of the file' : `move it to ${owner.map(safeKey).join('.')}`;
}

function hasKey(fields: Json | undefined, key: string): fields is JsonObject {
  return isObject(fields) && Object.hasOwn(fields, key);
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
