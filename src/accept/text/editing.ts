// A text while it is edited, and what becomes of the members of a map or a list in it.

import type { Json, Path } from '../../core/json.ts';
import type { Spot } from './layout.ts';
import type { Splice } from './splice.ts';
import type { Notation } from './written.ts';

export interface Editing {
  readonly text: string;
  readonly notation: Notation;
  readonly splices: Splice[];
  /** Paths of what cannot be edited. */
  readonly shared: Path[];
}

/** An entry of a map or an item of a list, which may go. */
export interface Member {
  readonly start: number;
  readonly end: number;
  readonly spot: Spot;
  readonly isKept: boolean;
}

interface Addition {
  /** Index of the member behind which it stands; -1 for the beginning. */
  readonly after: number;
  /** Undefined in a list. */
  readonly key?: string;
  readonly value: Json;
}

/** What becomes of the members of a map or a list; at least one of them stays. */
export interface Members {
  readonly members: readonly Member[];
  readonly additions: readonly Addition[];
}
