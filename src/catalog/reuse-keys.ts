// The keys of a manifest that are gone before anything is judged.

import { IMPORTS } from './address.ts';

export const PRESETS = 'presets';
export const PRESET = 'preset';
export const WITHOUT = 'without';
/** Of an overlay: what it adds to the manifest, in the shape of one. */
export const ADD = 'add';

/** Sections whose keys are names that their author chose, besides those of kinds and presets. */
export const SECTIONS_OF_NAMES: readonly string[] = ['variables', 'outputs', IMPORTS];

/** Lists at the top of a manifest, whose entries are known by their `from`: an overlay adds to them. */
export const LISTS_BY_FROM: readonly string[] = ['moved', 'removed'];
