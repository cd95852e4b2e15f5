// show: prints a saved plan, and ends as apply would without a write; sends no requests.

import type { RunOutcome } from '../core/run-outcome.ts';
import { outcomeOfShown } from '../reconcile/run-report.ts';
import { OPTIONS, formatsOf } from './options/options.ts';
import { readPlan } from './files/plan-file.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { printPlan } from './shell/print-plan.ts';

async function show({ invocation, args: [planFile = ''] }: Call): Promise<RunOutcome> {
  const plan = await readPlan(planFile, invocation);
  printPlan(plan, invocation);
  return outcomeOfShown(plan, 'done');
}

export const commands: readonly CommandSpec[] = [
  {
    position: 50,
    words: 'show <planfile>',
    text: 'print a saved plan; no network',
    flags: { own: [], output: [...formatsOf('plan'), OPTIONS.detail] },
    help: {
      examples: ['show plan.json --detail full', 'show plan.json --format html > plan.html'],
      exits: ['error', 'invalid', 'refused'],
    },
    run: show,
  },
];
