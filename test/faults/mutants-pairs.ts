// Seeded mistakes of one kind: of two mechanisms that meet, one forgets the other.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

export const PAIRS: readonly Mutant[] = [
  ...mistakes('fleet/hand-overs.ts', { tests: ['fleet/transfers.test.ts'] }, [
    [
      'a release knows who adopts the object, and forgets who pins it',
      'handOversBetween',
      { value: 'named' },
      "taker.run.manifest.resources.flatMap(({ lifecycle: { pin } }) => (pin?.by === 'adopt' ? pin.id : []))",
    ],
  ]),
  ...mistakes('fleet/open.ts', { tests: ['fleet/shard.test.ts'] }, [
    [
      'a shard joins those who adopt an object, and forgets those who pin it',
      'linksShown.joins',
      { value: 'ids' },
      "stack.run.manifest.resources.flatMap(({ lifecycle: { pin } }) => (pin?.by === 'adopt' ? pin.id : []))",
    ],
  ]),
];
