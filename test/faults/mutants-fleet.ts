// Seeded mistakes in how stacks share a service and wait for each other.

import type { Mutant } from './mutants.ts';

export const FLEET: readonly Mutant[] = [
  {
    name: 'a stack deletes what another one takes',
    file: 'fleet/plan-stack.ts',
    in: 'analyseAmong',
    find: { value: 'transferredElsewhere' },
    to: 'new Map()',
    tests: ['fleet/transfers.test.ts'],
  },
  {
    name: 'a value that moves in a circle is ordered like any other',
    file: 'fleet/plan.ts',
    in: 'planStacks',
    find: { value: 'order' },
    to: 'new Set<Link>(exchanged.inOrder)',
    tests: ['fleet/apply.test.ts'],
  },
  {
    name: 'what a saved plan does not release counts as released',
    file: 'fleet/plan-stack.ts',
    in: 'stepsToDo',
    find: { body: true },
    to: '{ return made.steps; }',
    tests: ['fleet/saved-plans.test.ts'],
  },
  {
    name: 'what a stack waited for is still pending when it is applied',
    file: 'fleet/apply.ts',
    in: 'applyStack',
    find: { value: 'run' },
    to: 'one.run',
    tests: ['fleet/imports.test.ts'],
  },
  {
    name: 'a shard goes by what the text links, whatever the service shows',
    file: 'fleet/open.ts',
    in: 'linksShown',
    find: { value: 'claims' },
    to: '() => []',
    tests: ['fleet/shard.test.ts'],
  },
  {
    name: 'a value may go from a later wave to an earlier one',
    file: 'fleet/waves.ts',
    in: 'withWaves',
    find: { body: true },
    to: '{ return [...links]; }',
    tests: ['fleet/waves.test.ts'],
  },
  {
    name: '--except leaves nothing out',
    file: 'fleet/select.ts',
    in: 'namesSelected',
    find: { value: 'isNamed' },
    to: '(name: string) => only.length === 0 || isAmong(name, only)',
    tests: ['fleet/only.test.ts'],
  },
];
