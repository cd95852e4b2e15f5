// What the service says: objects in our shape, with their marker. Knows nothing of the manifest.

import type { JsonObject } from '../base/json.ts';
import type { ValueObject } from '../base/value.ts';

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
}

/** One live object. */
export interface LiveResource {
  /** Kind name. */
  readonly kind: string;
  readonly id: string;
  /** Id of the object it lives inside, for kinds with a parent. */
  readonly parentId: string | undefined;
  /** Writable fields in request shape; absent and null fields are left out; sensitive values are `Secret`. */
  readonly spec: ValueObject;
  /** Read-only values by name (id, uri, addr, …; those inside modules nested likewise), for references and outputs. */
  readonly computed: JsonObject;
  /** Dotted paths of secrets that exist and that the service does not show. */
  readonly masked: readonly string[];
  /** The metadata text as the service returned it ('' when absent). */
  readonly metadata: string;
  /** The user's part of the metadata text. */
  readonly userMetadata: string;
  readonly marker: Marker | undefined;
}

/** All live objects read for one plan, and how many requests that took by kind. */
export interface Snapshot {
  readonly resources: readonly LiveResource[];
  /** Kinds that were not listed because a capability is off. */
  readonly unread: readonly { readonly kind: string; readonly reason: string }[];
  readonly requests: number;
  /** Kinds whose list moved while it was read, and that were therefore read again. */
  readonly shifted: readonly string[];
}
