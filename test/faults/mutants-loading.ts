// Seeded mistakes in what a manifest may cost, and in whether one with errors is used.

import type { Mutant } from './mutants.ts';

const COSTS = { tests: ['manifest/costs.test.ts'] };

const SIZES: readonly Mutant[] = [
  {
    name: 'a filled text may have any size',
    file: 'manifest/values/expand.ts',
    in: 'isWithinLimit',
    find: { condition: ['MAX_FILE_BYTES'] },
    to: 'false',
    ...COSTS,
  },
  {
    name: 'filled texts may have any size together',
    file: 'manifest/values/expand.ts',
    in: 'isWithinLimit',
    find: { condition: ['MAX_TOTAL_BYTES'] },
    to: 'false',
    ...COSTS,
  },
  {
    name: 'the size of a filled text is known once it is made',
    file: 'manifest/values/expand.ts',
    in: 'expandText',
    find: { condition: ['isWithinLimit'] },
    to: 'false',
    ...COSTS,
  },
  {
    name: 'the size of a filled text tells that of a secret',
    file: 'manifest/values/expand.ts',
    in: 'isWithinLimit',
    find: { value: 'isSecret' },
    to: 'false',
    ...COSTS,
  },
];

const RECOVERY: readonly Mutant[] = [
  {
    name: 'any number of broken pieces is looked at',
    file: 'manifest/text/parse.ts',
    in: 'isGivenUp',
    find: { condition: ['spent', 'broken'] },
    to: 'true',
    ...COSTS,
  },
  {
    name: 'a file that is given up is given up again at each piece',
    file: 'manifest/text/parse.ts',
    in: 'isGivenUp',
    find: { value: 'isFirst' },
    to: 'true',
    ...COSTS,
  },
];

const USED: readonly Mutant[] = [
  {
    name: 'a manifest with errors is used',
    file: 'commands/shell/load.ts',
    in: 'tryLoad',
    find: { condition: ['hasErrors'] },
    to: 'false',
    tests: ['cli/reading.test.ts'],
  },
];

export const LOADER: readonly Mutant[] = [...SIZES, ...RECOVERY, ...USED];
