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
    [
      'accepted drift forgets the variable in the name of the stack',
      'sourcesOf',
      { call: 'isForEnvironments' },
      'false',
    ],
  ]),
  ...mistakes('accept/source.ts', { tests: ['accept/environments.test.ts'] }, [
    [
      'what goes from an overlay still shows from below',
      'sourceOfOverlay',
      { value: 'isDropped' },
      '(_: Place) => false',
    ],
    ['an overlay adds a block without saying so', 'placeIn', { value: 'block' }, 'undefined as string[] | undefined'],
    ['an overlay drops a path beside its block', 'withDrops', { value: 'kept' }, 'without(json)'],
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
    ['what the service did not take may be anything', 'splitByTaking', { operand: ['noted', 'shownOf'] }, 'true'],
    ['the journal forgets what the service did not take', 'withAnswers', { value: 'noted' }, 'undefined as never'],
    ['a plan forgets that a run was cut off in the write', 'withAnswers', { value: 'cutOff' }, '{ has: () => false }'],
  ]),
  ...mistakes('journal/replay.ts', TAKING, [
    ['a write without an outcome counts as read', 'takeIntent', { call: 'set', with: ['unread'] }, 'undefined'],
  ]),
  ...mistakes('plan/count-steps.ts', TAKING, [
    ['drift blames others for what a cut-off run left', 'isOwnDoing', { operand: ['not-taken'] }, 'false'],
  ]),
  ...mistakes('reconcile/execution/objects-at-end.ts', TAKING, [
    [
      'the end of a run forgets what the service did not take',
      'objectAtEnd',
      { operand: ['untaken', 'size'] },
      'false',
    ],
  ]),
];

const OBJECTS = { tests: ['policy/objects.test.ts'] };

/** Policies and addresses; policies and what the service has. */
const LIVE = { tests: ['fleet/live-policies.test.ts'] };

export const POLICY_PAIRS: readonly Mutant[] = [
  ...mistakes('policy/judge.ts', OBJECTS, [
    ['a policy on objects forgets what a route is in', 'resourceOf', { value: 'parent' }, '() => ({})'],
    ['a live object is called by an address of another stack', 'liveObjects', { value: 'isOurs' }, 'true'],
  ]),
  ...mistakes('plan/policies/user-policies.ts', OBJECTS, [
    [
      'a policy on live objects refuses the plan that puts them right',
      'leftObjects',
      { value: 'touched' },
      'new Set()',
    ],
  ]),
  ...mistakes('plan/policies/user-policies.ts', LIVE, [
    [
      'policies of a fleet forget what none of its stacks owns',
      'leftObjects',
      { value: 'rest' },
      '[] as LiveResource[]',
    ],
    ['every stack of a fleet judges what all of them see', 'leftObjects', { value: 'own' }, 'resources'],
  ]),
  ...mistakes('policy/judge.ts', LIVE, [
    ['a sensitive value of another stack refuses the plan of this one', 'liveObjects', { value: 'isForeign' }, 'false'],
  ]),
];
