// Seeded mistakes of one kind: of two mechanisms that meet, one forgets the other.

import type { Mutant } from './mutants.ts';

export const PAIRS: readonly Mutant[] = [];
