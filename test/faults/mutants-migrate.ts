// Seeded mistakes in the import of a state and in the formatter.

import type { Mutant } from './mutants.ts';

export const MIGRATE: readonly Mutant[] = [
  {
    name: 'what the state calls sensitive is written',
    file: 'migrate/import.ts',
    in: 'isMarked',
    find: { body: true },
    to: '{ return false; }',
    tests: ['migrate/import.test.ts'],
  },
  {
    name: 'a resource of another provider is taken by its type alone',
    file: 'migrate/import.ts',
    in: 'readResource',
    find: { call: 'isId' },
    to: 'true',
    tests: ['migrate/import.test.ts'],
  },
  {
    name: 'a tainted or deposed object is adopted',
    file: 'migrate/state.ts',
    in: 'whyNot',
    find: { body: true },
    to: '{ return mode === "managed" ? undefined : "it is no resource"; }',
    tests: ['migrate/import.test.ts'],
  },
  {
    name: 'attributes without a field are dropped without a word',
    file: 'migrate/import.ts',
    in: 'isUnset',
    find: { body: true },
    to: '{ return true; }',
    tests: ['migrate/import.test.ts'],
  },
  {
    name: 'aliases are put into another order',
    file: 'manifest/text/format.ts',
    in: 'formatted',
    find: { condition: ['first'] },
    to: 'false',
    tests: ['manifest/text/format.test.ts'],
  },
];
