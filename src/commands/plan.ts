// plan: reads live state and prints what apply would do. Its client cannot write.

import { worstOf, type RunOutcome } from '../core/run-outcome.ts';
import { hasPlanErrors, isPending } from '../plan/count-steps.ts';
import { makePlan } from '../reconcile/plan.ts';
import { MANIFEST, OPTIONS, SERVICE, formatsOf, reading } from './options/options.ts';
import { savePlan } from './files/plan-file.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { prepare } from './shell/load.ts';
import { printPlan } from './shell/problems.ts';

/** Prints the plan; with `--detailed-exitcode`, the outcome says whether something is pending. */
async function plan({ invocation, listeners }: Call): Promise<RunOutcome> {
  const { run } = await prepare(invocation, () => undefined);
  const made = await makePlan(run);
  const { lost: unsaved, say } = await savePlan(made, invocation);
  invocation.note({ type: 'planned', plan: made }, made.stack);
  const ready = invocation.settings.detailedExitcode && isPending(made) ? 'pending' : 'done';
  const outcome = hasPlanErrors(made) ? 'error' : ready;
  const lost = [...unsaved, ...(await listeners.end(outcome))];
  printPlan(made, invocation, lost);
  say();
  return worstOf(outcome, lost.length === 0 ? 'done' : 'output');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 20,
    words: 'plan',
    text: 'show what apply would do; never writes',
    again: 'plan',
    flags: {
      own: [
        OPTIONS.out,
        OPTIONS.detailedExitcode,
        OPTIONS.targets,
        OPTIONS.allowDeletes,
        OPTIONS.allowReplace,
        reading(OPTIONS.journal),
        reading(OPTIONS.tokenDir),
      ],
      manifest: MANIFEST,
      output: [...formatsOf('plan'), OPTIONS.detail, OPTIONS.summaryFile],
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: ['plan', 'plan --out plan.json', 'plan --detailed-exitcode --format markdown > comment.md'],
      exits: ['pending'],
    },
    run: plan,
  },
];
