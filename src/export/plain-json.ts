// What a program hands over → JSON, or a TypeError that names the place of what is none.

import { isList, type Json, type JsonObject, type Path } from '../core/json.ts';

/** The members of a map but for those that are undefined. */
export function plainMap(map: object, path: Path, above: readonly object[] = []): JsonObject {
  const prototype: unknown = Object.getPrototypeOf(map);
  if (prototype !== Object.prototype && prototype !== null) throw notJson(path, `a ${map.constructor.name}`);
  if (above.includes(map)) throw notJson(path, 'inside itself');
  const members = Object.entries(map).filter(([, value]) => value !== undefined);
  return Object.fromEntries(members.map(([key, value]) => [key, plainJson(value, [...path, key], [...above, map])]));
}

function plainJson(value: unknown, path: Path, above: readonly object[]): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (isList(value)) return plainList(value, path, above);
  if (typeof value === 'object') return plainMap(value, path, above);
  throw notJson(path, typeof value === 'number' ? String(value) : `of type ${typeof value}`);
}

function plainList(list: readonly unknown[], path: Path, above: readonly object[]): Json[] {
  if (above.includes(list)) throw notJson(path, 'inside itself');
  return list.map((item, index) => plainJson(item, [...path, String(index)], [...above, list]));
}

function notJson(path: Path, got: string): TypeError {
  const place = path.length === 0 ? 'the manifest' : path.join('.');
  return new TypeError(`${place} is ${got}; a manifest has texts, numbers, true, false, lists and maps`);
}
