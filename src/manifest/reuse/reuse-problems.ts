// What the blocks of a stack share while presets and overlays are laid in.

import type { DroppedPath } from './cuts.ts';
import type { Judging } from './judging.ts';
import type { Presets } from './presets.ts';

export interface Reuse extends Judging {
  readonly presets: Presets;
  /** Every entry of `without`. */
  readonly drops: DroppedPath[];
  /** Uses of presets so far, and the characters that they brought. */
  readonly spent: { uses: number; characters: number };
}
