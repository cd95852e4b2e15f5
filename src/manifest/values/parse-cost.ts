// What reading one file cost so far; it is bounded.

/** What was spent on one file; its documents share it. */
export interface ParseCost {
  nodes: number;
  aliases: number;
  /** Pieces so far that were not valid. */
  broken: number;
  /** Characters that were composed once more, because the text around them was not valid. */
  recomposed: number;
  /** True when no more pieces are looked at. */
  isStopped: boolean;
}

export const NO_COST: ParseCost = { nodes: 0, aliases: 0, broken: 0, recomposed: 0, isStopped: false };
