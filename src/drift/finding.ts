// A finding of drift, and its fingerprint, which stays the same until its values change.

import { secretDigest, sha256 } from '../core/digest.ts';
import { canonicalJson } from '../core/json.ts';
import { revealed, valueAt } from '../core/value.ts';
import type { Pair } from '../plan/match/match.ts';
import type { Exposure } from '../plan/exposure.ts';
import type { Cause, Change, ForeignChildFound } from '../plan/plan.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import type { Pending } from './pending.ts';

/** What was found. */
export type FindingType =
  /** A live object differs from what was applied, or its marker was changed. */
  | 'changed'
  /** An address of the manifest has no live object. */
  | 'missing'
  /** Several objects have one address. */
  | 'duplicate'
  /** An object of the stack has a child that the manifest does not have and that is not the stack's. */
  | 'foreign-child'
  /** No stack owns the object; information, not drift. */
  | 'unmanaged';

/** One difference from the applied state. */
export interface Finding {
  /** Stable: the same on every run until its values change. */
  readonly fingerprint: string;
  readonly type: FindingType;
  /** Null for unmanaged objects, and for those with an unreadable marker; a foreign child has its id as its name. */
  readonly address: string | null;
  readonly kind: string;
  readonly live_id: string | null;
  /** Null for duplicates and unmanaged objects. */
  readonly cause: Cause | null;
  readonly changes: readonly Change[];
  /** What the change did to who gets in; absent where it did nothing. */
  readonly exposures?: readonly Exposure[];
  /** The commit that the object's marker names: where it was last written from, as that run claimed. */
  readonly applied_from?: string;
  /** True for one that people decided to live with: it is no drift. */
  readonly known?: true;
  /** Address of the object that a foreign child is in, or its id. */
  readonly parent?: string;
  /** Of an unmanaged object inside one of another stack: that stack, whose drift says more. */
  readonly parent_stack?: string;
  /** What is known of a missing object, the ids of duplicates, what is wrong with a marker, or what a foreign child is. */
  readonly evidence?: string;
  /** What a person can do about it, where apply leaves it. */
  readonly fix?: string;
  /** The block that adopts a foreign child. */
  readonly adopt?: ForeignChildFound['adopt'];
  /** What apply would do to other objects only because of this finding. */
  readonly consequences?: readonly Pending[];
}

/** `marker` is evidence that is a value: what happened to a marker, or the ids of duplicates. Other evidence is no part of it. */
export function finding(
  content: Omit<Finding, 'fingerprint' | 'consequences'>,
  pair?: ComparedObject,
  marker?: string,
): Finding {
  const {
    changes,
    evidence: _,
    cause: _cause,
    fix: _fix,
    adopt: _adopt,
    applied_from: _from,
    exposures: _exposures,
    ...rest
  } = content;
  const bare = changes.map(({ path, before, after }) => ({ path, before, after }));
  const secrets = pair === undefined ? [] : changes.flatMap((change) => secretDigests(change, pair));
  const said = {
    ...rest,
    changes: bare,
    ...(secrets.length > 0 && { secrets }),
    ...(marker !== undefined && { marker }),
  };
  return { fingerprint: sha256(canonicalJson(said)), ...content };
}

/** A live object, and what the manifest wants in its place. */
interface ComparedObject {
  readonly desired: Pick<Pair['desired'], 'spec'>;
  readonly live: LiveResource | undefined;
}

/** Slow digests of the values behind masks, so that another secret in the same place is another finding (ADR-0018). */
function secretDigests({ path, sensitive }: Change, { desired, live }: ComparedObject): string[] {
  if (!sensitive || live === undefined) return [];
  return [live.spec, desired.spec].map((spec) => {
    const value = valueAt(spec, path.split('.')) ?? null;
    return secretDigest(canonicalJson(revealed(value)), `${live.id}/${path}`);
  });
}

/** True for findings that count: unmanaged objects are reported, and known findings are lived with. */
export function isDrift({ type, known }: Pick<Finding, 'type' | 'known'>): boolean {
  return type !== 'unmanaged' && known !== true;
}
