// Seeded mistakes in what accepted drift writes into a manifest, and in what it leaves out.

import { mistakes } from './mistakes.ts';
import type { Mutant } from './mutants.ts';

const STORY = { tests: ['accept/story.test.ts'] };
const TEXTS = { tests: ['accept/edit-text.test.ts'] };

export const ACCEPT: readonly Mutant[] = [
  ...mistakes('accept/next-value.ts', STORY, [
    ['an expression of the service is one of the manifest', 'merged', { call: 'escapeText' }, '$0'],
    ['a value takes the place of an expression', 'merged', { call: 'expressionIn' }, 'undefined'],
    ['a secret is accepted', 'nextValue', { condition: ['holdsSecret'] }, 'false'],
    ['any text is accepted', 'isAccepted', { call: 'accepts' }, 'true'],
  ]),
  ...mistakes('accept/wanted.ts', STORY, [
    ['a block goes that something refers to', 'addedReasons', { value: 'named' }, 'new Set<string>()'],
  ]),
  ...mistakes('accept/accept.ts', STORY, [
    ['the manifest is not loaded again', 'layIn', { call: 'loadedAgain' }, '{ failed, problems: [] }'],
    ['what was read from a pipe is written', 'fileOf', { condition: ['whyKept'] }, 'false'],
  ]),
  ...mistakes('accept/keep-valid.ts', { tests: ['accept/keep-valid.test.ts'] }, [
    ['what was blamed for another edit stays left out', 'doubtful', { body: true }, '{ return []; }'],
  ]),
  ...mistakes('accept/blame.ts', { tests: ['accept/keep-valid.test.ts'] }, [
    ['the place of an error says nothing', 'about', { value: 'own' }, 'undefined'],
  ]),
  ...mistakes('commands/stacks/accept-fleet.ts', { tests: ['fleet/accept.test.ts'] }, [
    ['a file that other stacks read is written', 'sharedFiles', { body: true }, '{ return () => false; }'],
    ['an address is accepted in every stack that has it', 'checkAccepted', { body: true }, '{ }'],
  ]),
  ...mistakes('accept/text/edit-text.ts', TEXTS, [
    ['what has an anchor is edited', 'editValue', { condition: ['isShared'] }, 'false'],
    ['what is removed may have an anchor', 'editMembers', { condition: ['holdsShared'] }, 'false'],
  ]),
  ...mistakes('accept/text/lines.ts', TEXTS, [
    ['every text has the same line breaks', 'lineBreakOf', { condition: ['charAt'] }, 'false'],
  ]),
  ...mistakes('accept/text/comments.ts', TEXTS, [
    ['a comment on a line of its own goes with a block', 'removeLines', { value: 'alone' }, '[] as Comment[]'],
  ]),
  ...mistakes('accept/wanted.ts', STORY, [
    ['what nobody knows to be drift is accepted', 'doubtAbout', { condition: ['unknown'] }, 'false'],
    ['what the manifest changed, too, is part of all', 'doubtAbout', { condition: ['both'] }, 'false'],
    ['what a safety rule doubts is accepted', 'doubtAbout', { condition: ['doubted'] }, 'false'],
  ]),
  ...mistakes('accept/hidden-secret.ts', STORY, [
    ['what is beside a hidden secret is accepted', 'fieldsWithHiddenSecret', { body: true }, '{ return new Set(); }'],
  ]),
  ...mistakes('accept/selection.ts', STORY, [
    ['a path accepts its whole object', 'testOf', { value: 'whole' }, 'address'],
  ]),
];
