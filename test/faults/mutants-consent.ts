// Seeded mistakes in what a plan may lose, in the consent to it, and in what it shows of it.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const RULES = { tests: ['plan/policies/deletions.test.ts'] };
const UNRELATED = { tests: ['plan/policies/policies.test.ts'] };

export const CONSENT: readonly Mutant[] = [
  {
    name: 'consent that a plan was saved with is forgotten',
    file: 'plan/review-saved-plan.ts',
    in: 'withConsent',
    find: { value: 'allowLoss' },
    to: 'options.allowLoss',
    tests: ['cli/safety.test.ts'],
  },
  ...mistakes('plan/policies/deletions.ts', UNRELATED, [
    [
      'who removes one of several has the manifest of the stack',
      'unrelatedManifest',
      { value: 'unnamed' },
      'disposedAs(input.dispositions, "orphan").some(({ isListed }) => isListed) ? [] : $',
    ],
    [
      'what is removed is not named by the manifest',
      'unrelatedManifest',
      { value: 'unnamed' },
      "disposedAs(input.dispositions, 'orphan').map(({ live }) => live)",
    ],
  ]),
  ...mistakes('plan/policies/consent.ts', RULES, [
    ['consent to one loss is consent to every loss', 'allowsLoss', { call: 'isUnder' }, 'allowLoss.length > 0'],
    [
      'consent to what contains an object does not cover it',
      'allowsLoss',
      { call: 'isUnder' },
      'allowLoss.includes(address)',
    ],
  ]),
  ...mistakes('plan/match/listed.ts', RULES, [
    ['a release consents to a deletion', 'listedIn', { value: 'entries' }, "end === 'destroy' ? removed : $"],
  ]),
];
