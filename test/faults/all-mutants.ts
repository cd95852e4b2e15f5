// The list of seeded mistakes, by the part of the program that each breaks, as changes of its syntax tree.

import { mistakes } from './mistakes.ts';
import { ACCEPT } from './mutants-accept.ts';
import { CONSENT } from './mutants-consent.ts';
import { KEPT } from './mutants-kept.ts';
import { LOADER } from './mutants-loading.ts';
import { MARKERS } from './mutants-markers.ts';
import { PAIRS } from './mutants-pairs.ts';
import { PATHS } from './mutants-paths.ts';
import { FLEET } from './mutants-fleet.ts';
import { MIGRATE } from './mutants-migrate.ts';
import { POLICY } from './mutants-policy.ts';
import { PLANNER } from './mutants-plans.ts';
import { PROPERTIES } from './mutants-properties.ts';
import { CLIENT } from './mutants-requests.ts';
import { SECRET_RULES } from './mutants-secrets.ts';
import type { Mutant } from './mutants.ts';

const APPLIER: readonly Mutant[] = [
  {
    name: 'a 404 means gone, and nobody looks',
    file: 'apply/write.ts',
    in: 'lookForOutcome',
    find: { value: 'found' },
    to: "isLost ? $ : { outcome: 'done', body: null }",
    tests: ['cli/missing-operations.test.ts'],
  },
  {
    name: 'a step runs although what it waits for failed',
    file: 'apply/queue.ts',
    in: 'Queue.#settle',
    find: { condition: ['isSuccess'] },
    to: 'false',
    only: 'destination: replace',
    fault: 'reset before, lasting',
  },
  {
    name: 'steps do not wait for each other',
    file: 'apply/queue.ts',
    in: 'Queue.run',
    find: { condition: ['#waiting'] },
    to: 'true',
    only: 'chain: create',
  },
  {
    name: 'an answer without the right id is believed',
    file: 'apply/gate/answer-rules.ts',
    find: { row: 'ANSWER_RULES.about-the-object' },
    only: 'address: update',
    fault: 'an answer about nothing',
  },
  {
    name: 'an object that was changed meanwhile is changed all the same',
    file: 'apply/gate/gate-rules.ts',
    find: { row: 'WRITE_RULES.not-moved' },
    only: 'address: update',
  },
  {
    name: 'the exit code does not wait for the last look',
    file: 'reconcile/execution/verify-run.ts',
    in: 'verifyRun',
    find: { condition: ['isWorthALook'] },
    to: 'false',
    only: 'address: create',
  },
  {
    name: 'a step that was begun is not finished after the deadline',
    file: 'service/http/time-left.ts',
    in: 'TimeLeft.untilEnd',
    find: { call: 'min' },
    to: '$ - this.#graceMs',
    tests: ['cli/interrupted.test.ts'],
  },
  {
    name: 'after a signal nobody looks whether another run created the same',
    file: 'reconcile/execution/verify-run.ts',
    in: 'replan',
    find: { value: 'mayFinish' },
    to: 'run.signal.aborted',
    tests: ['cli/interrupted.test.ts'],
  },
  {
    name: 'the last look does not wait for lists',
    file: 'reconcile/settle.ts',
    in: 'settle',
    find: { value: 'until' },
    to: 'clock.now()',
    only: 'address: create',
  },
];

const SETTLING: readonly Mutant[] = [
  {
    name: 'a refused repeat settles what became of the request before it',
    file: 'apply/write.ts',
    find: { value: 'AFTER.refused.change' },
    to: "'end'",
    tests: ['apply/run-step.test.ts'],
  },
  ...mistakes('apply/write.ts', { only: 'address: create' }, [
    [
      'a lost creation is sent again blindly',
      'lookForOutcome',
      { value: 'found' },
      "ready.method === 'POST' ? { outcome: 'rejected' } : $",
    ],
  ]),
  ...mistakes('apply/write.ts', { tests: ['apply/run-step.test.ts'] }, [
    ['an outcome is noted before the answer', 'tryOnce', { call: 'send' }, "(recordOutcome(run, intent, 'done'), $)"],
  ]),
  {
    name: 'one look for a lost creation is enough',
    file: 'apply/find-outcome.ts',
    in: 'readUntilSettled',
    find: { value: 'until' },
    to: 'clock.now()',
    only: 'address: create',
  },
  {
    name: 'a lost creation is looked for a fifth of the time',
    file: 'apply/find-outcome.ts',
    in: 'readUntilSettled',
    find: { value: 'until' },
    to: 'clock.now() + settleMs / 5',
    only: 'address: create',
  },
  {
    name: 'a lost creation is never sent again',
    file: 'service/limits.ts',
    find: { value: 'LIMITS.lost.creation' },
    to: '1',
    only: 'address: create',
  },
  {
    name: 'a lost creation that cannot be looked for counts as failed',
    file: 'apply/find-outcome.ts',
    in: 'findNewObject',
    find: { call: 'unknown', with: ['pluralOf'] },
    to: "({ outcome: 'unknown', why: $0, isGone: true })",
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a lost update counts as done',
    file: 'apply/find-outcome.ts',
    in: 'updateIn',
    find: { condition: ['isApplied'] },
    to: 'true',
    only: 'address: update',
  },
  {
    name: 'a lost deletion counts as done',
    file: 'apply/find-outcome.ts',
    in: 'removalIn',
    find: { value: 'isGone' },
    to: 'true',
    only: 'address: delete',
  },
  {
    name: 'the old object of a replacement is taken for the new one',
    file: 'apply/find-created.ts',
    in: 'findCreated',
    find: { operand: ['input', 'live'] },
    only: 'address: replace',
  },
  {
    name: 'any new object is taken for a lost creation',
    file: 'apply/find-created.ts',
    in: 'findCreated',
    find: { operand: ['isOurs'] },
    only: 'address: create',
    fault: 'reset before, and',
  },
  {
    name: 'creations that an earlier run left open are not waited for',
    file: 'reconcile/run-journal.ts',
    in: 'findUnresolved',
    find: { value: 'waitMs' },
    to: '0',
    only: 'address: create',
  },
  {
    name: 'open creations that nobody can look for are forgotten',
    file: 'reconcile/run-journal.ts',
    in: 'findUnresolved',
    find: { value: 'problems' },
    to: '[]',
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a write is sent although it could not be noted',
    file: 'reconcile/execution/journal-recorder.ts',
    in: 'createJournalRecorder',
    find: { value: 'intent' },
    to: 'async (intent) => { try { return await ($)(intent); } catch { return 0; } }',
    only: 'address: create',
  },
  {
    name: 'nobody waits until an entry is on the disk',
    file: 'journal/log.ts',
    in: 'createLogFile',
    find: { call: 'append' },
    to: 'void $',
    only: 'address: create',
  },
  {
    name: 'a token that was not stored counts as stored',
    file: 'reconcile/execution/token-files.ts',
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
  ...FLEET,
  ...MIGRATE,
  ...POLICY,
  ...APPLIER,
  ...SETTLING,
  ...MARKERS,
  ...PATHS,
  ...PAIRS,
  ...PROPERTIES,
  ...SECRET_RULES,
  ...LOADER,
  ...CONSENT,
  ...KEPT,
  ...ACCEPT,
];
