// Seeded mistakes of one kind: of two mechanisms that meet, one forgets the other.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const NAMES = { tests: ['cli/unknown-names.test.ts'] };

/** A name of a stack and its variables; entries of a fleet and their values. */
const OF_VARIABLES: readonly Mutant[] = [
  ...mistakes('commands/stacks.ts', NAMES, [
    ['orphans are asked for without the name of the manifest', 'namedStacks', { value: 'mustBeNamed' }, 'false'],
    ['orphans are asked for without the names of a fleet', 'fleetStacks', { value: 'mustBeNamed' }, 'false'],
  ]),
  ...mistakes('commands/shell/prepare.ts', NAMES, [
    ['the history of a stack is read by the text of its name', 'prepareReading', { value: 'mustBeNamed' }, 'false'],
  ]),
  ...mistakes('manifest/load.ts', NAMES, [
    ['what the name of a stack lacks is nothing', 'whatLacks', { value: 'lacksInName' }, '[]'],
  ]),
  ...mistakes('fleet/order.ts', NAMES, [
    [
      'stacks whose names are not known are one stack',
      'ownersAmong',
      { value: 'key' },
      "ownerKey(service, stack ?? '')",
    ],
  ]),
];

export const PAIRS: readonly Mutant[] = [
  ...OF_VARIABLES,
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
const MASKED_LISTS = { tests: ['properties/masked-lists.test.ts', 'resource/display-change.test.ts'] };

export const PAIRS: readonly Mutant[] = [
  ...mistakes('render/view/values/value.ts', { tests: ['properties/masked-lists.test.ts'] }, [
    [
      'a plan shows a list by its masks',
      'listLines',
      { value: 'difference' },
      'listDifference(before.map(canonicalJson), after.map(canonicalJson), order)',
    ],
  ]),
  ...mistakes('render/view/values/changes.ts', { tests: ['properties/masked-lists.test.ts'] }, [
    ['drift shows a list by its masks', 'outsideLines', { value: 'swapped' }, 'undefined'],
    ['drift takes what came for what went', 'outsideLines', { value: 'swapped' }, 'items'],
  ]),
  ...mistakes('resource/display-change.ts', MASKED_LISTS, [
    ['an item that is secret on one side is shown on the other', 'showLists', { value: 'isMasked' }, 'holdsSecret'],
    ['the place of a mask tells how the secret sorts', 'showLists', { condition: ['order'] }, 'true'],
  ]),
  ...mistakes('render/view/likeness.ts', { tests: ['properties/equal-changes.test.ts'] }, [
    ['groups forget which masked items go', 'factsOfChange', { value: 'places' }, 'null'],
  ]),
];
