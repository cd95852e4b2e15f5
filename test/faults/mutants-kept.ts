// Seeded mistakes in what of a live object is kept: what is ignored, released, or shown once.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const IGNORED: readonly Mutant[] = [
  {
    name: 'a choice is made because something of it is ignored',
    file: 'resource/carry.ts',
    in: 'carryMembers',
    find: { condition: ['exactlyOne'] },
    to: 'false',
    tests: ['plan/ignored.test.ts'],
  },
  {
    name: 'what is ignored comes from an object that made another choice',
    file: 'resource/carry.ts',
    in: 'carryMembers',
    find: { condition: ['exactlyOne'] },
    to: 'object?.exactlyOne && own === undefined',
    tests: ['plan/ignored.test.ts'],
  },
  {
    name: 'nothing that is ignored is taken over',
    file: 'plan/decide/decide.ts',
    find: { call: 'effectiveSpec' },
    to: '$1',
    tests: ['plan/ignored.test.ts'],
  },
];

const RELEASED: readonly Mutant[] = [
  ...mistakes('plan/match/match.ts', { tests: ['plan/released.test.ts'] }, [
    ['nothing is released', 'match', { value: 'isReleased' }, '() => false'],
  ]),
  ...mistakes('plan/match/listed.ts', { tests: ['plan/released.test.ts'] }, [
    ['what is to be deleted is released', 'listedIn', { value: 'entries' }, 'removed'],
    ['a release does not follow moves', 'listedIn', { value: 'withTargets' }, '(address: string) => [address]'],
    ['a release does not follow pins', 'listedIn', { value: 'inside' }, '[] as string[]'],
  ]),
];

const ONCE: readonly Mutant[] = [
  ...mistakes('plan/decide/returned-once.ts', { tests: ['cli/tokens.test.ts'] }, [
    ['the journal does not tell that a token was stored', 'returnedOnceState', { condition: ['ids'] }, 'false'],
    ['the file of a token does not count', 'returnedOnceState', { condition: ['files'] }, 'false'],
  ]),
  {
    name: 'the file of a key is taken for that of the one in its place',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { condition: ['replaces'] },
    to: 'true',
    tests: ['cli/tokens.test.ts'],
  },
  {
    name: 'a token that another machine may hold is lost',
    file: 'plan/decide/returned-once.ts',
    in: 'returnedOnceState',
    find: { call: 'isMadeBy' },
    to: 'true',
    tests: ['plan/returned-once.test.ts', 'cli/tokens.test.ts'],
  },
  ...mistakes('plan/decide/returned-once.ts', { tests: ['plan/returned-once.test.ts'] }, [
    [
      'a key that the journal calls unstored may be held elsewhere',
      'returnedOnceState',
      { operand: ['isCreatedUnstored'] },
    ],
    ['a key of a run of this journal may be held elsewhere', 'returnedOnceState', { operand: ['isMadeBy'] }],
  ]),
];

/** The second plan of a run. */
const CLEANED_UP: readonly Mutant[] = [
  ...(
    [
      ['what the next plan deletes is deleted on the way', 'partOfSteps', { condition: ['goingIds'] }, 'true'],
      ['the object that stays is brought to the manifest, or replaced', 'forReferences', { value: 'isKept' }, 'false'],
      [
        'a reference that the manifest ignores is not re-pointed',
        'forReferences',
        { value: 'isReference' },
        '(path: string) => isKept && fields.get(id)?.has(fieldOf(path)) === true',
      ],
      [
        'an address that an edge serves is no reference',
        'fieldsNaming',
        { value: 'served' },
        '([] as { field: string }[])',
      ],
      ['what something still needs is deleted', 'closed', { value: 'kept' }, 'steps'],
    ] as const
  ).map(([name, where, find, to]): Mutant => ({
    name,
    file: 'plan/clean-up.ts',
    in: where,
    find,
    to,
    tests: ['plan/clean-up.test.ts'],
  })),
  ...(
    [
      [
        'the one that a run used goes, and the other stays',
        'isRedundantBeside',
        { condition: ['isOwn', 'isUsed'] },
        'false',
      ],
      [
        'what a run made to replace an object is a duplicate of it',
        'redundantAmong',
        { operand: ['replaced'] },
        'true',
      ],
      ['the earliest object goes, too', 'isRedundantBeside', { operand: ['byAge'] }, 'true'],
    ] as const
  ).map(([name, where, find, to]): Mutant => ({
    name,
    file: 'plan/match/redundant-duplicates.ts',
    in: where,
    find,
    to,
    tests: ['plan/match/redundant-duplicates.test.ts'],
  })),
  {
    name: "a later write of a run takes its name out of its own object's marker",
    file: 'apply/fill-request.ts',
    in: 'marksOf',
    find: { value: 'isOwn' },
    to: "method === 'POST'",
    tests: ['apply/fill-request.test.ts'],
  },
  ...mistakes('apply/fill-request.ts', { tests: ['apply/fill-request.test.ts'] }, [
    ['the commit stands only in what a run creates', 'marksOf', { value: 'from' }, 'isOwn && commit ? { commit } : {}'],
    [
      'a run without a commit keeps the older one',
      'withRun',
      { call: 'writeMarker' },
      'writeMarker(user, { ...marker, ...marks })',
    ],
  ]),
  {
    name: 'one of two objects of an address is believed because a list shows it',
    file: 'reconcile/read.ts',
    in: 'rootsOf',
    find: { value: 'ofEqualMarkers' },
    to: '([] as typeof resources)',
    tests: ['reconcile/read.test.ts'],
  },
  {
    name: 'a deleted object is believed because a list shows it',
    file: 'reconcile/read.ts',
    in: 'rootsOf',
    find: { value: 'isDoubtful' },
    to: '({ id }: ExpectedObject) => !listed.has(id)',
    tests: ['reconcile/read.test.ts'],
  },
  {
    name: 'what was rolled back is changed in part',
    file: 'reconcile/run-report.ts',
    in: 'changedInPart',
    find: { operand: ['id'] },
    tests: ['reconcile/run-report.test.ts'],
  },
];

export const KEPT: readonly Mutant[] = [...IGNORED, ...RELEASED, ...ONCE, ...CLEANED_UP];
