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
  ...mistakes('accept/source.ts', { tests: ['accept/environments.test.ts'] }, [
    [
      'what goes from an overlay still shows from below',
      'sourceOfOverlay',
      { value: 'isDropped' },
      '(_: Place) => false',
    ],
  ]),
];

const TAKING = { tests: ['cli/not-taken.test.ts'] };
const ZEROS = { tests: ['cli/zeros.test.ts'] };

/** What was sent and what a service shows. */
export const TAKING_PAIRS: readonly Mutant[] = [
  ...mistakes('resource/diff.ts', ZEROS, [
    ['a zero that the answer leaves out is missing', 'diffField', { call: 'withZeros' }, 'sides.live'],
  ]),
  ...mistakes('plan/decide/cause.ts', ZEROS, [
    ['a zero that was applied and left out was changed outside', 'likelyApplied', { value: 'zeros' }, 'live'],
  ]),
  ...mistakes('plan/decide/untaken.ts', TAKING, [
    ['the journal forgets what the service did not take', 'withAnswers', { value: 'noted' }, 'undefined as never'],
    ['a plan forgets that a run was cut off in the write', 'withAnswers', { value: 'cutOff' }, '{ has: () => false }'],
  ]),
];

const OBJECTS = { tests: ['policy/objects.test.ts'] };

/** Policies and addresses; policies and what the service has. */

export const POLICY_PAIRS: readonly Mutant[] = [
  ...mistakes('policy/judge.ts', OBJECTS, [
    ['a policy on objects forgets what a route is in', 'resourceOf', { value: 'parent' }, '() => ({})'],
    ['a live object is called by an address of another stack', 'liveObjects', { value: 'isOurs' }, 'true'],
  ]),
];
