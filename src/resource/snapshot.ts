// Live objects in our shape, with their marker. Knows nothing of the manifest.

import type { JsonObject } from '../core/json.ts';
import type { ValueObject } from '../core/value.ts';

/** Our marker in an object's metadata: who owns it and what was last applied (ADR-0003). */
export interface Marker {
  readonly v: 1;
  readonly stack: string;
  readonly address: string;
  /** Digests of what was last applied, by top-level field. */
  readonly applied: Readonly<Record<string, string>>;
  readonly protect?: true;
  /** Id of the object that this one was created to replace, so that it does not count as a duplicate (ADR-0008). */
  readonly replaces?: string;
  /** The run that created the object, until another rewrites the marker; identifies creations whose answer was lost (ADR-0022). */
  readonly created_by?: string;
  /** Beginning of the commit that it was last written from, as that run claimed: for people only, and part of no digest (ADR-0062). */
  readonly commit?: string;
}

/** Why a marker is invalid, and which stack it claims (ADR-0017). */
interface MarkerProblem {
  /** What is wrong, as the end of a sentence about the marker. */
  readonly what: string;
  /** Stacks that the metadata still names. */
  readonly stacks: readonly string[];
  /** Nothing of the marker is left: only a journal knows the object. */
  readonly isRemoved?: true;
  /** The address by which a journal knows the object. */
  readonly knownAs?: string;
}

/** The owner in an object's metadata: no marker, a marker, or a problem, which never means "unowned". */
export type MarkerState =
  | { readonly marker: Marker | undefined; readonly markerProblem?: undefined }
  | { readonly marker: undefined; readonly markerProblem: MarkerProblem };

export type LiveResource = LiveContent & MarkerState;

interface LiveContent {
  /** A redundant duplicate that a run of ours left behind, as the journal proves; the other object with its address stays. */
  readonly isRedundant?: true;
  readonly kind: string;
  readonly id: string;
  readonly parentId: string | undefined;
  /**
   * Writable fields in request shape, without absent and null fields. Sensitive values, and those that the marker says were
   * applied as secrets, are `Secret`.
   */
  readonly spec: ValueObject;
  /** Read-only values by name (id, uri, addr, …; nested for modules), for references and outputs. */
  readonly computed: JsonObject;
  /** Dotted paths of secrets that exist but that the service does not return. */
  readonly writeOnly: readonly string[];
  /** The metadata text as the service returned it ('' when absent). */
  readonly metadata: string;
  /** The user's part of the metadata text. */
  readonly userMetadata: string;
}

/** All live objects read for one plan, and how many requests that took. */
export interface Snapshot {
  readonly resources: readonly LiveResource[];
  /** Kinds that were not listed because a capability is off. */
  readonly unread: readonly { readonly kind: string; readonly reason: string }[];
  readonly requests: number;
  /** Ids of objects that were read individually because no list contained them; lists may lag behind. */
  readonly unlisted?: readonly string[];
  /** Ids that other objects refer to and that do not exist, as a request for each showed. */
  readonly absent?: readonly string[];
  /** Set for a part of the live state that leaves out objects of other stacks. */
  readonly whole?: WholeSnapshot;
}

/** The live state that a snapshot is a part of. */
export interface WholeSnapshot {
  readonly byId: ReadonlyMap<string, LiveResource>;
  readonly kinds: ReadonlySet<string>;
  /** By the address in their markers, of whichever stack. */
  readonly byAddress: () => ReadonlyMap<string, readonly LiveResource[]>;
}
