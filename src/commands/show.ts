// show: prints a saved plan; sends no requests.

import type { RunOutcome } from '../core/run-outcome.ts';
import { OPTIONS, formatsOf } from './options/options.ts';
import { readPlan } from './files/plan-file.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { printPlan } from './shell/print-plan.ts';

async function show({ invocation, args: [planFile = ''] }: Call): Promise<RunOutcome> {
  printPlan(await readPlan(planFile, invocation), invocation);
  return 'done';
}

export const commands: readonly CommandSpec[] = [
  {
    position: 50,
    words: 'show <planfile>',
    text: 'print a saved plan; no network',
    flags: { own: [], output: [...formatsOf('plan'), OPTIONS.detail] },
    help: {
      examples: ['show plan.json --detail full', 'show plan.json --format html > plan.html'],
      exits: ['invalid'],
    },
    run: show,
  },
];
