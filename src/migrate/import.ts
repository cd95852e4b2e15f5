// The resources of a Terraform state as a manifest that adopts their objects. Reads no service: what the state says is taken for
// the live object, and the first plan says what has changed since (ADR-0038).

import { ID } from '../catalog/fields/common.ts';
import type { Field, Fields } from '../catalog/field.ts';
import { isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName, managedKinds } from '../catalog/lookup.ts';
import { whyNeverSecret } from '../catalog/secrecy/secrecy.ts';
import { fieldEntries, fieldOf, mapFieldLeaves } from '../catalog/walk.ts';
import { append } from '../core/append.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { isList, isObject, mapObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { plural, withArticle } from '../core/text/text.ts';
import { trimOf } from '../core/text/trim.ts';
import { eachLeaf, type Value } from '../core/value.ts';
import { exportManifest, type ExportedManifest } from '../export/export.ts';
import { commentLines } from '../export/yaml.ts';
import { receive } from '../resource/receive.ts';
import { ShapeError } from '../resource/shape-error.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { recognise, type Recognised } from './recognise.ts';
import type { StateResource } from './state.ts';

const MAX_NAME = 100;

/** A resource of the state that has no part, or only some, in the manifest. */
export interface LeftOut {
  /** Terraform's address. */
  readonly from: string;
  readonly why: string;
}

/** The manifest of a state, and what became of each of its resources. */
export interface ImportedState {
  readonly exported: ExportedManifest;
  /** Terraform's address and ours of each resource. */
  readonly taken: readonly { readonly from: string; readonly address: string; readonly id: string }[];
  readonly leftOut: readonly LeftOut[];
}

/** The manifest of all resources that have a kind. */
export function importState(resources: readonly StateResource[], stack: string): ImportedState {
  const { read, leftOut } = readAll(resources);
  const named = read.filter(({ from }) => from.words.length > 0);
  const names = new Map(named.map(({ live, from }) => [live.id, nameOf(from.words)]));
  const snapshot = { resources: read.map(({ live }) => live), unread: [], requests: 0 };
  const exported = exportManifest(snapshot, { of: 'all', stack, names });
  const sources = new Map(read.map(({ live, from }) => [live.id, from.address]));
  const sourceOf = (id: string) => sources.get(id) ?? id;
  const remarks = remarksOn(leftOut);
  return {
    exported: { ...exported, files: exported.files.map(({ path, text }) => ({ path, text: `${text}${remarks}` })) },
    taken: [...exported.addresses].map(([id, address]) => ({ from: sourceOf(id), address, id })),
    leftOut: [...exported.leftOut.map(({ live, why }) => ({ from: sourceOf(live.id), why })), ...leftOut],
  };
}

/** Says of a state that has nothing for a manifest what it has. */
export function nothingToImport(leftOut: readonly LeftOut[]): Diagnostic {
  const found = leftOut.map(({ from, why }) => `${from}: ${why}`).join('; ');
  return {
    code: 'nothing-to-import',
    severity: 'error',
    message: `nothing in the state can be imported${found === '' ? ', because it has no resources' : `: ${found}`}`,
    fix: `import a state with resources whose ids begin with ${managedKinds.map(({ idPrefix }) => idPrefix).join(', ')}`,
  };
}

interface ReadStateResource {
  readonly from: StateResource;
  readonly live: LiveResource;
}

/** The resources as live objects, each once. */
function readAll(resources: readonly StateResource[]): {
  readonly read: readonly ReadStateResource[];
  readonly leftOut: readonly LeftOut[];
} {
  for (const { values, marks } of resources) registerMarked(values, marks);
  const recognised = resources.flatMap(recognise);
  const read = new Map<string, ReadStateResource>();
  const leftOut: LeftOut[] = otherTypes(recognised);
  for (const { from, kind, parentId } of recognised) {
    const { live, why, unknown = [] } = kind === undefined ? {} : readResource(kind, from, parentId);
    const same = live && read.get(live.id);
    const reason = same === undefined ? why : `it is the same object as ${same.from.address}`;
    if (reason !== undefined) leftOut.push({ from: from.address, why: reason });
    else if (live !== undefined) read.set(live.id, { from, live });
    if (unknown.length > 0)
      leftOut.push({ from: from.address, why: `a manifest has no field for ${unknown.join(', ')}` });
  }
  return { read: [...read.values()], leftOut };
}

/** Every text that the state calls sensitive is a secret, whatever becomes of its resource. */
function registerMarked(value: Json | undefined, marks: Json | undefined): void {
  if (value === undefined || marks === undefined) return;
  if (marks === true) eachLeaf(value, registerText);
  else if (isList(value) && isList(marks)) value.forEach((item, index) => registerMarked(item, marks[index]));
  else if (isObject(value) && isObject(marks))
    for (const [name, mark] of Object.entries(marks)) registerMarked(ownMember(value, name), mark);
}

function registerText(leaf: Value): void {
  if (typeof leaf === 'string') knownSecrets.add(leaf);
}

