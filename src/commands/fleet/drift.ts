// fleet drift: compares the live state of every stack with its manifest. Its clients do not write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { driftFleet } from '../../fleet/plan.ts';
import { readIgnores } from '../options/ignore-file.ts';
import { OPTIONS, reading, reportOf, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { sayProblems } from '../shell/problems.ts';
import { acceptIn, endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { group } from './group.ts';

/** `pending` when a stack drifted. Entries of the ignore file are for every stack. */
async function drift(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { run, own: ignores } = await prepareFleet(invocation, () => readIgnores(invocation));
  const results = await driftFleet(run);
  const { drifts, unused } = acceptIn(results, ignores, run);
  sayProblems(unused, invocation);
  return endFleet({ command: 'drift', stacks: outcomesOf(results, invocation, drifts) }, call);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 136,
    words: 'fleet drift',
    text: 'compare live state with every stack and show who changed what',
    above: group,
    again: 'fleet drift',
    flags: {
      own: [OPTIONS.ignore, OPTIONS.targets, OPTIONS.policy, OPTIONS.rate, reading(OPTIONS.tokenDir)],
      manifest: STACKS,
      output: reportOf('drift'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['fleet drift', 'fleet drift --shard auto --metrics-file drift.prom'], exits: ['pending'] },
    run: drift,
  },
];
