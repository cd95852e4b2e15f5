// Implements each operation: create, list, get, update, delete, remove a field (§4). Knows no kind by name and no sockets.

import type { Json, JsonObject } from '../core/json.ts';
import { isObject } from '../core/json.ts';
import { BugError } from '../core/diagnostic.ts';
import type { Kind } from '../catalog/kind.ts';
import { ID } from '../catalog/fields/common.ts';
import { childKinds, kindByName } from '../catalog/lookup.ts';
import type { Caller } from './access.ts';
import { readBody } from './http/body.ts';
import { makeId, makeToken } from './ids.ts';
import type { PageRules } from './paging.ts';
import { checkQuery, listPage } from './paging.ts';
import { invalid, PROBLEM, Refusal } from './problem.ts';
import type { View } from './http/respond.ts';
import { respond } from './http/respond.ts';
import type { Action, Target } from './http/router.ts';
import { checkOwner, checkUnused, checkWhole, ownerOf } from './rules.ts';
import type { Stored } from './state/store.ts';

/** The key in which a public client wraps a module. */
const WRAPPER = 'module';

/** Input of an operation. */
interface Call {
  readonly view: View;
  readonly target: Target;
  readonly caller: Caller;
  readonly query: URLSearchParams;
  readonly body: Json | undefined;
  readonly pages: PageRules;
  /** RFC 3339, whole seconds. */
  readonly now: string;
  /** Seed for generated tokens. */
  readonly tokenSeed: string;
}

export interface Answer {
  readonly status: number;
  readonly body: JsonObject | undefined;
}

/** Carries out one operation; throws a refusal when it is not allowed. */
export function perform(call: Call): Answer {
  if (call.target.action !== 'list') checkQuery(call.query, []);
  return operations[call.target.action](call);
}

const operations: Readonly<Record<Action, (call: Call) => Answer>> = {
  create,
  list: ({ view, target, query, pages }) => ({ status: 200, body: listPage(view, target.kind, query, pages) }),
  get: (call) => ({ status: 200, body: respond(call.view, call.target.kind, find(call)) }),
  update,
  delete: remove,
  getField: (call) => ({ status: 200, body: partOf(call, find(call)) }),
  putField,
  removeField,
};

function create(call: Call): Answer {
  const { view, target, caller } = call;
  const { kind, parentId } = target;
  if (kind.parent) findIn(view, kindByName(kind.parent.kind), parentId ?? '');
  const spec = readBody(kind, kind.parent === undefined ? bodyOf(call) : withoutPath(call), 'create');
  checkOwner(kind, spec, caller);
  const number = view.store.nextNumber();
  const id = makeId(kind.idPrefix, number);
  const once = Object.entries(kind.fields).filter(([, field]) => field.read === 'once');
  const stored: Stored = {
    kind: kind.name,
    id,
    parentId,
    number,
    created: call.now,
    owner: ownerOf(kind, spec) ?? caller.owner,
    spec,
    once: Object.fromEntries(once.map(([name]) => [name, makeToken(id, call.tokenSeed)])),
  };
  checkWhole(view.store, kind, stored, undefined);
  view.store.put(stored);
  return { status: 201, body: respond(view, kind, stored, true) };
}

/** Given fields replace, others stay (§4); omitting an always-sent field empties it (ADR-0007). */
function update(call: Call): Answer {
  const { fields } = call.target.kind;
  const next = change(call, withoutPath(call), ({ spec }) =>
    Object.fromEntries(Object.entries(spec).filter(([name]) => !fields[name]?.alwaysSend)),
  );
  return { status: 200, body: respond(call.view, call.target.kind, next) };
}

/** The object with the given fields and what is kept of it. */
function change(call: Call, body: JsonObject, kept: (before: Stored) => Stored['spec']): Stored {
  const { view, target } = call;
  const before = find(call);
  const given = readBody(target.kind, body, 'update');
  const next = { ...before, spec: { ...kept(before), ...given } };
  checkWhole(view.store, target.kind, next, before);
  view.store.put(next);
  return next;
}

/** Children are deleted with the object. */
function remove(call: Call): Answer {
  const { view, target } = call;
  const stored = find(call);
  const inside = childKinds(target.kind).flatMap((child) => view.store.list(child, stored.id).map(({ id }) => id));
  const ids = [stored.id, ...inside];
  checkUnused(view.store, ids);
  view.store.remove(ids);
  return { status: 204, body: undefined };
}

/** The module as the object shows it. */
function partOf({ view, target }: Call, stored: Stored): JsonObject {
  const field = target.field ?? '';
  const part = respond(view, target.kind, stored)[target.kind.fields[field]?.response?.name ?? field];
  if (!isObject(part)) throw new Refusal(404, PROBLEM.notFound, `${stored.id} has no ${field}`);
  return part;
}

/** Replaces the module whole. */
function putField(call: Call): Answer {
  const next = change(call, { [call.target.field ?? '']: moduleOf(call) }, ({ spec }) => spec);
  return { status: 200, body: partOf(call, next) };
}

/** Succeeds even if there is nothing to remove. */
function removeField(call: Call): Answer {
  const stored = find(call);
  const { field } = call.target;
  if (field === undefined) throw new BugError('a removal names its field');
  const spec = Object.fromEntries(Object.entries(stored.spec).filter(([name]) => name !== field));
  if (Object.hasOwn(stored.spec, field)) call.view.store.put({ ...stored, spec });
  return { status: 204, body: undefined };
}

function find({ view, target }: Call): Stored {
  const stored = findIn(view, target.kind, target.id);
  if (stored.parentId !== target.parentId) throw gone(target.kind, target.id);
  return stored;
}

function findIn(view: View, kind: Kind, id: string): Stored {
  const stored = view.store.get(id);
  if (stored?.kind !== kind.name) throw gone(kind, id);
  return stored;
}

function gone(kind: Kind, id: string): Refusal {
  return new Refusal(404, PROBLEM.notFound, `there is no ${kind.title} ${id}`);
}

/** The body at a module's own path: the module, or a single value under the name `module` (ADR-0007). */
function moduleOf(call: Call): Json {
  const body = withoutPath(call);
  const [wrapped, ...beside] = Object.entries(body);
  return wrapped?.[0] === WRAPPER && beside.length === 0 ? wrapped[1] : body;
}

/** The body without the ids in the path, which every body may repeat. */
function withoutPath(call: Call): JsonObject {
  const { kind, id, parentId } = call.target;
  const inPath = new Map([
    ...(id === '' ? [] : [[ID, id] as const]),
    ...(kind.parent === undefined ? [] : [[kind.parent.idField, parentId] as const]),
  ]);
  const entries = Object.entries(bodyOf(call)).filter(([name, value]) => {
    if (!inPath.has(name)) return true;
    if (value !== inPath.get(name)) throw invalid(PROBLEM.badValue, `${name} is not the one of the path`);
    return false;
  });
  return Object.fromEntries(entries);
}

function bodyOf({ body }: Call): JsonObject {
  if (!isObject(body)) throw invalid(PROBLEM.badJson, 'the body must be a JSON object');
  return body;
}
