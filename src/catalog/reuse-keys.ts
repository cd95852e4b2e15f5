// The keys of a manifest that are gone before anything is judged.

export const PRESETS = 'presets';
export const PRESET = 'preset';
export const WITHOUT = 'without';

/** Lists at the top of a manifest, whose entries are known by their `from`: an overlay adds to them. */
export const LISTS_BY_FROM: readonly string[] = ['moved', 'removed'];
