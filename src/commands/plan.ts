// plan: reads live state and prints what apply would do. Its client cannot write.

import { worstOf, type RunOutcome } from '../core/run-outcome.ts';
import { hasPlanErrors, isPending } from '../plan/count-steps.ts';
import { makePlan } from '../reconcile/plan.ts';
import { renderPlanAs } from '../render/formats.ts';
import { savePlan } from './files/plan-file.ts';
import { FLAGS, formatsOf } from './options/flags.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { prepare } from './shell/load.ts';
import { printPlan } from './shell/print-plan.ts';

/** Prints the plan; with `--detailed-exitcode`, the outcome says whether something is pending. */
async function plan({ invocation, summary }: Call): Promise<RunOutcome> {
  const { run } = await prepare(invocation, () => undefined);
  const made = await makePlan(run);
  const { lost: unsaved, say } = await savePlan(made, invocation);
  summary.add((style, limit) => renderPlanAs('markdown', made, style, limit));
  const lost = [...unsaved, ...(await summary.end())];
  printPlan(made, invocation, lost);
  say();
  const ready = invocation.settings.detailedExitcode && isPending(made) ? 'pending' : 'done';
  return worstOf(hasPlanErrors(made) ? 'error' : ready, lost.length === 0 ? 'done' : 'output');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 20,
    words: 'plan',
    text: 'show what apply would do; never writes',
    flags: {
      own: [
        { flags: '--out <file>', text: 'save the plan as JSON' },
        { flags: '--detailed-exitcode', text: 'exit with 2 when changes are pending' },
        FLAGS.target,
        ...FLAGS.allow,
        FLAGS.journalRead,
        FLAGS.tokensRead,
      ],
      manifest: FLAGS.manifest,
      output: [...formatsOf('plan'), FLAGS.detail, FLAGS.summary],
      service: FLAGS.service,
      hidden: [FLAGS.settle],
    },
    help: {
      examples: ['plan', 'plan --out plan.json', 'plan --detailed-exitcode --format markdown > comment.md'],
      exits: ['pending'],
    },
    run: plan,
  },
];
