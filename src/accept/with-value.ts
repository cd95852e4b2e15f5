// A document with another value at one path. Pure.

import { isObject, type Json, type Path } from '../core/json.ts';
import { childKinds, kindByManifestKey } from '../catalog/lookup.ts';
import { FIRST_IN_BLOCK, placeOfKey } from '../catalog/order.ts';
import { fieldOf, fieldsIn } from '../catalog/walk.ts';
import type { Fields } from '../catalog/field.ts';

/** Maps on the way are added where they are missing; a new key stands where `fmt` puts it. Undefined removes the value. */
export function withValueAt(json: Json, path: Path, value: Json | undefined, above: Path = []): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value ?? null;
  const map = isObject(json) ? json : {};
  // It went with what it was in.
  if (value === undefined && !Object.hasOwn(map, key)) return json;
  if (rest.length === 0 && value === undefined)
    return Object.fromEntries(Object.entries(map).filter(([name]) => name !== key));
  const inner = withValueAt(map[key] ?? {}, rest, value, [...above, key]);
  if (Object.hasOwn(map, key))
    return Object.fromEntries(Object.entries(map).map(([name, item]) => [name, name === key ? inner : item]));
  const entries = Object.entries(map);
  const place = placeOfKey(keysAt(above));
  const at = entries.findLastIndex(([name]) => place(name) <= place(key)) + 1;
  return Object.fromEntries([...entries.slice(0, at), [key, inner], ...entries.slice(at)]);
}

/** The keys of the map at a path, in their order; none where the order is the user's. */
function keysAt(path: Path): readonly string[] {
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
