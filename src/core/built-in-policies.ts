// Policies that need no file, by the names by which options and fleet files ask for them.

/** What lets more in than before needs consent (record 0101). */
export const OPENINGS = 'openings';
