// Seeded mistakes in what a plan may lose, in the consent to it, and in what it shows of it.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const RULES = { tests: ['plan/policies/deletions.test.ts'] };
const UNRELATED = { tests: ['plan/policies/policies.test.ts'] };
const SHOWN = { tests: ['plan/decide/deleted-object.test.ts'] };

export const CONSENT: readonly Mutant[] = [
  {
    name: 'consent that a plan was saved with is forgotten',
    file: 'plan/review-saved-plan.ts',
    in: 'withConsent',
    find: { value: 'allowLoss' },
    to: 'options.allowLoss',
    tests: ['cli/safety.test.ts'],
  },
  {
    name: 'a manifest has none of what it has',
    file: 'plan/policies/deletions.ts',
    in: 'hasOwn',
    find: { body: true },
    to: '{ return false; }',
    tests: ['plan/policies/policies.test.ts'],
  },
  ...mistakes('plan/policies/deletions.ts', RULES, [
    ['a rename that was forgotten loses an address', 'lostForGood', { value: 'isOwnLoss' }, 'false'],
    ['what is lost with its parent needs no consent', 'lostForGood', { value: 'inside' }, '[] as typeof live[]'],
    ['a redundant duplicate is a loss', 'lostForGood', { condition: ['isRedundant'] }, 'false'],
    [
      'what `removed` lists counts against the budget',
      'deleteBudget',
      { operand: ['isRemoved', 'isRedundant'] },
      'true',
    ],
    ['`destroy` asks for consent', 'unconfirmedDeletions', { condition: ['destroy'] }, 'false'],
  ]),
  ...mistakes('plan/policies/deletions.ts', UNRELATED, [
    ['the manifest of another team deletes what is there', 'unrelatedManifest', { operand: ['hasOwn'] }, 'true'],
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
    ['an entry is named for an address that a block asks for', 'consentEntry', { condition: ['resources'] }, 'false'],
  ]),
  ...mistakes('plan/match/listed.ts', RULES, [
    ['a release consents to a deletion', 'listedIn', { value: 'entries' }, "end === 'destroy' ? removed : $"],
  ]),
  ...mistakes('plan/decide/removal.ts', RULES, [
    ['a token that was never stored is a loss', 'lossCode', { condition: ['once'] }, 'false'],
  ]),
  ...mistakes('plan/decide/deleted-object.ts', SHOWN, [
    ['what the service assigned is not shown', 'visibleValues', { call: 'assignedValue' }, 'undefined'],
    ['a deletion shows a secret that the service repeats', 'secretTextIn', { operand: ['holds'] }, 'false'],
    ['a deletion shows a secret in what the service assigned', 'secretTextIn', { operand: ['own'] }, 'false'],
    ['what an object is known by is not first', 'isKnownBy', { body: true }, '{ return false; }'],
  ]),
  ...mistakes('commands/stacks/consents.ts', { tests: ['cli/fleet-consent.test.ts'] }, [
    ['consent for one stack of a fleet is consent for all', 'consentsOf', { condition: ['entry', 'name'] }, 'true'],
    [
      'a consent for a stack that the fleet lacks is taken',
      'consentProblems',
      { condition: ['names', 'includes'] },
      'false',
    ],
  ]),
  ...mistakes('commands/stacks/load-fleet.ts', { tests: ['cli/fleet-consent.test.ts'] }, [
    ['--recreate lifts the rule for a whole fleet', 'checkAlone', { condition: ['recreate'] }, 'false'],
  ]),
];