function ownMember(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Comments at the end of the manifest. */
function remarksOn(leftOut: readonly LeftOut[]): string {
  const lines = commentLines(leftOut.map(({ from, why }) => `- ${from}: ${why}`));
  return leftOut.length === 0 ? '' : ['', '# Not imported:', ...lines, ''].join('\n');
}

/** One remark for each type without a kind. */
function otherTypes(recognised: readonly Recognised[]): LeftOut[] {
  const types = groupBy(recognised, ({ kind, from }) => (kind === undefined ? from.type || 'no type' : undefined));
  return [...types].map(([from, { length }]) => {
    return { from, why: `${plural(length, 'resource')} of a type that edgeform does not manage` };
  });
}

interface ReadResource {
  readonly live?: LiveResource;
  readonly why?: string | undefined;
  readonly unknown?: readonly string[];
}

function readResource(kind: Kind, { values, marks, why }: StateResource, parentId: string | undefined): ReadResource {
  if (why !== undefined) return { why };
  const id = values[ID];
  if (typeof id !== 'string' || !isId(kind, id)) return { why: `its id is not that of ${withArticle(kind.title)}` };
  if (kind.parent !== undefined && parentId === undefined)
    return { why: `it does not say which ${kindByName(kind.parent.kind).title} it belongs to` };
  const { body, unknown } = bodyOf(kind.fields, values);
  try {
    return { ...concealed(kind, receive(kind, body, parentId), (path) => isMarked(marks, path)), unknown };
  } catch (error) {
    if (error instanceof ShapeError) return { why: error.message };
    throw error;
  }
}

/** The object with a secret in place of each text that the state calls sensitive, unless its field is always shown. */
function concealed(kind: Kind, live: LiveResource, isSensitive: (path: readonly string[]) => boolean): ReadResource {
  let shown: string | undefined;
  const spec = mapObject<Value, Value>(live.spec, (value, name) => {
    const at = { field: kind.fields[name], path: [name], place: [name] };
    return mapFieldLeaves(value, at, (leaf, { field, path }) => {
      if (leaf instanceof Secret || !isSensitive(path)) return leaf;
      const why = field && whyNeverSecret(field);
      if (why !== undefined) shown ??= `the state calls ${path.join('.')} sensitive, but ${why}`;
      return typeof leaf === 'string' ? new Secret(leaf) : leaf;
    });
  });
  return shown === undefined ? { live: { ...live, spec } } : { why: shown };
}

/** `net["eu"]`, `db`, `0` → `net-eu-db-0` */
function nameOf(words: readonly string[]): string {
  const plain = words.join('-').replace(/[^A-Za-z0-9_]+/g, '-');
  const name = trimOf(plain, '-').slice(0, MAX_NAME);
  // A key that no manifest can have.
  if (name === '__proto__') return '_proto';
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

/**
 * The attributes of a state in the shape of a response, and the dotted names of those that no field takes: blocks are lists of one
 * object, unset text is empty, and references are plain ids.
 */
function bodyOf(fields: Fields, values: JsonObject) {
  const unknown: string[] = [];
  return { body: membersOf(fields, values, { path: [], unknown }), unknown };
}

interface Cursor {
  readonly path: Path;
  readonly unknown: string[];
}

function membersOf(fields: Fields, values: JsonObject, { path, unknown }: Cursor, isOpen = false): JsonObject {
  const others = Object.entries(values).filter(
    ([name, value]) => fieldOf(fields, name) === undefined && !isUnset(value),
  );
  if (!isOpen)
    append(
      unknown,
      others.map(([name]) => [...path, name].join('.')),
    );
  const known = fieldEntries(fields).flatMap(([name, field]): [string, Json][] => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined || isEmpty(value)) return [];
    const made = memberOf(field, value, { path: [...path, name], unknown });
    return made === undefined ? [] : [[field.response?.name ?? name, made]];
  });
  return Object.fromEntries([...(isOpen ? others : []), ...known]);
}

/** Unset in Terraform; an attribute that no field takes is not worth a word then. */
function isUnset(value: Json): boolean {
  return isEmpty(value) || value === false || value === 0;
}

function isEmpty(value: Json): boolean {
  return value === null || value === '' || (isList(value) && value.length === 0);
}

function memberOf(field: Field, value: Json, cursor: Cursor): Json | undefined {
  if (field.response?.shape === 'ref') return { id: value };
  if (field.response?.shape === 'refs') return isList(value) ? value.map((id) => ({ id })) : value;
  if (field.type === 'list' && isList(value)) return value.map((item) => memberOf(field.items, item, cursor) ?? null);
  if (field.type !== 'object') return value;
  const block = isList(value) && value.length === 1 ? value[0] : value;
  if (isObject(block)) return membersOf(field.fields, block, cursor, field.open);
  cursor.unknown.push(cursor.path.join('.'));
  return undefined;
}

/** True when `sensitive_values` marks the value at the path, or anything that it is in. */
function isMarked(marks: Json | undefined, [head, ...rest]: Path): boolean {
  if (head === undefined || marks === true || marks === undefined) return marks === true;
  if (isList(marks))
    return /^\d+$/.test(head) ? isMarked(marks[Number(head)], rest) : isMarked(marks[0], [head, ...rest]);
  return isObject(marks) && Object.hasOwn(marks, head) && isMarked(marks[head], rest);
}
