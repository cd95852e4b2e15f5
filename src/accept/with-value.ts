// A document with other values at some paths. Pure; each map is copied once, whatever the number of values.

import { groupBy } from '../core/group.ts';
import { isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { childKinds, kindByManifestKey } from '../catalog/lookup.ts';
import { FIRST_IN_BLOCK, FIRST_KEYS, placeOfKey } from '../catalog/order.ts';
import { fieldOf, fieldsIn } from '../catalog/walk.ts';
import type { Fields } from '../catalog/field.ts';

/** A value that a document shall have; undefined to have none. */
interface Value {
  readonly path: Path;
  readonly value: Json | undefined;
}

/**
 * Maps on the way are added where they are missing; a new key stands where `fmt` puts it. Of values at one path, the last counts.
 * What has no other value stays the same object.
 */
export function withValues(json: Json | undefined, values: readonly Value[], above: Path = []): Json | undefined {
  const whole = values.findLastIndex(({ path }) => path.length === 0);
  const base = whole < 0 ? json : values[whole]?.value;
  const inside = values.slice(whole + 1);
  const map = isObject(base) ? base : {};
  const changed = new Map<string, Json | undefined>();
  for (const [key, own] of groupBy(inside, ({ path: [first] }) => first)) {
    const before = Object.hasOwn(map, key) ? map[key] : undefined;
    const below = own.map(({ path, value }) => ({ path: path.slice(1), value }));
    const after = withValues(before, below, [...above, key]);
    // What shall go may have gone with what it was in.
    if (after !== before) changed.set(key, after);
  }
  return changed.size === 0 ? base : withEntries(map, changed, above);
}

/** Undefined for an entry that goes. */
function withEntries(map: JsonObject, changed: ReadonlyMap<string, Json | undefined>, above: Path): JsonObject {
  const made = Object.entries(map).flatMap(([key, now]): [string, Json][] => {
    const next = changed.has(key) ? changed.get(key) : now;
    return next === undefined ? [] : [[key, next]];
  });
  const place = placeOfKey(keysAt(above));
  for (const [key, value] of changed) {
    if (value === undefined || Object.hasOwn(map, key)) continue;
    const at = made.findLastIndex(([name]) => place(name) <= place(key)) + 1;
    made.splice(at, 0, [key, value]);
  }
  return Object.fromEntries(made);
}

/** The keys of the map at a path, in their order; none where the order is the user's. */
function keysAt(path: Path): readonly string[] {
  if (path.length === 0) return FIRST_KEYS;
  const [section = '', name, ...inside] = path;
  let kind = kindByManifestKey(section);
  if (kind === undefined || name === undefined) return [];
  let rest = inside;
  for (let child = childOf(kind, rest); child !== undefined; child = childOf(kind, rest)) {
    if (rest.length < 2) return [];
    kind = child;
    rest = rest.slice(2);
  }
  const [field, ...deeper] = rest;
  if (field === undefined) return [...FIRST_IN_BLOCK, ...Object.keys(kind.fields)];
  return Object.keys(
    deeper.reduce<Fields>((fields, one) => fieldsIn(fieldOf(fields, one)), fieldsIn(fieldOf(kind.fields, field))),
  );
}

function childOf(kind: NonNullable<ReturnType<typeof kindByManifestKey>>, [key]: Path) {
  return childKinds(kind).find(({ manifestKey }) => manifestKey === key);
}
