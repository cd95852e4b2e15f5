// Seeded mistakes in policies: each lets something pass that must not, or lets an expression run without a limit.

import type { Mutant } from './mutants.ts';

export const POLICY: readonly Mutant[] = [
  {
    name: 'a policy that cannot be evaluated passes',
    file: 'policy/judge.ts',
    in: 'judgeOne',
    find: { text: 'failed' },
    to: "'undecided'",
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'what is not known is absent',
    file: 'policy/types.ts',
    in: 'filled',
    find: { condition: ['undefined'] },
    to: '$ || item instanceof Expression',
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'a sensitive value in a plain field is its text',
    file: 'policy/types.ts',
    in: 'filled',
    find: { call: 'isHidden' },
    to: '(item instanceof Expression)',
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'a secret equals another',
    file: 'policy/types.ts',
    in: 'scopeOf',
    find: { call: 'registerOperator' },
    to: 'environment.registerOperator(`${SECRET.name} == ${other}: bool`, () => true)',
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'defaults are not filled in',
    file: 'policy/judge.ts',
    in: 'withDefaults',
    find: { call: 'canonicalField' },
    to: 'spec[name]',
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'a policy makes lists as long as it likes',
    file: 'policy/meter.ts',
    in: 'sizeOf',
    find: { body: true },
    to: '{ return 0; }',
    tests: ['policy/hostile.test.ts'],
  },
];
