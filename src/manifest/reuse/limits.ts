// How much presets may bring.

/** Most presets that the blocks of a stack may use in all. */
export const MAX_USES = 10_000;
/** Most characters that presets may bring in all. */
export const MAX_EXPANDED = 16 * 1024 * 1024;
