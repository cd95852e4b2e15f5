// What a plan saw of an object it touches, as digests: equal digests mean that the object is still what the plan was made for.

import { secrecyOfDigest, sha256, shortDigest } from '../core/digest.ts';
import { canonicalJson, compareText, type JsonObject } from '../core/json.ts';
import { METADATA } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { fieldDigest } from '../resource/digests.ts';
import type { Action, Phase } from './plan.ts';

/** Digest by field. Lists without order and values that only differ in case count as equal. */
type FieldFingerprints = Readonly<Record<string, string>>;

/** What is inside the object counts as one more field of that name, where a step takes it along. */
const CHILDREN_KEY = 'inside';

/** True for drafts and steps that take an object away, and with it what is inside. */
export function isRemoval({ action, phase }: { readonly action: Action; readonly phase?: Phase }): boolean {
  return action === 'delete' || phase === 'delete';
}

/** What else decides the digests of a live object. */
interface FingerprintInput {
  /** Ids of objects that go with it. */
  readonly children?: readonly string[] | undefined;
  /** What was seen before: fields that were secret then are, whatever is known of them now. */
  readonly before?: FieldFingerprints | undefined;
}

/** Digests of everything writable of a live object. */
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

/** One digest for all of it. */
export function fingerprintObject(live: LiveResource, seen: FieldFingerprints): string {
  const content: JsonObject = { id: live.id, parent: live.parentId ?? null, seen };
  return sha256(canonicalJson(content));
}

/** Names of fields that are not as they were seen. */
export function changedFields(before: FieldFingerprints, now: FieldFingerprints): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => before[name] !== now[name])
    .sort(compareText);
}
