// Digests of the live objects that a plan touches: equal digests mean that the object is unchanged since the plan was made.

import { secrecyOfDigest, sha256, shortDigest } from '../core/digest.ts';
import { canonicalJson, compareText, type JsonObject } from '../core/json.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { fieldDigest } from '../resource/digests.ts';
import type { Action, Phase } from './plan.ts';

/** Digests by field. Unordered lists in any order, and values that differ only in case, have equal digests. */
type FieldFingerprints = Readonly<Record<string, string>>;

/** If a step also deletes the children, they count as another field with this name. */
const CHILDREN_KEY = 'inside';

/** True for drafts and steps that delete an object together with its children. */
export function isRemoval({ action, phase }: { readonly action: Action; readonly phase?: Phase }): boolean {
  return action === 'delete' || phase === 'delete';
}

/** Further inputs to the digests of a live object. */
interface FingerprintInput {
  /** Ids of objects that are deleted with it. */
  readonly children?: readonly string[] | undefined;
  /** Earlier digests: fields that were secret then are treated as secret now. */
  readonly before?: FieldFingerprints | undefined;
}

/** Digests of all writable fields of a live object. */
export function fingerprintFields(
  kind: Kind,
  live: LiveResource,
  { children = [], before = {} }: FingerprintInput = {},
): FieldFingerprints {
  const seen: Record<string, string> = {};
  for (const [name, field] of Object.entries(kind.fields)) {
    const value = live.spec[name];
    if (value === undefined || name === METADATA) continue;
    const known = before[name];
    const digest = fieldDigest(field, value, live.id, known === undefined ? undefined : secrecyOfDigest(known));
    if (digest !== undefined) seen[name] = digest;
  }
  if (live.metadata !== '') seen[METADATA] = shortDigest(live.metadata);
  if (children.length > 0) seen[CHILDREN_KEY] = shortDigest([...children].sort(compareText).join('\n'));
  return seen;
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
