// Digests of the live objects that a plan touches: equal digests mean that the object is unchanged since the plan was made.

import { secrecyOfDigest, sha256, shortDigest } from '../core/digest.ts';
import { canonicalJson, compareText, type JsonObject } from '../core/json.ts';
import { ID, METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { fieldDigest } from '../resource/digests.ts';
import type { Action, Phase } from './plan.ts';

/** Digests by field. Unordered lists in any order, and values that differ only in case, have equal digests. */
type FieldFingerprints = Readonly<Record<string, string>>;

/** True for drafts and steps that delete an object together with its children. */
export function isRemoval({ action, phase }: { readonly action: Action; readonly phase?: Phase }): boolean {
  return action === 'delete' || phase === 'delete';
}

/** Further inputs to the digests of a live object. */
interface FingerprintInput {
  /** Objects that are deleted with it: their fields count as its own. */
  readonly children?: readonly LiveResource[] | undefined;
  /** Earlier digests: fields that were secret then are treated as secret now. */
  readonly before?: FieldFingerprints | undefined;
}

/** Digests of all writable fields of a live object, and of what is deleted with it, as `routes.ID.match`. */
export function fingerprintFields(
  kind: Kind,
  live: LiveResource,
  { children = [], before = {} }: FingerprintInput = {},
): FieldFingerprints {
  const inside = children.flatMap((child) => childFingerprints(child, before));
  return Object.fromEntries([...ownFingerprints(kind, live, { before, prefix: '' }), ...inside]);
}

/** The name of a field of a child among the digests of its parent. */
export function childFieldPrefix(kind: Kind, id: string): string {
  return `${kind.parent?.listedAs ?? kind.name}.${id}.`;
}

type NamedDigest = readonly [name: string, digest: string];

function childFingerprints(child: LiveResource, before: FieldFingerprints): NamedDigest[] {
  const kind = kindByName(child.kind);
  const prefix = childFieldPrefix(kind, child.id);
  // One without any fields is seen, too.
  return [[`${prefix}${ID}`, shortDigest(child.id)], ...ownFingerprints(kind, child, { before, prefix })];
}

interface Naming {
  readonly before: FieldFingerprints;
  /** Stands before the name of each field. */
  readonly prefix: string;
}

function ownFingerprints(kind: Kind, live: LiveResource, { before, prefix }: Naming): NamedDigest[] {
  const fields = Object.entries(kind.fields).flatMap(([name, field]): NamedDigest[] => {
    const value = live.spec[name];
    if (value === undefined || name === METADATA) return [];
    const known = before[`${prefix}${name}`];
    const digest = fieldDigest(field, value, live.id, known === undefined ? undefined : secrecyOfDigest(known));
    return digest === undefined ? [] : [[`${prefix}${name}`, digest]];
  });
  return live.metadata === '' ? fields : [...fields, [`${prefix}${METADATA}`, shortDigest(live.metadata)]];
}

/** One digest of them all. */
export function fingerprintObject(live: LiveResource, seen: FieldFingerprints): string {
  const content: JsonObject = { id: live.id, parent: live.parentId ?? null, seen };
  return sha256(canonicalJson(content));
}

export function changedFields(before: FieldFingerprints, now: FieldFingerprints): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => before[name] !== now[name])
    .sort(compareText);
}
