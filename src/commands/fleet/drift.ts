// fleet drift: compares the live state of every stack with its manifest. Its clients do not write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { driftFleet } from '../../fleet/plan.ts';
import { OPTIONS, reading, reportOf, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { group } from './group.ts';

/** `pending` when a stack drifted. */
async function drift(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { run } = await prepareFleet(invocation, () => undefined);
  const results = await driftFleet(run);
  return endFleet({ command: 'drift', stacks: outcomesOf(results, invocation, run) }, call);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 136,
    words: 'fleet drift',
    text: 'compare live state with every stack and show who changed what',
    above: group,
    flags: {
      own: [OPTIONS.targets, OPTIONS.policy, OPTIONS.rate, reading(OPTIONS.tokenDir)],
      manifest: STACKS,
      output: reportOf('drift'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: { examples: ['fleet drift', 'fleet drift --shard auto --metrics-file drift.prom'], exits: ['pending'] },
    run: drift,
  },
];
