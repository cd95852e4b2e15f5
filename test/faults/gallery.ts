// The list of seeded mistakes, by the part of the program that each breaks, as changes of its syntax tree.

import { KEPT } from './gallery-kept.ts';
import { LOADER } from './gallery-loading.ts';
import { MARKERS } from './gallery-markers.ts';
import { PATHS } from './gallery-paths.ts';
import { PLANNER } from './gallery-plans.ts';
import { CLIENT } from './gallery-requests.ts';
import { SECRET_RULES } from './gallery-secrets.ts';
import type { Mutant } from './mutants.ts';

const APPLIER: readonly Mutant[] = [
  {
    name: 'a 404 means gone, and nobody looks',
    file: 'apply/step.ts',
    in: 'attempt',
    find: { value: 'settled' },
    to: 'saysNothingThere(error, ready) ? null : $',
    tests: ['cli/missing-operations.test.ts'],
  },
  {
    name: 'a step runs although what it waits for failed',
    file: 'apply/queue.ts',
    in: 'runQueue.settle',
    find: { condition: ['isSuccess'] },
    to: 'false',
    only: 'destination: replace',
    fault: 'reset before, lasting',
  },
  {
    name: 'steps do not wait for each other',
    file: 'apply/queue.ts',
    in: 'runQueue',
    find: { value: 'ready' },
    to: '[...tasks]',
    only: 'chain: create',
  },
  {
    name: 'an answer without the right id is believed',
    file: 'apply/gate-rules.ts',
    find: { row: 'ANSWER_RULES.about-the-object' },
    only: 'address: update',
    fault: 'an answer about nothing',
  },
  {
    name: 'an object that was changed meanwhile is changed all the same',
    file: 'apply/gate-rules.ts',
    find: { row: 'WRITE_RULES.not-moved' },
    only: 'address: update',
  },
  {
    name: 'the exit code does not wait for the last look',
    file: 'commands/finish.ts',
    in: 'finish',
    find: { condition: ['isWorthALook'] },
    to: 'false',
    only: 'address: create',
  },
  {
    name: 'the last look does not wait for lists',
    file: 'commands/converge.ts',
    in: 'planAfter',
    find: { value: 'until' },
    to: 'clock.now()',
    only: 'address: create',
  },
];

const SETTLING: readonly Mutant[] = [
  {
    name: 'a lost creation is sent again blindly',
    file: 'apply/step.ts',
    in: 'attempt',
    find: { value: 'settled' },
    to: "ready.method === 'POST' ? 'again' : $",
    only: 'address: create',
  },
  {
    name: 'one look for a lost creation is enough',
    file: 'apply/settle.ts',
    in: 'settleCreation',
    find: { value: 'until' },
    to: 'clock.now()',
    only: 'address: create',
  },
  {
    name: 'a lost creation is looked for a fifth of the time',
    file: 'apply/settle.ts',
    in: 'settleCreation',
    find: { value: 'until' },
    to: 'clock.now() + settleMs / 5',
    only: 'address: create',
  },
  {
    name: 'a lost creation is never sent again',
    file: 'apply/step.ts',
    find: { value: 'MOST_SENDS.POST' },
    to: '1',
    only: 'address: create',
  },
  {
    name: 'a lost creation that cannot be looked for counts as failed',
    file: 'apply/settle.ts',
    in: 'unresolved',
    find: { text: 'unknown' },
    to: "'failed'",
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a lost update counts as done',
    file: 'apply/settle.ts',
    in: 'settleUpdate',
    find: { condition: ['isApplied'] },
    to: 'true',
    only: 'address: update',
  },
  {
    name: 'a lost deletion counts as done',
    file: 'apply/settle.ts',
    in: 'settleDeletion',
    find: { body: true },
    to: "{ return 'done'; }",
    only: 'address: delete',
  },
  {
    name: 'the old object of a replacement is taken for the new one',
    file: 'apply/created.ts',
    in: 'lookForCreated',
    find: { operand: ['input', 'live'] },
    only: 'address: replace',
  },
  {
    name: 'any new object is taken for a lost creation',
    file: 'apply/created.ts',
    in: 'lookForCreated',
    find: { operand: ['isOurs'] },
    only: 'address: create',
    fault: 'reset before, and',
  },
  {
    name: 'creations that an earlier run left open are not waited for',
    file: 'commands/journal.ts',
    in: 'unsettled',
    find: { value: 'waitMs' },
    to: '0',
    only: 'address: create',
  },
  {
    name: 'open creations that nobody can look for are forgotten',
    file: 'commands/journal.ts',
    in: 'unsettled',
    find: { value: 'problems' },
    to: '[]',
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a write is sent although it could not be noted',
    file: 'commands/recorder.ts',
    in: 'recorderOf',
    find: { value: 'intent' },
    to: '(intent) => { try { return ($)(intent); } catch { return 0; } }',
    only: 'address: create',
  },
  {
    name: 'an outcome is noted before the answer',
    file: 'apply/step.ts',
    in: 'attempt',
    find: { call: 'send' },
    to: "(ended('done'), $)",
    only: 'address: create',
  },
  {
    name: 'a token that was not stored counts as stored',
    file: 'commands/tokens.ts',
    in: 'store',
    find: { throws: ['again', 'why'] },
    to: 'void why;',
    only: 'key: create',
  },
  {
    name: 'a journal whose end is torn is of no use',
    file: 'journal/parse.ts',
    in: 'parseJournal',
    find: { value: 'isTorn' },
    to: 'false',
    only: 'address: create',
  },
];

export const MUTANTS: readonly Mutant[] = [
  ...CLIENT,
  ...PLANNER,
  ...APPLIER,
  ...SETTLING,
  ...MARKERS,
  ...PATHS,
  ...SECRET_RULES,
  ...LOADER,
  ...KEPT,
];
