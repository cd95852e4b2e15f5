// A step before ordering: what it does, and what it references, claims and releases.

import type { Kind } from '../../catalog/kind.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import type { Exposure } from '../exposure.ts';
import type { Action, Phase, Step } from '../plan.ts';
import type { UniqueValue } from '../../resource/uniques.ts';

type InStep = 'action' | 'phase' | 'address' | 'reason' | 'source' | 'loss' | 'deletes' | 'changes' | 'requests';

export interface StepDraft extends Pick<Step, InStep> {
  /** Unique among drafts; it decides the order of otherwise equal drafts. */
  readonly key: string;
  readonly kind: Kind;
  readonly live: LiveResource | undefined;
  /** Ids of objects that are deleted with this one. */
  readonly children?: readonly string[];
  /** It is deleted although the stack never owned it, because its parent is exclusive. */
  readonly isForeignChild?: true;
  /** It is replaced because its returned-once value is lost, or may be. */
  readonly returnedOnce?: 'lost' | 'unclear';
  /** The object whose marker says that it replaced the deleted one. */
  readonly successor?: Successor;
  /** The deleted object that it is created in place of. */
  readonly deletedOutside?: NonNullable<Step['deleted_outside']>;
  /** The stack that the object comes from. */
  readonly fromStack?: string;
  /** Of an adopted or renamed object that gives up a value: its new marker while nothing else of it is changed. */
  readonly markerAsFound?: Marker | undefined;
  /** What it does to who gets in; none when missing. */
  readonly exposures?: readonly Exposure[];
  /** What was done outside to who gets in, and it undoes. */
  readonly exposedOutside?: readonly Exposure[];
  /** Addresses whose new objects this step's requests refer to. */
  readonly references: readonly string[];
  /** The imports whose values its requests carry. */
  readonly imports?: readonly string[];
  /** Ids that the live object refers to and no longer does after this step. */
  readonly drops: readonly string[];
  /** Ids that the object refers to after this step. */
  readonly referencedIds: readonly string[];
  /** Unique values that this step claims, and those it releases. */
  readonly claims: readonly string[];
  readonly releases: readonly string[];
  /** The secret ones among the claimed values, which no message shows. */
  readonly secretClaims?: readonly UniqueValue[];
  /** Keys of drafts that must run before, regardless of values. */
  readonly after: readonly string[];
}

/** An object in the manifest, and its address. */
export interface Successor {
  readonly live: LiveResource;
  readonly address: string;
}

export function draftKey(address: string, action: Action, phase?: Phase): string {
  return `${address} ${action}${phase === undefined ? '' : ` ${phase}`}`;
}

/** A draft that changes nothing, claims nothing, drops nothing and waits for nothing. */
export const BARE_DRAFT = {
  changes: [],
  references: [],
  drops: [],
  referencedIds: [],
  claims: [],
  releases: [],
  after: [],
} as const satisfies Partial<StepDraft>;
