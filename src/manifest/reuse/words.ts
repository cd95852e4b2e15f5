// The keys of a manifest that are gone before anything is judged.

export const PRESETS = 'presets';
export const PRESET = 'preset';
export const WITHOUT = 'without';

/** Most presets that the blocks of a stack may use in all. */
export const MAX_USES = 10_000;
/** Most characters that presets may bring in all. */
export const MAX_EXPANDED = 16 * 1024 * 1024;
