// Stored objects → response bodies in the shape of §2: Refs, nulls, defaults, masks. Knows no kind by name.

import type { Json, JsonObject } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import type { Field, Fields, ListField, ObjectField, StringField } from '../../catalog/field.ts';
import type { Kind } from '../../catalog/kind.ts';
import { childKinds, findKind } from '../../catalog/lookup.ts';
import { isCaseless, keptItems, keptValue } from '../normalize.ts';
import { violations } from '../rules.ts';
import type { Store, Stored } from '../state/store.ts';
import { fillTemplate, templateWords } from '../template.ts';

/** The source of answers, and the addresses in them. */
export interface View {
  readonly store: Store;
  readonly baseUrl: string;
  /** Values are answered in the form in which services keep them. */
  readonly normalizes?: boolean;
  /** Values that are false, 0 or empty are left out, as some languages do; an object keeps its own lists. */
  readonly omitsZeros?: boolean;
  /** What is shown in place of a secret; default: an empty text. */
  readonly masks?: string | undefined;
  /** For a 0 the default is kept. */
  readonly keepsDefaults?: boolean;
}

interface Scope {
  readonly view: View;
  readonly stored: Stored;
  /** Values that templates may refer to, innermost first. */
  readonly names: readonly JsonObject[];
  /** Paths whose emulated default would break a rule. */
  readonly unfilled: ReadonlySet<string>;
  /** Whether to show returned-once values. */
  readonly first: boolean;
}

/** The whole object as GET returns it; `first` is for the answer to its creation (§5). */
export function respond(view: View, kind: Kind, stored: Stored, first = false): JsonObject {
  const names = [withKnownDefaults(kind.fields, stored.spec), templateWords(stored, uriOf(view, kind, stored))];
  const filled = withServiceDefaults(kind.fields, stored.spec);
  const unfilled = new Set(violations(kind, filled).map((violation) => violation.path));
  const body = showFields(kind.fields, stored.spec, { view, stored, names, unfilled, first }, '');
  const children = childKinds(kind).map((child): [string, Json] => [
    child.parent?.listedAs ?? child.manifestKey,
    view.store.list(child, stored.id).map((inner) => respond(view, child, inner)),
  ]);
  return { ...body, ...Object.fromEntries(children) };
}

/** Address of an object (§2). */
function uriOf(view: View, kind: Kind, stored: Stored): string {
  const path = kind.operations.get.path.replace('{id}', stored.id).replace('{parent_id}', stored.parentId ?? '');
  return view.baseUrl + path;
}

function withKnownDefaults(fields: Fields, spec: JsonObject): JsonObject {
  const known = Object.entries(fields).flatMap(([name, field]): [string, Json][] =>
    typeof field.default === 'object' ? [[name, field.default.value]] : [],
  );
  return { ...Object.fromEntries(known), ...spec };
}

/** The spec with emulated values in place of omitted ones, wherever their parent is given. */
function withServiceDefaults(fields: Fields, spec: JsonObject): JsonObject {
  const made: Record<string, Json> = { ...spec };
  for (const [name, field] of Object.entries(fields)) {
    const value = spec[name];
    if (value === undefined && field.emulate !== undefined && field.write !== 'never') made[name] = field.emulate;
    else if (field.type === 'object' && isObject(value)) made[name] = withServiceDefaults(field.fields, value);
  }
  return made;
}

function showFields(fields: Fields, given: JsonObject, scope: Scope, above: string): JsonObject {
  const shown = Object.entries(fields).map(([name, field]): [string, Json] => {
    const path = above === '' ? name : `${above}.${name}`;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return [field.response?.name ?? name, showField(field, value ?? null, scope, { name, path })];
  });
  const isShown = ([, value]: [string, Json]) => !isZero(value) || (above === '' && isList(value));
  return Object.fromEntries(scope.view.omitsZeros === true ? shown.filter(isShown) : shown);
}

function isZero(value: Json): boolean {
  return value === false || value === 0 || value === '' || (isList(value) && value.length === 0);
}

/** Whether the default takes the place of a 0. */
function isKept({ emulate }: Field, value: Json, { view }: Scope): boolean {
  return view.keepsDefaults === true && value === 0 && emulate !== undefined;
}

function showField(field: Field, value: Json, scope: Scope, { name, path }: { name: string; path: string }): Json {
  if (field.read === 'once') return scope.first ? (scope.stored.once[name] ?? null) : null;
  if (value === null || isKept(field, value, scope)) return omitted(field, scope, path);
  if (field.sensitive === true && scope.view.masks !== undefined) return scope.view.masks;
  if (field.read === 'masked') return '';
  if (field.response?.shape === 'ref') return refTo(scope.view, String(value));
  if (field.response?.shape === 'refs')
    return (isList(value) ? value : [value]).map((id) => refTo(scope.view, String(id)));
  return showValue(field, value, scope, path);
}

function omitted(field: Field, scope: Scope, path: string): Json {
  if (field.emulate !== undefined && !scope.unfilled.has(path)) return fillTemplate(field.emulate, scope.names);
  return typeof field.default === 'object' ? field.default.value : null;
}

function showValue(field: Field, given: Json, scope: Scope, path: string): Json {
  const value = scope.view.normalizes === true ? keptValue(field, given) : given;
  if (field.type === 'string' && typeof value === 'string') return showText(field, value);
  if (field.type === 'list' && isList(value)) return showList(field, value, scope, path);
  if (field.type === 'map' && isObject(value)) return showMap(field.keys, value);
  if (field.type === 'object' && isObject(value)) return showObject(field, value, scope, path);
  return value;
}

function showList(field: ListField, value: readonly Json[], scope: Scope, path: string): Json {
  const items = value.map((item) => showValue(field.items, item, scope, path));
  return scope.view.normalizes === true ? keptItems(field, items) : items;
}

/** Text compared without case is returned in lower case, so that clients must compare it so, too (ADR-0007). */
function showText(field: StringField, value: string): string {
  if (!isCaseless(field)) return value;
  return field.values?.find((allowed) => allowed.toLowerCase() === value.toLowerCase()) ?? value.toLowerCase();
}

function showMap(keys: 'kept' | 'lower', value: JsonObject): JsonObject {
  if (keys === 'kept') return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toLowerCase(), item]));
}

function showObject(field: ObjectField, value: JsonObject, scope: Scope, path: string): JsonObject {
  const inner = showFields(field.fields, value, { ...scope, names: [value, ...scope.names] }, path);
  if (!field.open) return inner;
  const unknown = Object.entries(value).filter(([name]) => !Object.hasOwn(field.fields, name));
  return { ...Object.fromEntries(unknown), ...inner };
}

function refTo(view: View, id: string): JsonObject {
  const target = view.store.get(id);
  const kind = target && findKind(target.kind);
  return { id, uri: target && kind ? uriOf(view, kind, target) : `${view.baseUrl}/elsewhere/${id}` };
}
