// Seeded mistakes in what of a live object is kept: what is ignored, released, or shown once.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const IGNORED: readonly Mutant[] = [
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
];

/** The second plan of a run. */
const CLEANED_UP: readonly Mutant[] = [
  ...(
    [
      ['the object that stays is brought to the manifest, or replaced', 'forReferences', { value: 'isKept' }, 'false'],
      [
        'a reference that the manifest ignores is not re-pointed',
        'forReferences',
        { value: 'isReference' },
        '(path: string) => isKept && fields.get(id)?.has(fieldOf(path)) === true',
      ],
    ] as const
  ).map(([name, where, find, to]): Mutant => ({
    name,
    file: 'plan/clean-up.ts',
    in: where,
    find,
    to,
    tests: ['plan/clean-up.test.ts'],
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
    name: 'a deleted object is believed because a list shows it',
    file: 'reconcile/read.ts',
    in: 'rootsOf',
    find: { value: 'isDoubtful' },
    to: '({ id }: ExpectedObject) => !listed.has(id)',
    tests: ['reconcile/read.test.ts'],
  },
];

export const KEPT: readonly Mutant[] = [...IGNORED, ...RELEASED, ...CLEANED_UP];
