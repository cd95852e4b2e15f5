// The desired state after loading: resources with typed values and source positions. Knows nothing of live state.

import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import type { Path } from '../core/json.ts';
import type { Secret } from '../core/secrets/secret.ts';
import type { Value, ValueObject } from '../core/value.ts';
import type { Move } from '../resource/marker/moves.ts';
import type { Transfer } from '../resource/marker/transfers.ts';

/** The existing object that a block means, by its id. */
export interface Pin {
  readonly id: string;
  /** The setting of `lifecycle` that names it: `adopt` takes a free address only, `id` says which of several objects is meant. */
  readonly by: 'adopt' | 'id';
}

export interface Lifecycle {
  readonly preventDestroy: boolean | undefined;
  /** Dotted paths of fields whose live value is kept. */
  readonly ignoreChanges: readonly string[];
  /** Undefined where the block names no object. */
  readonly pin: Pin | undefined;
  readonly onImmutableChange: 'replace' | 'refuse';
  /** Children that the manifest does not have and that have no marker are deleted. */
  readonly exclusive: boolean;
}

export interface DesiredResource {
  /** For example, `tls_edges.db` or `https_edges.shop.routes.api`. */
  readonly address: string;
  readonly kind: string;
  /** Address of the parent, for child kinds. */
  readonly parent: string | undefined;
  /** Request-shaped fields as written (without defaults); `metadata` is the user's own text. */
  readonly spec: ValueObject;
  readonly lifecycle: Lifecycle;
  /** Where the block starts; computed only when needed. */
  readonly range: () => SourceRange;
  /** Where a value of the block stands, which may be in a preset or overlay; or the nearest value around it. */
  readonly rangeOf?: (path: Path) => SourceRange;
}

/** An object of another stack, found by its marker, or any object, by its id: read, and never written. */
export interface Import {
  readonly name: string;
  /** `imports.NAME`, as references to it say. */
  readonly address: string;
  readonly kind: string;
  readonly from: { readonly stack: string; readonly address: string } | { readonly id: string };
  readonly range: () => SourceRange;
}

interface Placed {
  readonly range: SourceRange;
}

/** Everything in the manifest files, resolved: variables and files filled in, references checked. */
export interface Manifest {
  readonly stack: string;
  readonly resources: readonly DesiredResource[];
  readonly imports: readonly Import[];
  readonly outputs: ReadonlyMap<string, Value>;
  readonly moved: readonly (Move & Placed)[];
  /** Entries of `moved` that name another stack. */
  readonly transfers: readonly (Transfer & Placed)[];
  /** Of an environment: the stack of the manifest below it, and those from which only that one takes objects. They stay what they are. */
  readonly baseStacks?: readonly string[];
  readonly removed: readonly ({ readonly from: string; readonly destroy: boolean } & Placed)[];
  /** Values of all sensitive variables, used or not, and secrets written literally in the manifest. */
  readonly secrets: readonly Secret[];
  /** What is missing, such as values of variables; if anything is, nothing is planned. */
  readonly lacks?: readonly Diagnostic[];
  /** The part of it in the name of the stack: while it is missing, `stack` is the text as it is written, and no name of a stack. */
  readonly lacksInName?: readonly Diagnostic[];
  /**
   * The part of it in the name of the stack, in its imports and in the stacks that it takes objects from: while it is missing, it is not
   * known which objects of other stacks must stay.
   */
  readonly lacksInLinks?: readonly Diagnostic[];
  /** Of each output that lacks values: the problem of each variable. */
  readonly lacksInOutputs?: ReadonlyMap<string, ReadonlyMap<string, Diagnostic>>;
  /** SHA-256 over the resolved manifest without secrets. */
  readonly digest: string;
}
