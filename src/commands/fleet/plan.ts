// fleet plan: prints what fleet apply would do, from one read of each service. Its clients do not write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { planFleet } from '../../fleet/plan.ts';
import { isLog } from '../../render/formats.ts';
import { optionsOf, quoted } from '../options/again.ts';
import { formatsOf, OPTIONS, reading, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { preparePlanFolder, savePlans } from '../stacks/saved-plans.ts';
import { group } from './group.ts';

/** Prints the plans, and saves them to the directory of `--out`. */
async function plan(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { settings, stderr } = invocation;
  const { run } = await prepareFleet(invocation, { read: () => undefined });
  preparePlanFolder(
    run.stacks.map(({ name }) => name),
    invocation,
  );
  const results = await planFleet(run);
  const lost = await savePlans(results, invocation);
  const outcome = await endFleet({ command: 'plan', stacks: outcomesOf(results, invocation) }, call, lost);
  const { planFolder: folder, format } = settings;
  if (folder !== undefined && lost.length === 0 && isLog(format)) {
    const command = ['edgeform fleet apply', quoted(folder), ...optionsOf(settings, 'apply')].join(' ');
    stderr.write(`The plans were saved to ${quoted(folder)}. To apply exactly these plans, run: ${command}\n`);
  }
  return outcome;
}

export const commands: readonly CommandSpec[] = [
  {
    position: 134,
    words: 'fleet plan',
    text: 'show what fleet apply would do; never writes',
    above: group,
    again: 'fleet plan',
    flags: {
      own: [
        OPTIONS.planFolder,
        OPTIONS.detailedExitcode,
        OPTIONS.targets,
        OPTIONS.allowDeletes,
        OPTIONS.allowReplace,
        OPTIONS.rate,
        reading(OPTIONS.tokenDir),
      ],
      manifest: STACKS,
      output: [...formatsOf('plan'), OPTIONS.detail, OPTIONS.summaryFile],
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: ['fleet plan', 'fleet plan --out plans', 'fleet plan --shard 1/4 --rate 100 --detailed-exitcode'],
      exits: ['pending'],
    },
    run: plan,
  },
];
