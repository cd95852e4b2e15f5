// A mechanism that a user can set, as a row: how it adds itself to a world in the making.

import type { Wish } from './base.ts';
import type { Draft } from './draft.ts';

export interface Mechanism {
  readonly name: string;
  /** What it acts upon: documents first, then the files that say them, then command lines. */
  readonly stage: 'document' | 'form' | 'command';
  /** The kinds that it can act upon; all when missing. */
  readonly wish?: Wish;
  /** False where it finds nothing to act on. */
  readonly add: (draft: Draft) => boolean;
}
