// How a value came to the place where it is used, if it does not stand there.

import type { SourceRange } from '../core/diagnostic.ts';

export interface Use {
  readonly kind: 'preset' | 'overlay';
  /** Of the preset, or of the overlay's file. */
  readonly name: string;
  /** Where it is used: the name of the preset in a block, or the block that the overlay lies over. */
  readonly range: () => SourceRange;
}
