// Seeded mistakes in the import of a state and in the formatter.

import type { Mutant } from './mutants.ts';

export const MIGRATE: readonly Mutant[] = [
  {
    name: 'a tainted or deposed object is adopted',
    file: 'migrate/state.ts',
    in: 'whyNot',
    find: { body: true },
    to: '{ return mode === "managed" ? undefined : "it is no resource"; }',
    tests: ['migrate/import.test.ts'],
  },
];
