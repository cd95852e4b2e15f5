// A service that keeps the secrets it was given to itself: every answer has a mask in their place.

import type { ReadClient, WriteClient } from '../../src/service/transport.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import type { Fields } from '../../src/catalog/field.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';

/** What services write in place of a secret that they do not show. */
export const MASKS = ['', '*', '***', '********', 'XXXX'];

const names = new Set(managedKinds.flatMap((kind) => sensitive(kind.fields)));

function sensitive(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (field.sensitive) return [name];
    return field.type === 'object' ? sensitive(field.fields) : [];
  });
}

/** The value with a mask in place of every secret that is there. */
export function withMasks(value: Json, mask: string): Json {
  if (isList(value)) return value.map((item) => withMasks(item, mask));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]): [string, Json] => [
    name,
    names.has(name) && typeof item === 'string' ? mask : withMasks(item, mask),
  ]);
  return Object.fromEntries(entries);
}

/** The same client, whose answers have a mask in place of every secret that is there. */
export function masked(client: WriteClient, mask: string | undefined): WriteClient {
  if (mask === undefined) return client;
  const { list, write } = client;
  const get: WriteClient['get'] = async (path) => {
    const found = await client.get(path);
    return found && (withMasks(found, mask) as JsonObject);
  };
  const reader: ReadClient = {
    list: async (path, key) => {
      const found = await list(path, key);
      return { ...found, items: found.items.map((item) => withMasks(item, mask) as JsonObject) };
    },
    get,
  };
  return {
    ...client,
    ...reader,
    write: async (request) => withMasks(await write({ ...request, check: async () => request.check?.(reader) }), mask),
  };
}
