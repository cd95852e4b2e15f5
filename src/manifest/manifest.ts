// The desired state after loading: resources with typed values and source positions. Knows nothing of live state.

import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { Value, ValueObject } from '../core/value.ts';

/** What the user's `lifecycle` block says of one resource. */
export interface Lifecycle {
  readonly preventDestroy: boolean | undefined;
  /** Dotted field paths whose live value is left alone. */
  readonly ignoreChanges: readonly string[];
  /** Id of an existing object to take ownership of. */
  readonly adopt: string | undefined;
  /** Id of the object, pinned. */
  readonly id: string | undefined;
  readonly onImmutableChange: 'replace' | 'refuse';
}

/** One resource the manifest asks for. */
export interface DesiredResource {
  /** For example `tls_edges.db` or `https_edges.shop.routes.api`. */
  readonly address: string;
  /** Kind name. */
  readonly kind: string;
  /** Address of the parent, for kinds that live inside another. */
  readonly parent: string | undefined;
  /** Request-shaped fields as written (defaults are not filled in); `metadata` is the user's own text. */
  readonly spec: ValueObject;
  readonly lifecycle: Lifecycle;
  /** Where the block starts; most runs never ask. */
  readonly range: () => SourceRange;
}

/** Everything the manifest files say, resolved: variables and files filled in, references checked. */
export interface Manifest {
  readonly stack: string;
  /** Sorted by address. */
  readonly resources: readonly DesiredResource[];
  readonly outputs: ReadonlyMap<string, Value>;
  readonly moved: readonly { readonly from: string; readonly to: string; readonly range: SourceRange }[];
  readonly removed: readonly { readonly from: string; readonly destroy: boolean; readonly range: SourceRange }[];
  /** Values of all sensitive variables, used or not, and secrets that are written out. */
  readonly secrets: readonly Secret[];
  /** What it was loaded without, such as values of variables: with any of it missing, nothing is planned. */
  readonly lacks?: readonly Diagnostic[];
  /** SHA-256 over the resolved manifest without secrets. */
  readonly digest: string;
}
