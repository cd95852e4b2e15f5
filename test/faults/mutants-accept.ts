// Seeded mistakes in what accepted drift writes into a manifest, and in what it leaves out.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const STORY = { tests: ['accept/story.test.ts'] };

export const ACCEPT: readonly Mutant[] = [
  ...mistakes('accept/next-value.ts', STORY, [
    ['an expression of the service is one of the manifest', 'merged', { call: 'escapeText' }, '$0'],
    ['any text is accepted', 'isAccepted', { call: 'accepts' }, 'true'],
  ]),
  ...mistakes('accept/wanted.ts', STORY, [
    ['a block goes that something refers to', 'addedReasons', { value: 'named' }, 'new Set<string>()'],
  ]),
  ...mistakes('accept/accept.ts', STORY, [
    ['the manifest is not loaded again', 'layIn', { call: 'loadedAgain' }, '{ failed, problems: [] }'],
  ]),
  ...mistakes('accept/blame.ts', { tests: ['accept/keep-valid.test.ts'] }, [
    ['the place of an error says nothing', 'about', { value: 'own' }, 'undefined'],
  ]),
  ...mistakes('commands/stacks/accept-fleet.ts', { tests: ['fleet/accept.test.ts'] }, [
    ['a file that other stacks read is written', 'sharedFiles', { body: true }, '{ return () => false; }'],
  ]),
];
