// The bounded cost of reading one file.

/** What was spent on one file, in all of its documents. */
export interface ParseCost {
  nodes: number;
  aliases: number;
  /** Invalid pieces so far. */
  broken: number;
  /** Characters composed again because the text around them was invalid. */
  recomposed: number;
  /** True when the limit is reached and no more pieces are read. */
  isStopped: boolean;
}

export const NO_COST: ParseCost = { nodes: 0, aliases: 0, broken: 0, recomposed: 0, isStopped: false };
