// A step before it has its place in the order: what it does, and what it references, claims and releases.

import type { Kind } from '../../catalog/kind.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Action, Phase, Step } from '../plan.ts';
import type { UniqueValue } from '../../resource/uniques.ts';

type InStep = 'action' | 'phase' | 'address' | 'reason' | 'source' | 'loss' | 'changes' | 'requests';

export interface StepDraft extends Pick<Step, InStep> {
  /** Unique among drafts; the order of equals is decided by it. */
  readonly key: string;
  readonly kind: Kind;
  readonly live: LiveResource | undefined;
  /** Ids of objects that go with this one. */
  readonly children?: readonly string[];
  /** It is made anew because a value that was shown once is not, or may not be, held by anybody. */
  readonly returnedOnce?: 'lost' | 'unclear';
  /** The object whose marker says that it took the place of the one that goes. */
  readonly successor?: Successor;
  /** What it is created in place of. */
  readonly deletedOutside?: NonNullable<Step['deleted_outside']>;
  /** Addresses whose new objects this step's requests name. */
  readonly references: readonly string[];
  /** Ids that the live object refers to and, after this step, no longer does. */
  readonly drops: readonly string[];
  /** Ids that the object refers to after this step. */
  readonly referencedIds: readonly string[];
  /** Unique values that this step claims, and those it releases. */
  readonly claims: readonly string[];
  readonly releases: readonly string[];
  /** Those of the values it takes that are secret, so that no message shows them. */
  readonly secretClaims?: readonly UniqueValue[];
  /** Keys of drafts that must run before, whatever the values. */
  readonly after: readonly string[];
}

/** An object that a block asks for, and the block's address. */
export interface Successor {
  readonly live: LiveResource;
  readonly address: string;
}

/** Key of a draft: address, action and phase. */
export function draftKey(address: string, action: Action, phase?: Phase): string {
  return `${address} ${action}${phase === undefined ? '' : ` ${phase}`}`;
}

/** A draft that changes nothing, takes nothing, lets go of nothing and waits for nothing. */
export const BARE_DRAFT = {
  changes: [],
  references: [],
  drops: [],
  referencedIds: [],
  claims: [],
  releases: [],
  after: [],
} as const satisfies Partial<StepDraft>;
