// Runs fleet apply or destroy: shows all plans, asks once, and carries them out, each stack as soon as those before it are done.

import { usageError } from '../../core/failure.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { alternatives } from '../../core/text/closest.ts';
import { plural } from '../../core/text/text.ts';
import { applyFleet, destroyFleet } from '../../fleet/apply.ts';
import type { FleetRun, StackResult } from '../../fleet/fleet.ts';
import { byWave } from '../../core/waves.ts';
import type { Plan } from '../../plan/plan.ts';
import { isLog, logOf } from '../../render/formats.ts';
import { renderFleetAs } from '../../render/fleet.ts';
import { readSaved } from '../files/plan-file.ts';
import { readStartedBy } from '../options/started-by.ts';
import type { Call } from '../shell/command.ts';
import { confirm, stageOf, these } from '../shell/consent.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { endFleet, outcomesOf } from './end-fleet.ts';
import { prepareFleet } from './prepare-fleet.ts';
import { readPlanFolder } from './saved-plans.ts';

/** Plans and applies; saved plans take the place of new ones. */
export async function carryOutFleet(call: Call, command: 'apply' | 'destroy'): Promise<RunOutcome> {
  const { invocation, on } = stageOf(call.invocation);
  const [folder] = call.args;
  if (folder !== undefined && invocation.settings.shard !== undefined)
    throw usageError(
      'saved plans are a selection already',
      'leave out --shard, and let each shard have its own directory',
    );
  const asked = readStartedBy(invocation);
  const { run } = await prepareFleet(
    invocation,
    (names) => readSaved(folder, invocation, 'fleet plan --out DIR', (from) => readPlanFolder(from, names, invocation)),
    { savedIn: (plans) => plans, destroy: command === 'destroy' },
  );
  if (command === 'apply') checkWaves(run);
  const approve = async (planned: readonly StackResult[]) => {
    showPlans(planned, invocation);
    const plans = planned.flatMap((one) => (one.is === 'planned' && one.plan.steps.length > 0 ? [one.plan] : []));
    await invocation.progress.pause(() => confirm({ ...questionAbout(plans, command), on }, invocation));
    invocation.note({ type: 'approved', stacks: plans.length });
  };
  const { failFast } = invocation.settings;
  const startedBy = await asked;
  const stacks = run.stacks.map((one) => ({ ...one, run: { ...one.run, startedBy } }));
  const results = await (command === 'apply' ? applyFleet : destroyFleet)({ ...run, stacks, approve, failFast });
  const lost = results.flatMap((one) => (one.is === 'applied' ? one.report.lost : []));
  return endFleet({ command, stacks: outcomesOf(results, invocation) }, { ...call, invocation }, lost);
}

/** No shard sees what became of the others: each may begin a wave only when its scheduler says so. */
function checkWaves({ stacks, shard }: FleetRun): void {
  const waves = byWave(stacks).map(([wave]) => String(wave));
  if (shard === undefined || waves.length < 2) return;
  throw usageError(
    `the stacks of this run are in waves ${alternatives(waves, 'and')}, and one shard does not see when the others have ended`,
    'apply one wave in all shards, then the next one: --wave N',
  );
}

function questionAbout(plans: readonly Plan[], command: 'apply' | 'destroy') {
  const steps = plans.reduce((sum, one) => sum + one.steps.length, 0);
  const services = [...new Set(plans.map(({ service }) => service))].join(' and ');
  const deletes =
    command === 'destroy' ? ` ${steps === 1 ? 'It deletes' : 'They delete'} everything that these stacks own.` : '';
  const question = `Run ${these(steps, 'step')} of ${plural(plans.length, 'stack')} against ${services}?${deletes}`;
  return { question, fix: 'read the plans, then run the command again with --auto-approve' };
}

/** Shows all plans: in a log, or next to a document. */
function showPlans(planned: readonly StackResult[], invocation: Invocation): void {
  const { settings, stdout, stderr } = invocation;
  const sink = isLog(settings.format) ? stdout : stderr;
  const fleet = { command: 'plan', stacks: outcomesOf(planned, invocation), outcome: 'done' } as const;
  sink.write(`${renderFleetAs(logOf(settings.format), fleet, renderOptionsOf(invocation, sink))}\n`);
}
