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
    name: 'what depends on an unknown value is an error like any other',
    file: 'policy/judge.ts',
    in: 'judgeOne',
    find: { condition: ['Undecided'] },
    to: 'false',
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
    find: { value: 'isReadable' },
    to: '!(item instanceof Expression)',
    tests: ['policy/judge.test.ts'],
  },
  {
    name: 'a secret equals another',
    file: 'policy/types.ts',
    in: 'scopeOf',
    find: { call: 'registerOperator' },
    to: 'base.registerOperator(`${SECRET.name} == ${other}: bool`, () => true)',
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
    file: 'policy/cel.ts',
    in: 'estimateOf',
    find: { value: 'growth' },
    to: '1',
    tests: ['policy/hostile.test.ts'],
  },
  {
    name: 'has() of a policy does not check its field',
    file: 'policy/cel.ts',
    in: 'hasField',
    find: { call: 'check' },
    to: 'undefined',
    tests: ['policy/compile.test.ts'],
  },
  {
    name: 'a saved plan is applied with other policies',
    file: 'reconcile/saved-plan.ts',
    in: 'checkOrigin',
    find: { condition: ['policies'] },
    to: 'true',
    tests: ['cli/policies.test.ts'],
  },
];
