// The keys of a manifest that are gone before anything is judged.

export const PRESETS = 'presets';
export const PRESET = 'preset';
export const WITHOUT = 'without';
