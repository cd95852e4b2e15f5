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
  ...mistakes('render/view/loss.ts', { tests: ['cli/calm-sentence.test.ts'] }, [
    [
      'a plan of targets calms',
      'isCalm',
      { condition: ['complete'] },
      'steps.length === 0 || done.length > 0 || items.some(isDangerous)',
    ],
  ]),
  ...mistakes('catalog/access.ts', { tests: ['cli/calm-sentence.test.ts'] }, [
    ['what opens knows no guards', 'mayOpen', { condition: ['access', 'isAdded'] }, "access !== 'reach' || isAdded"],
    ['what opens knows no reach', 'mayOpen', { condition: ['access', 'isAdded'] }, "access !== 'guard' || isAdded"],
  ]),
  ...mistakes('plan/compare.ts', { tests: ['base/losses.test.ts'] }, [
    ['a comparison with a revision forgets what a flag allows', 'withOrigins', { operand: ['allowed_by'] }, 'true'],
  ]),
  ...mistakes('plan/policies/allowed.ts', { tests: ['base/losses.test.ts'] }, [
    ['a loss in a plan forgets the consent to it', 'withoutConsent', { value: 'allowLoss' }, 'options.allowLoss'],
  ]),
  ...mistakes('render/document/document.ts', { tests: ['base/losses.test.ts'] }, [
    ['the part of this change calms for all', 'lossesOf', { value: 'isSaid' }, 'view.items.length > 0 && !isMember'],
  ]),
  ...mistakes('commands/stacks/end-fleet.ts', { tests: ['cli/fleet-consent.test.ts'] }, [
    ['a refusal of one stack forgets what others wrote', 'outcomeOfAll', { call: 'some' }, 'false'],
    ['a fleet that wrote nothing is done in part', 'outcomeOfAll', { call: 'some' }, 'true'],
  ]),
  ...mistakes('render/view/drift.ts', { tests: ['cli/foreign-children.test.ts'] }, [
    ['a foreign route is told by each stack', 'driftView', { call: 'partition' }, '[[], unmanaged] as const'],
  ]),
  ...mistakes('plan/match/owner-around.ts', { tests: ['cli/foreign-children.test.ts'] }, [
    ['what is in an edge forgets whose edge it is', 'ownerAround', { condition: ['parentId'] }, 'true'],
  ]),
];
