// plan: reads live state and prints what apply would do. Its client cannot write.

import { worstOf, type RunOutcome } from '../core/run-outcome.ts';
import { isPending } from '../plan/count-steps.ts';
import { makeComparedPlan } from '../reconcile/base.ts';
import { makePlan } from '../reconcile/plan.ts';
import { outcomeOfShown, whyNotExecuted } from '../reconcile/run-report.ts';
import { isLog } from '../render/formats.ts';
import { CHANGES, MANIFEST, OPTIONS, SERVICE, reading, reportOf } from './options/options.ts';
import { savedLine, writePlan } from './files/plan-file.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { prepareCompared } from './shell/compared.ts';
import { printPlan } from './shell/print-plan.ts';

/** Prints the plan. The outcome says whether apply would refuse it and, with `--detailed-exitcode`, whether something is pending. */
async function plan({ invocation, listeners }: Call): Promise<RunOutcome> {
  const { run, base } = await prepareCompared(invocation);
  const made = await (base === undefined ? makePlan(run) : makeComparedPlan(run, base));
  const { settings, stderr } = invocation;
  const { out } = settings;
  const unsaved = out === undefined ? [] : writePlan(out, made, invocation);
  invocation.note({ type: 'planned', plan: made }, made);
  const ready = settings.detailedExitcode && isPending(made) ? 'pending' : 'done';
  const outcome = outcomeOfShown(made, ready);
  const lost = [...unsaved, ...listeners.end(outcome)];
  printPlan(made, invocation, lost);
  // A document contains all messages and leaves nothing to print.
  if (out !== undefined && unsaved.length === 0 && isLog(settings.format)) {
    const isReady = whyNotExecuted(made) === undefined;
    stderr.write(`${savedLine('apply', out, settings, isReady)}\n`);
  }
  return worstOf(outcome, lost.length === 0 ? 'done' : 'output');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 20,
    words: 'plan',
    text: 'show what apply would do; never writes',
    flags: {
      own: [
        OPTIONS.stack,
        OPTIONS.out,
        OPTIONS.base,
        OPTIONS.detailedExitcode,
        ...CHANGES,
        reading(OPTIONS.journal),
        reading(OPTIONS.tokenDir),
      ],
      manifest: MANIFEST,
      output: reportOf('plan'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: [
        'plan',
        'plan --out plan.json',
        'plan --base origin/main',
        'plan --detailed-exitcode --format markdown > comment.md',
      ],
      exits: ['pending', 'refused'],
    },
    run: plan,
  },
];
