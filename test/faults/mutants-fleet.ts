// Seeded mistakes in how stacks share a service and wait for each other.

import type { Mutant } from './mutants.ts';

export const FLEET: readonly Mutant[] = [
  {
    name: 'an import that holds an unset variable is none',
    file: 'manifest/load.ts',
    in: 'loadManifest',
    find: { value: 'lacksInLinks' },
    to: '[]',
    tests: ['cli/fleet-safety.test.ts', 'fleet/imports.test.ts'],
  },
  {
    name: 'a stack that deletes keys is applied beside the others',
    file: 'fleet/apply.ts',
    in: 'carryOut',
    find: { value: 'last' },
    to: 'false',
    tests: ['reconcile/asked-again.test.ts'],
  },
  {
    name: 'a stack starts from the read of its plan, whatever its journal has learnt since',
    file: 'fleet/service.ts',
    in: 'covers',
    find: { body: true },
    to: '{ return true; }',
    tests: ['fleet/apply.test.ts'],
  },
  {
    name: 'a view lacks what uses the objects of its stack',
    file: 'fleet/view.ts',
    in: 'around',
    find: { value: 'used' },
    to: '[]',
    tests: ['fleet/view.test.ts'],
  },
  {
    name: 'a value that moves in a circle is ordered like any other',
    file: 'fleet/plan.ts',
    in: 'planStacks',
    find: { value: 'ordered' },
    to: 'moves',
    tests: ['fleet/apply.test.ts'],
  },
  {
    name: 'what another stack imports may be deleted',
    file: 'plan/policies/policies.ts',
    in: 'importedObjects',
    find: { body: true },
    to: '{ return []; }',
    tests: ['fleet/imports.test.ts'],
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
    name: 'a mistake in the fleet file lets missing values count as mistakes of their own',
    file: 'commands/stacks/load-fleet.ts',
    in: 'loadFleet',
    find: { value: 'isRight' },
    to: 'true',
    tests: ['cli/fleet.test.ts'],
  },
];
