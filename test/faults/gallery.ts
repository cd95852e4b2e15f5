// The list of seeded mistakes, by the promise that each breaks. Texts are those of the compiled files.

import type { Mutant } from './mutants.ts';

export const MUTANTS: readonly Mutant[] = [];
