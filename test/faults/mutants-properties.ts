// Seeded mistakes that properties over random worlds notice: what people read, what becomes of each object, and a fleet of one.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const TOLD = { tests: ['properties/told.test.ts'] };
const DISPOSITIONS = { tests: ['properties/dispositions.test.ts'] };
const FLEET_OF_ONE = { tests: ['properties/fleet-of-one.test.ts'] };
const ANY_PAIR = { tests: ['pairs/meetings.test.ts'] };

export const PROPERTIES: readonly Mutant[] = [
  ...mistakes('render/view/values/changes.ts', TOLD, [
    [
      'drift shows the live value as the old one',
      'outsideLines',
      { value: 'shown' },
      '{ label, before, after, items, depth: 0 }',
    ],
  ]),
  ...mistakes('plan/unmanaged.ts', DISPOSITIONS, [
    [
      'nothing is said of an object with a misplaced marker',
      'unmanagedOf',
      { call: 'has', with: ['gone'] },
      "($ || matched.ownership.of(live).is === 'misplaced')",
    ],
  ]),
  ...mistakes('plan/decide-all.ts', DISPOSITIONS, [
    ['what is released is deleted, too', 'orphansIn', { text: 'orphan' }, "'orphan', 'released'"],
  ]),
  ...mistakes('plan/count-steps.ts', DISPOSITIONS, [
    ['what is blocked is unchanged, too', 'countSteps', { operand: ['blocked'] }],
  ]),
  ...mistakes('plan/build.ts', ANY_PAIR, [
    ['what is expelled is left alone, too', 'planOf', { call: 'idsOf' }, 'new Set()'],
  ]),
  ...mistakes('commands/validate.ts', ANY_PAIR, [
    [
      'validate stumbles over what moves',
      'validate',
      { call: 'renderDiagnosticsAs' },
      '((manifest?.moved ?? []).map(({ gone }) => gone.length), $)',
    ],
    [
      'validate ends as an apply that was done in part',
      'validate',
      { value: 'outcome' },
      "manifest?.removed.length > 0 ? 'partial' : ($)",
    ],
  ]),
  ...mistakes('commands/stacks/end-fleet.ts', FLEET_OF_ONE, [
    ['a plan of a fleet ends well where it is refused', 'endOf', { call: 'outcomeOfShown' }, 'ready'],
  ]),
];
