// Facts about a step, as data: why it has its action, what it loses and which objects it deletes. Words stand beside them.

import type { JsonObject } from '../core/json.ts';

/** Why a loss hurts. */
export type LossCode =
  /** Something goes that cannot be had again, such as an address or a token; it needs consent. */
  | 'irreplaceable'
  /** The object goes; one with the same values can be created again. */
  | 'object'
  /** A value goes that is returned once and was never stored, so that nothing uses it. */
  | 'never-stored'
  /** A redundant duplicate goes; the other object of its address stays. */
  | 'redundant';

/** Why a step has its action. */
export type ReasonCode =
  /** No live object has the address. */
  | 'not-in-service'
  /** It goes with its parent, which is replaced; `addresses` names that. */
  | 'parent-replaced'
  /** Its object was deleted outside; `deleted_outside` of the step says how that is known. */
  | 'deleted-outside'
  /** Values differ from the manifest. */
  | 'differs'
  /** Only the user's own metadata differs. */
  | 'metadata'
  /** `prevent_destroy` was switched on or off. */
  | 'protection'
  /** `lifecycle` names the object; `stack` is the one that its marker names, if any. */
  | 'adopted'
  /** `moved` brings it from another stack. */
  | 'moved'
  /** `moved` renames it. */
  | 'renamed'
  /** The object is as in the manifest, but its marker does not say so yet. */
  | 'not-recorded'
  /** The fields cannot be changed after creation. */
  | 'create-only'
  /** A value that is returned once was certainly not stored. */
  | 'never-stored'
  /** It is not known whether a value that is returned once was stored. */
  | 'unclear-storage'
  /** Another object has taken its place. */
  | 'replaced'
  /** The manifest no longer has it. */
  | 'not-in-manifest'
  /** Another object has its address. */
  | 'duplicate'
  /** The manifest does not have it, and its parent is exclusive. */
  | 'foreign-child'
  /** Everything that the stack owns is deleted. */
  | 'destroyed'
  /** An entry of `removed` lets it go. */
  | 'released'
  /** It gives up a value first; `addresses` need it. */
  | 'detached'
  /** A session is revoked. */
  | 'revoked'
  /** A needed change that the service cannot make; only in the report of drift. */
  | 'blocked';

/** Why a step has its action: a code with its parts, and the same in words for people. */
export interface Reason {
  readonly code: ReasonCode;
  readonly text: string;
  /** The fields that it is about. */
  readonly fields?: readonly string[];
  /** Other addresses that it is about, such as the one before a rename. */
  readonly addresses?: readonly string[];
  /** The stack that the object comes from. */
  readonly stack?: string;
}

/** What a step loses. */
export interface Loss {
  readonly code: LossCode;
  /** What that costs, in words. */
  readonly cost: string;
  /** The object that is deleted. */
  readonly live_id: string;
  /** Addresses of its children, or their ids: they are deleted with it (§4). */
  readonly children: readonly string[];
}

/** An object that a step deletes, as far as it may be seen. */
export interface DeletedObject {
  /** Its id where it has no address. */
  readonly address: string;
  readonly kind: string;
  readonly live_id: string;
  /** By field; those by which people know it come first. A secret is `{ "sensitive": true }`. */
  readonly values: JsonObject;
}
