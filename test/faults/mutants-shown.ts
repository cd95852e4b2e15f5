// Seeded mistakes in what a person reads and in how a run ends, where two mechanisms meet and one forgets the other.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const MASKED_LISTS = { tests: ['properties/masked-lists.test.ts', 'resource/display-change.test.ts'] };

export const SHOWN_PAIRS: readonly Mutant[] = [
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
