// What the service says: objects in our shape, with their marker. Knows nothing of the manifest.

import type { JsonObject } from '../core/json.ts';
import type { ValueObject } from '../core/value.ts';

/** Our trace in an object's metadata: who owns it and what was last applied (ADR-0003). */
export interface Marker {
  readonly v: 1;
  readonly stack: string;
  readonly address: string;
  /** Digest by top-level field of what was last applied. */
  readonly applied: Readonly<Record<string, string>>;
  readonly protect?: true;
  /** Id of the object that this one was created to replace; it is not another candidate for the address (ADR-0008). */
  readonly replaces?: string;
  /** The run that created the object, until the marker is written again: whose a creation is whose answer was lost (ADR-0022). */
  readonly created_by?: string;
}

/** Why what stands in the place of a marker is none, and whose it claims to be (ADR-0017). */
export interface MarkerProblem {
  /** What is wrong, as the end of a sentence about the marker. */
  readonly what: string;
  /** Stacks that it names beyond doubt; none when that cannot be said. */
  readonly stacks: readonly string[];
  /** Stacks that any part of it names; whoever takes the object over must be all of them. */
  readonly named: readonly string[];
  /** The address by which the journal knows the object; for a marker that was removed. */
  readonly knownAs?: string;
}

/** What the metadata of an object says of its owner: no marker, a marker, or a problem, which is never "nobody's". */
export type MarkerState =
  | { readonly marker: Marker | undefined; readonly markerProblem?: undefined }
  | { readonly marker: undefined; readonly markerProblem: MarkerProblem };

/** One live object. */
export type LiveResource = LiveContent & MarkerState;

interface LiveContent {
  /** A duplicate that a run of ours left behind, as the journal proves: the other object of its address stays. */
  readonly isRedundant?: true;
  /** Kind name. */
  readonly kind: string;
  readonly id: string;
  /** Id of the object it lives inside, for kinds with a parent. */
  readonly parentId: string | undefined;
  /**
   * Writable fields in request shape; absent and null fields are left out. `Secret` is what is sensitive, and what was
   * applied as a secret by the marker's word.
   */
  readonly spec: ValueObject;
  /** Read-only values by name (id, uri, addr, …; those inside modules nested likewise), for references and outputs. */
  readonly computed: JsonObject;
  /** Dotted paths of secrets that exist and that the service does not show. */
  readonly writeOnly: readonly string[];
  /** The metadata text as the service returned it ('' when absent). */
  readonly metadata: string;
  /** The user's part of the metadata text. */
  readonly userMetadata: string;
}

/** All live objects read for one plan, and how many requests that took by kind. */
export interface Snapshot {
  readonly resources: readonly LiveResource[];
  /** Kinds that were not listed because a capability is off. */
  readonly unread: readonly { readonly kind: string; readonly reason: string }[];
  readonly requests: number;
  /** Kinds whose list moved while it was read, and that were therefore read again. */
  readonly shifted: readonly string[];
  /** Ids of objects that were read one by one because no list showed them; lists may lag behind. */
  readonly unlisted?: readonly string[];
  /** Ids that other objects hold and of which the service says, asked for each, that they are not there. */
  readonly absent?: readonly string[];
}
