// A service that keeps the secrets it was given to itself: every answer has a mask in their place.

import type { Json, JsonObject } from '../../src/base/json.ts';
import { isList, isObject } from '../../src/base/json.ts';
import type { Fields } from '../../src/catalog/field.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import type { Direct } from './direct.ts';

const names = new Set(managedKinds.flatMap((kind) => sensitive(kind.fields)));

function sensitive(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.sensitive) return [name];
    return field.type === 'object' ? sensitive(field.fields) : [];
  });
}

function masked(value: Json, mask: string): Json {
  if (isList(value)) return value.map((item) => masked(item, mask));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    names.has(name) && typeof item === 'string' ? mask : masked(item, mask),
  ]);
  return Object.fromEntries(entries);
}

/** The same service, whose answers mask every secret that is there. */
export function masking(direct: Direct, mask = '***'): Direct {
  const { list, get, write } = direct.client;
  return {
    ...direct,
    client: {
      list: async (path, key) => {
        const found = await list(path, key);
        return { ...found, items: found.items.map((item) => masked(item, mask) as JsonObject) };
      },
      get: async (path) => {
        const found = await get(path);
        return found && (masked(found, mask) as JsonObject);
      },
      write: async (request) => masked(await write(request), mask),
    },
  };
}
