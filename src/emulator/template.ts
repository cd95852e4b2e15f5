// Fills in the catalogue's `emulate` templates for values that the service decides. Knows no field by name.
//
// `{name}` is the value of another field next to it, or of the whole object, or one of the words below.

import type { Json, JsonObject } from '../core/json.ts';
import { isList } from '../core/json.ts';
import type { Stored } from './state/store.ts';

const FIRST_PORT = 20_000;
const PORTS = 40_000;

/** Words that templates may use: `{id}`, `{uri}`, `{parent}`, `{created}`, `{owner}`, `{number}`, `{port}`. */
export function templateWords(stored: Stored, uri: string): JsonObject {
  return {
    id: stored.id,
    uri,
    parent: stored.parentId ?? null,
    created: stored.created,
    owner: stored.owner,
    number: stored.number,
    port: FIRST_PORT + (stored.number % PORTS),
  };
}

/** The template with every `{name}` replaced from the first scope that has it. */
export function fillTemplate(template: Json, scopes: readonly JsonObject[]): Json {
  if (isList(template)) return template.map((item) => fillTemplate(item, scopes));
  if (typeof template !== 'string') return template;
  return template.replace(/\{([a-z_]+)\}/g, (_, name: string) => {
    const scope = scopes.find((candidate) => Object.hasOwn(candidate, name));
    const value = scope?.[name] ?? '';
    return typeof value === 'object' ? '' : String(value);
  });
}
