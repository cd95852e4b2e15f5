// Finds kinds by name, manifest key or id. Knows no particular kind.

import { BugError } from '../core/diagnostic.ts';
import { ID } from './fields/common.ts';
import type { Capability, Kind, ListOperation } from './kind.ts';
import { kinds } from './kinds/index.ts';

const kindsByName: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.name, kind]));

/** Kinds that a manifest may hold. */
export const managedKinds: readonly Kind[] = kinds.filter((kind) => kind.unmanaged !== true);

/** Kinds with a top-level manifest key of their own. */
export const topLevelKinds: readonly Kind[] = managedKinds.filter((kind) => kind.parent === undefined);

const kindsByKey: ReadonlyMap<string, Kind> = new Map(topLevelKinds.map((kind) => [kind.manifestKey, kind]));

const childrenByParent: ReadonlyMap<string, readonly Kind[]> = new Map(
  kinds.map((parent) => [parent.name, managedKinds.filter((kind) => kind.parent?.kind === parent.name)]),
);

/** The kind with this name; an unknown name is a bug of ours. */
export function kindByName(name: string): Kind {
  const kind = kindsByName.get(name);
  if (kind === undefined) throw new BugError(`no kind is named ${name}`);
  return kind;
}

export function findKind(name: string): Kind | undefined {
  return kindsByName.get(name);
}

/** How a manifest refers to objects of these kinds. */
export function referencesTo(names: readonly string[]): string[] {
  return keysOf(names).map((key) => `\${${key}.NAME.${ID}}`);
}

/** The manifest keys of kinds. */
export function keysOf(names: readonly string[]): string[] {
  return names.flatMap((name) => findKind(name)?.manifestKey ?? []);
}

export function kindByManifestKey(key: string): Kind | undefined {
  return kindsByKey.get(key);
}

/** The kind whose list contains objects of this one. */
export function rootOf(kind: Kind): Kind {
  return kind.parent === undefined ? kind : rootOf(kindByName(kind.parent.kind));
}

export function childKinds(parent: Kind): readonly Kind[] {
  return childrenByParent.get(parent.name) ?? [];
}

/** The kind that an id belongs to by its prefix; the longest prefix wins. */
export function kindByIdPrefix(id: string): Kind | undefined {
  const fitting = kinds.filter((kind) => id.startsWith(kind.idPrefix));
  return fitting.sort((a, b) => b.idPrefix.length - a.idPrefix.length)[0];
}

/** True when objects of the kind can be listed: on their own, or in the responses for their parent. */
export function canList({ parent, operations: { list } }: Kind, capabilities: ReadonlySet<Capability>): boolean {
  if (parent !== undefined) return true;
  return list !== undefined && (list.capability === undefined || capabilities.has(list.capability));
}

/** Children can be listed if their parent can. */
export function isListable(name: string, capabilities: ReadonlySet<Capability>): boolean {
  const kind = kindByName(name);
  return canList(kind.parent === undefined ? kind : kindByName(kind.parent.kind), capabilities);
}

/** The kind whose objects are only read and deleted, and its list. */
export function listedKind(): { readonly kind: Kind; readonly list: ListOperation } {
  const kind = kinds.find(({ unmanaged }) => unmanaged === true);
  const list = kind?.operations.list;
  if (kind === undefined || list === undefined) throw new BugError('the catalogue has no kind that is only listed');
  return { kind, list };
}

/** True for a field of the kind, or the section of a child. */
export function hasKey(kind: Kind, key: string): boolean {
  return Object.hasOwn(kind.fields, key) || childKinds(kind).some(({ manifestKey }) => manifestKey === key);
}
