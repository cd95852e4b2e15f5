// The resources of a Terraform state as a manifest that adopts their objects. Reads no service: what the state says is taken for
// the live object, and the first plan says what has changed since.

import type { Kind } from '../catalog/kind.ts';
import { isId } from '../catalog/id.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { ID } from '../catalog/fields/common.ts';
import { whyNeverSecret } from '../catalog/secrecy/secrecy.ts';
import { mapFieldLeaves } from '../catalog/walk.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import { compareText, mapObject } from '../core/json.ts';
import { Secret } from '../core/secrets/secret.ts';
import { plural, withArticle } from '../core/text/text.ts';
import type { Value } from '../core/value.ts';
import { exportManifest, exportWarnings, type Exported } from '../export/export.ts';
import { receive } from '../resource/receive.ts';
import { ShapeError } from '../resource/shape-error.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { bodyOf, isMarked } from './body.ts';
import type { StateResource } from './state.ts';

/** Something of the state that the manifest lacks: a resource, attributes of one, or all resources of a type. */
export interface NotImported {
  readonly from: string;
  readonly why: string;
}

export interface Imported extends Exported {
  /** Terraform's address and ours of each resource. */
  readonly taken: readonly { readonly from: string; readonly address: string; readonly id: string }[];
  readonly notImported: readonly NotImported[];
  readonly warnings: readonly Diagnostic[];
}

interface ImportOptions {
  readonly stack: string;
  /** Maximum size of a manifest file. */
  readonly maxBytes: number;
}

/** The manifest of all resources that have a kind. */
export function importState(resources: readonly StateResource[], { stack, maxBytes }: ImportOptions): Imported {
  const read = new Map<string, { readonly from: StateResource; readonly live: LiveResource }>();
  const notImported: NotImported[] = otherTypes(resources);
  for (const from of resources) {
    const kind = kindOf(from);
    const leave = (why: string) => notImported.push({ from: from.address, why });
    const { live, why, unknown = [] } = kind === undefined ? {} : readResource(kind, from);
    const twin = live && read.get(live.id);
    if (why !== undefined) leave(why);
    else if (twin !== undefined) leave(`it is the same object as ${twin.from.address}`);
    else if (live !== undefined) read.set(live.id, { from, live });
    if (unknown.length > 0) leave(`a manifest has no field for ${unknown.join(', ')}`);
  }
  const scope = { of: 'all', stack } as const;
  const found = [...read.values()];
  const names = new Map(found.map(({ live, from }) => [live.id, nameOf(from.words)]));
  const also = notImported.map(({ from, why }) => `- ${from}: ${why}`);
  const snapshot = { resources: found.map(({ live }) => live), unread: [], requests: 0 };
  const made = exportManifest(snapshot, { ...scope, split: false, names, also });
  const placeOf = (id: string) => read.get(id)?.from.address ?? id;
  const all = [...made.leftOut.map(({ live, why }) => ({ from: placeOf(live.id), why })), ...notImported];
  return {
    ...made,
    taken: [...made.addresses].map(([id, address]) => ({ from: placeOf(id), address, id })),
    notImported: all,
    warnings: [...incomplete(all), ...exportWarnings({ ...made, leftOut: [] }, scope, maxBytes)],
  };
}

function incomplete({ length }: readonly NotImported[]): Diagnostic[] {
  const message = `the state has more than the manifest: ${plural(length, 'remark')}`;
  const fix = 'the comments at the end of the manifest explain each';
  return length === 0 ? [] : [{ code: 'not-exported', severity: 'warning', message, fix }];
}

/** The kind of a resource: its type is the name of a provider, then that of the kind, and its id has the kind's form. */
function kindOf({ type }: StateResource): Kind | undefined {
  return topLevelKinds.find(({ name }) => type.endsWith(`_${name}`) && !type.slice(0, -name.length - 1).includes('_'));
}

/** One remark for each type without a kind. */
function otherTypes(resources: readonly StateResource[]): NotImported[] {
  const others = groupBy(
    resources.filter((one) => kindOf(one) === undefined),
    ({ type }) => type,
  );
  return [...others]
    .sort(([a], [b]) => compareText(a, b))
    .map(([type, list]) => {
      const from = type === '' ? 'no type' : type;
      return { from, why: `${plural(list.length, 'resource')} of a type that edgeform does not manage` };
    });
}

interface ReadResource {
  readonly live?: LiveResource;
  readonly why?: string;
  readonly unknown?: readonly string[];
}

function readResource(kind: Kind, { values, marks, why }: StateResource): ReadResource {
  if (why !== undefined) return { why };
  const id = Object.hasOwn(values, ID) ? values[ID] : undefined;
  if (typeof id !== 'string' || !isId(kind, id)) return { why: `its id is not that of ${withArticle(kind.title)}` };
  const { body, unknown } = bodyOf(kind.fields, values);
  try {
    return { ...concealed(kind, receive(kind, body), (path) => isMarked(marks, path)), unknown };
  } catch (error) {
    if (error instanceof ShapeError) return { why: error.message };
    throw error;
  }
}

/** The object with a secret in place of each text that the state calls sensitive, unless its field is always shown. */
function concealed(kind: Kind, live: LiveResource, isSensitive: (path: readonly string[]) => boolean): ReadResource {
  const shown: string[] = [];
  const spec = mapObject<Value, Value>(live.spec, (value, name) => {
    const at = { field: kind.fields[name], path: [name], place: [name] };
    return mapFieldLeaves(value, at, (leaf, { field, path }) => {
      if (leaf instanceof Secret || !isSensitive(path)) return leaf;
      const why = field && whyNeverSecret(field);
      if (why !== undefined) shown.push(`the state calls ${path.join('.')} sensitive, but ${why}`);
      return typeof leaf === 'string' ? new Secret(leaf) : leaf;
    });
  });
  return shown[0] === undefined ? { live: { ...live, spec } } : { why: shown[0] };
}

/** `net["eu"]`, `db`, `0` → `net-eu-db-0` */
function nameOf(words: readonly string[]): string {
  const name = words
    .join('-')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, MAX_NAME);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

const MAX_NAME = 100;
