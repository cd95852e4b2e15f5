// Seeded mistakes in what a manifest may cost, in whether one with errors is used, and in the forms of values.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const COSTS = { tests: ['manifest/costs.test.ts'] };

const RECOVERY: readonly Mutant[] = [
  {
    name: 'any number of errors of a text is reported',
    file: 'manifest/text/yaml.ts',
    find: { value: 'MAX_PROBLEMS' },
    to: '1e9',
    ...COSTS,
  },
];

const FORM_TESTS = { tests: ['plan/perpetual-diff/normalised.test.ts'] };

const FORMS: readonly Mutant[] = [
  ...mistakes('resource/canonical.ts', { ...FORM_TESTS }, [
    ['texts are compared as they are written', 'canonicalText', { call: 'normalText' }, 'value'],
  ]),
  ...mistakes('resource/placeholder.ts', { ...FORM_TESTS }, [
    ['hosts are sent as they are written', 'sentLeaf', { call: 'sentText' }, 'leaf'],
  ]),
];

/** What each problem of a text would do again. */
const LINEAR: readonly Mutant[] = [
  {
    name: 'what is open is looked for at each problem',
    file: 'manifest/text/syntax.ts',
    in: 'syntaxDiagnostics',
    find: { value: 'openers' },
    to: 'place.openers',
    tests: ['plan/linear.test.ts'],
  },
];

const REUSE: readonly Mutant[] = [
  ...mistakes('manifest/reuse/block.ts', { tests: ['manifest/reuse/reuse.test.ts'] }, [
    ['an overlay adds its presets to those of the manifest', 'layOnPresets', { call: 'findLastIndex' }, '0'],
  ]),
];

export const LOADER: readonly Mutant[] = [...REUSE, ...RECOVERY, ...FORMS, ...LINEAR];
