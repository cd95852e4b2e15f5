// Seeded mistakes of the kind "one of two mechanisms forgets the other" that random worlds of pairs notice.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const MEETINGS = { tests: ['pairs/meetings.test.ts'] };

export const MEETING_PAIRS: readonly Mutant[] = [
  ...mistakes('plan/decide-all.ts', MEETINGS, [
    [
      'a plan with targets removes what is no target',
      'decideAll',
      { value: 'removals' },
      'removalDrafts(all, manifest, context)',
    ],
    ['a plan with targets clears what is exclusive', 'expel', { value: 'held' }, 'heldAddresses(matched, drafts)'],
  ]),
  ...mistakes('resource/carry.ts', MEETINGS, [
    [
      'a module that is sent forgets what is left alone',
      'carriedOver',
      { condition: ['ignore', 'length'] },
      'name.length > 0',
    ],
  ]),
  ...mistakes('plan/policies/protection.ts', MEETINGS, [
    ['a marker protects nothing whose block is gone', 'protectors', { value: 'own' }, 'undefined'],
  ]),
  ...mistakes('plan/policies/moved-away.ts', MEETINGS, [
    ['an old branch creates again what was handed over', 'movedAway', { body: true }, '{ return []; }'],
  ]),
  ...mistakes('plan/decide/requests.ts', { tests: ['plan/ignored-rules.test.ts'] }, [
    ['what is left alone does not count beside what is sent', 'besideIgnored', { body: true }, '{ return new Map(); }'],
  ]),
];
