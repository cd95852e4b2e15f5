// One request in, one response out: authentication, version header, routing, paging (§4, §5, §9). Knows nothing of sockets.

import type { Json, JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { childKinds } from '../catalog/lookup.ts';
import type { Capability } from '../catalog/kind.ts';
import { Refuse } from './refuse.ts';
import { respond } from './respond.ts';
import type { Stored } from './respond.ts';
import type { Found } from './routes.ts';
import { findRoute } from './routes.ts';
import type { Store } from './store.ts';

export interface ServiceSettings {
  readonly apiKey: string;
  readonly versionHeader: { readonly name: string; readonly value: string };
  readonly pageSize: number;
  readonly disabled: readonly Capability[];
}

export interface Incoming {
  readonly method: string;
  readonly url: URL;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

export interface Outgoing {
  readonly status: number;
  /** Null for no body. */
  readonly body: Json;
}

/** Handles one request; broken rules become error bodies, never exceptions. */
export function handle(store: Store, settings: ServiceSettings, incoming: Incoming): Outgoing {
  try {
    authenticate(store, settings, incoming);
    const { url, method } = incoming;
    const found = findRoute(method, url.pathname, settings.disabled);
    if (found === undefined) return { status: 404, body: { status_code: 404, msg: 'Not Found', details: { path: url.pathname } } };
    return run(store, settings, found, incoming);
  } catch (error) {
    if (!(error instanceof Refuse)) throw error;
    const { status, code, message, details } = error;
    return { status, body: { error_code: code, status_code: status, msg: message, details } };
  }
}

function authenticate(store: Store, { apiKey, versionHeader }: ServiceSettings, { headers }: Incoming): void {
  const found = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '');
  if (found === null) throw new Refuse(403, 'ERR_NO_KEY', 'the request has no bearer token');
  const token = found[1] ?? '';
  if (token !== apiKey && ![...store.tokens.values()].includes(token)) {
    throw new Refuse(403, 'ERR_BAD_KEY', `the token ${token} is not that of an API key`);
  }
  const version = headers[versionHeader.name.toLowerCase()];
  if (version !== versionHeader.value) {
    throw new Refuse(400, 'ERR_VERSION', `the header ${versionHeader.name} must be ${versionHeader.value}, not ${version ?? 'missing'}`);
  }
}

function run(store: Store, settings: ServiceSettings, { route, id, parentId }: Found, incoming: Incoming): Outgoing {
  const base = incoming.url.origin;
  const { kind, operation } = route;
  const show = (stored: Stored, isCreation = false) => complete(store, stored, { base, isCreation });
  const reads = operation === 'create' || operation === 'update' ? readBody(incoming) : {};
  if (parentId !== undefined && kind.parent !== undefined && !store.all().some((stored) => stored.id === parentId)) {
    throw new Refuse(404, 'ERR_NOT_FOUND', `there is no ${parentId}`);
  }
  switch (operation) {
    case 'list':
      return { status: 200, body: page(store, settings, route, incoming.url) };
    case 'create':
      return { status: 201, body: show(store.create(kind, reads, parentId), true) };
    case 'get':
      return { status: 200, body: show(store.get(kind, id, parentId)) };
    case 'update':
      return { status: 200, body: show(store.update(store.get(kind, id, parentId), reads)) };
    case 'delete':
      store.delete(store.get(kind, id, parentId));
      return { status: 204, body: null };
    case 'remove-field':
      store.removeField(store.get(kind, id, parentId), route.field);
      return { status: 204, body: null };
    default:
      return operation satisfies never;
  }
}

function readBody({ headers, text }: Incoming): JsonObject {
  if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) throw new Refuse(415, 'ERR_CONTENT_TYPE', 'the body must be application/json');
  let body: Json;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Refuse(400, 'ERR_BAD_JSON', 'the body is not JSON');
  }
  if (!isObject(body)) throw new Refuse(400, 'ERR_BAD_JSON', 'the body is not a JSON object');
  return body;
}

/** An object with those that live inside it. */
function complete(store: Store, stored: Stored, view: { readonly base: string; readonly isCreation: boolean }): JsonObject {
  const children = childKinds(stored.kind).map((child): [string, Json] => [
    child.parent?.listedAs ?? '',
    store
      .list(child, stored.id)
      .reverse()
      .map((inner) => respond(inner, view)),
  ]);
  return { ...respond(stored, view), ...Object.fromEntries(children) };
}

function page(store: Store, settings: ServiceSettings, { kind }: Found['route'], url: URL): JsonObject {
  const limit = url.searchParams.get('limit');
  if (limit !== null && !/^(?:[1-9]\d?|100)$/.test(limit)) throw new Refuse(400, 'ERR_LIMIT', 'limit must be 1 to 100');
  const size = limit === null ? settings.pageSize : Number(limit);
  const all = store.list(kind);
  const before = url.searchParams.get('before_id');
  const at = all.findIndex((stored) => stored.id === before);
  // Ids sort by age within a kind, so a cursor whose object is gone still has its place.
  const rest = before === null ? all : at >= 0 ? all.slice(at + 1) : all.filter((stored) => stored.id < before);
  const items = rest.slice(0, size);
  const last = items.at(-1);
  const base = `${url.origin}${url.pathname}`;
  const more = rest.length > items.length && last !== undefined;
  return {
    [kind.operations.list?.key ?? '']: items.map((stored) => complete(store, stored, { base: url.origin, isCreation: false })),
    uri: base,
    next_page_uri: more ? `${base}?limit=${size}&before_id=${last.id}` : null,
  };
}

