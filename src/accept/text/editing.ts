// A text while it is edited, and what becomes of the members of a map or a list in it.

import type { Json, Path } from '../../core/json.ts';
import type { Comment, Spot } from './layout.ts';
import type { Lines } from './lines.ts';
import type { Splice } from './splice.ts';
import type { Notation } from './written.ts';

export interface Editing {
  readonly text: string;
  readonly lines: Lines;
  /** In their order. */
  readonly comments: readonly Comment[];
  readonly notation: Notation;
  readonly splices: Splice[];
  /** What cannot be edited. */
  readonly refused: Refused[];
}

export interface Refused {
  readonly path: Path;
  /** `shared` for what has an anchor, an alias or a tag; `form` where a comment would have no place. */
  readonly reason: 'shared' | 'form';
}

/** An entry of a map or an item of a list, which may go. */
export interface Member {
  readonly start: number;
  readonly end: number;
  readonly spot: Spot;
  readonly isKept: boolean;
}

export interface Addition {
  /** Index of the member behind which it stands; -1 for the beginning. */
  readonly after: number;
  /** Undefined in a list. */
  readonly key?: string;
  readonly value: Json;
  /** The member that moves here with its lines. */
  readonly from?: Member | undefined;
}

/** What becomes of the members of a map or a list. */
export interface Members {
  readonly spot: Spot;
  readonly members: readonly Member[];
  /** Those behind one member follow each other. */
  readonly additions: readonly Addition[];
}
