// The list of seeded mistakes, by the part of the program that each breaks. Texts are those of the compiled files.

import { PLANNER } from './gallery-plans.ts';
import { CLIENT } from './gallery-requests.ts';
import type { Mutant } from './mutants.ts';

const APPLIER: readonly Mutant[] = [
  {
    name: 'any 404 means gone',
    file: 'apply/step.js',
    from: "error.status === 404 && error.failure === 'rejected'",
    to: 'error.status === 404',
    only: 'address: delete',
    fault: '404 of a portal',
  },
  {
    name: 'a step runs although what it waits for failed',
    file: 'apply/queue.js',
    from: 'if (!options.isSuccess(result))',
    to: 'if (false)',
    only: 'destination: replace',
    fault: 'reset before, lasting',
  },
  {
    name: 'steps do not wait for each other',
    file: 'apply/queue.js',
    from: 'tasks.filter((task) => waiting.get(task.id) === 0)',
    to: 'tasks.filter(() => true)',
    only: 'chain: create',
  },
  {
    name: 'an answer without the right id is believed',
    file: 'apply/step.js',
    from: 'if (id !== liveId)',
    to: 'if (false)',
    only: 'address: update',
    fault: 'an answer about nothing',
  },
  {
    name: 'an object that was changed meanwhile is changed all the same',
    file: 'apply/check.js',
    from: 'if (moved.length === 0)',
    to: 'if (true)',
    only: 'address: update',
  },
  {
    name: 'the exit code does not wait for the last look',
    file: 'commands/apply.js',
    from: 'if (results.length > 0) {',
    to: 'if (false) {',
    only: 'address: create',
  },
  {
    name: 'the last look does not wait for lists',
    file: 'commands/converge.js',
    from: 'const until = clock.now() + settleMs;',
    to: 'const until = clock.now();',
    only: 'address: create',
  },
];

const SETTLING: readonly Mutant[] = [
  {
    name: 'a lost creation is sent again blindly',
    file: 'apply/step.js',
    from: 'const settled = await settle(run, ready);',
    to: "const settled = ready.method === 'POST' ? 'again' : await settle(run, ready);",
    only: 'address: create',
  },
  {
    name: 'one look for a lost creation is enough',
    file: 'apply/settle.js',
    from: 'const until = clock.now() + settleMs;',
    to: 'const until = clock.now();',
    only: 'address: create',
  },
  {
    name: 'a lost creation is looked for a fifth of the time',
    file: 'apply/settle.js',
    from: 'const until = clock.now() + settleMs;',
    to: 'const until = clock.now() + settleMs / 5;',
    only: 'address: create',
  },
  {
    name: 'a lost creation is never sent again',
    file: 'apply/step.js',
    from: 'POST: 2,',
    to: 'POST: 1,',
    only: 'address: create',
  },
  {
    name: 'a lost creation that cannot be looked for counts as failed',
    file: 'apply/settle.js',
    from: "return new StepEnd('unknown', ",
    to: "return new StepEnd('failed', ",
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a lost update counts as done',
    file: 'apply/settle.js',
    from: 'if (isApplied(live, sent))',
    to: 'if (true)',
    only: 'address: update',
  },
  {
    name: 'a lost deletion counts as done',
    file: 'apply/settle.js',
    from: "(await current(run)) === undefined ? 'done' : 'again'",
    to: "'done'",
    only: 'address: delete',
  },
  {
    name: 'the old object of a replacement is taken for the new one',
    file: 'apply/look.js',
    from: '&& !input.existing.has(id)',
    to: '',
    only: 'address: replace',
  },
  {
    name: 'any new object is taken for a lost creation',
    file: 'apply/look.js',
    from: "return isOurs && typeof id === 'string'",
    to: "return typeof id === 'string'",
    only: 'address: create',
    fault: 'reset before, and',
  },
  {
    name: 'creations that an earlier run left open are not waited for',
    file: 'commands/journal.js',
    from: 'waitMs: Math.max(0, ...waits), problems',
    to: 'waitMs: 0, problems',
    only: 'address: create',
  },
  {
    name: 'open creations that nobody can look for are forgotten',
    file: 'commands/journal.js',
    from: 'waitMs: Math.max(0, ...waits), problems',
    to: 'waitMs: Math.max(0, ...waits), problems: []',
    only: 'https edges cannot be listed: create',
  },
  {
    name: 'a write is sent although it could not be noted',
    file: 'commands/journal.js',
    from: 'intent: (intent) => journal.intent(intent),',
    to: 'intent: (intent) => { try { return journal.intent(intent); } catch { return 0; } },',
    only: 'address: create',
  },
  {
    name: 'an outcome is noted before the answer',
    file: 'apply/step.js',
    from: 'const body = checked(run, ready, await send(run, ready));',
    to: "ended('done'); const body = checked(run, ready, await send(run, ready));",
    only: 'address: create',
  },
  {
    name: 'a token that was not stored counts as stored',
    file: 'commands/tokens.js',
    from: 'throw new Error(`its token was not stored, ${why}; ${again}`, { cause: error });',
    to: 'void why;',
    only: 'key: create',
  },
  {
    name: 'a journal whose end is torn is of no use',
    file: 'journal/parse.js',
    from: "const isTorn = tail !== '' && !closes(tail);",
    to: 'const isTorn = false;',
    only: 'address: create',
  },
];

export const MUTANTS: readonly Mutant[] = [...CLIENT, ...PLANNER, ...APPLIER, ...SETTLING];
