// fleet plan: prints what fleet apply would do, from one read of each service. Its clients do not write.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { planComparedFleet, type FleetBase } from '../../fleet/base.ts';
import type { FleetRun } from '../../fleet/fleet.ts';
import { planFleet } from '../../fleet/plan.ts';
import { isLog } from '../../render/formats.ts';
import { savedLine } from '../files/plan-file.ts';
import { OPTIONS, reading, reportOf, SERVICE, STACKS } from '../options/options.ts';
import { findBase } from '../shell/base.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { FLEET_CHANGES } from '../stacks/changes.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { fleetBaseOf } from '../stacks/fleet-base.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { openPlanFolder } from '../stacks/saved-plans.ts';
import { group } from './group.ts';

/** Prints the plans, and saves them to the directory of `--out`. */
async function plan(call: Call): Promise<RunOutcome> {
  const { invocation } = call;
  const { settings, stderr } = invocation;
  const { run, own: revision, given } = await prepareFleet(invocation, () => findBase(invocation));
  // A shard does not know yet which stacks it takes, and others may have written theirs.
  const savePlans = openPlanFolder(run.shard === undefined ? run.stacks : [], invocation);
  const base = revision && (await fleetBaseOf(revision, { invocation, given }));
  const { stacks: results, gone } = await planAll(run, base);
  const lost = savePlans(results);
  const compared = base && { base: { rev: base.rev, commit: base.commit, gone_stacks: gone } };
  const outcome = endFleet({ command: 'plan', stacks: outcomesOf(results, invocation), ...compared }, call, lost);
  const { planFolder: folder, format } = settings;
  const isReady = outcome === 'done' || outcome === 'pending';
  if (folder !== undefined && lost.length === 0 && isLog(format))
    stderr.write(`${savedLine('fleet apply', folder, settings, isReady)}\n`);
  return outcome;
}

async function planAll(run: FleetRun, base: FleetBase | undefined) {
  return base === undefined ? { stacks: await planFleet(run), gone: [] } : planComparedFleet(run, base);
}

export const commands: readonly CommandSpec[] = [
  {
    position: 134,
    words: 'fleet plan',
    text: 'show what fleet apply would do; never writes',
    above: group,
    flags: {
      own: [
        OPTIONS.planFolder,
        OPTIONS.base,
        OPTIONS.detailedExitcode,
        ...FLEET_CHANGES,
        OPTIONS.rate,
        reading(OPTIONS.tokenDir),
      ],
      manifest: STACKS,
      output: reportOf('plan'),
      service: SERVICE,
      hidden: [OPTIONS.settleMs],
    },
    help: {
      examples: [
        'fleet plan',
        'fleet plan --out plans',
        'fleet plan --base origin/main',
        'fleet plan --shard 1/4 --rate 100 --detailed-exitcode',
      ],
      exits: ['pending', 'refused'],
    },
    run: plan,
  },
];
