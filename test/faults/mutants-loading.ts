// Seeded mistakes in what a manifest may cost, and in whether one with errors is used.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const COSTS = { tests: ['manifest/costs.test.ts'] };

const SIZES: readonly Mutant[] = [
  ...mistakes('manifest/values/expand.ts', { ...COSTS }, [
    ['filled texts may have any size together', 'isWithinLimit', { condition: ['MAX_TOTAL_BYTES'] }, 'false'],
    ['the size of a filled text is known once it is made', 'expandText', { condition: ['isWithinLimit'] }, 'false'],
  ]),
];

const RECOVERY: readonly Mutant[] = [
  ...mistakes('manifest/text/parse.ts', { ...COSTS }, [
    ['any number of broken pieces is looked at', 'isGivenUp', { condition: ['spent', 'broken'] }, 'true'],
    ['a file that is given up is given up again at each piece', 'isGivenUp', { value: 'isFirst' }, 'true'],
  ]),
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
