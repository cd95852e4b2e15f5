// Seeded mistakes where accepted drift meets comments, overlays and the environments of one manifest.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

export const ENVIRONMENT_PAIRS: readonly Mutant[] = [
  ...mistakes('accept/text/layout.ts', { tests: ['accept/edit-text.test.ts'] }, [
    [
      'an accepted item begins at a dash of its comment',
      'dashesOf',
      { call: 'behindMark' },
      "start.reduce((at, { offset, source }) => (source.includes('-') ? offset + source.lastIndexOf('-') + 1 : at), 0)",
    ],
    [
      'an accepted value begins at a colon of its key’s comment',
      'spotOf',
      { value: 'colon' },
      "text.indexOf(':', key.range[1]) + 1",
    ],
  ]),
  ...mistakes('accept/accept.ts', { tests: ['accept/environments.test.ts'] }, [
    ['accepted drift forgets that an overlay lies over the manifest', 'sourcesOf', { condition: ['last'] }, 'false'],
    ['accepted drift forgets the variable in the name of the stack', 'sourcesOf', { value: 'whyKept' }, 'undefined'],
  ]),
  ...mistakes('accept/source.ts', { tests: ['accept/environments.test.ts'] }, [
    [
      'what goes from an overlay still shows from below',
      'sourceOfOverlay',
      { value: 'isDropped' },
      '(_: Place) => false',
    ],
    ['an overlay drops a path beside its block', 'withDrops', { value: 'kept' }, 'without(json)'],
  ]),
];
