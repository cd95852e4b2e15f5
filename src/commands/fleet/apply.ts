// fleet apply and fleet destroy: show all plans, ask once, and carry them out, each stack as soon as those before it are done.

import type { RunOutcome } from '../../core/run-outcome.ts';
import { plural } from '../../core/text/text.ts';
import { applyFleet, destroyFleet } from '../../fleet/apply.ts';
import type { StackResult } from '../../fleet/fleet.ts';
import { isLog, logOf } from '../../render/formats.ts';
import { renderFleetAs } from '../../render/fleet.ts';
import { refuseSharedOutput, refuseTargets } from '../files/plan-file.ts';
import { formatsOf, OPTIONS, SERVICE, STACKS } from '../options/options.ts';
import type { Call, CommandSpec } from '../shell/command.ts';
import { confirm } from '../shell/consent.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { endFleet, outcomesOf } from '../stacks/end-fleet.ts';
import { prepareFleet } from '../stacks/prepare-fleet.ts';
import { readPlans } from '../stacks/saved-plans.ts';
import { group } from './group.ts';

/** Plans and applies; saved plans take the place of new ones. */
async function carryOut(call: Call, command: 'apply' | 'destroy'): Promise<RunOutcome> {
  const { invocation: outer, args } = call;
  // Events can use standard output exclusively.
  const hasEvents = outer.settings.events === '-';
  const invocation = hasEvents ? { ...outer, stdout: outer.stderr } : outer;
  const on = isLog(outer.settings.format) && !hasEvents ? 'stdout' : 'stderr';
  const [folder] = args;
  const { run } = await prepareFleet(invocation, {
    read: (names) => {
      refuseSharedOutput(invocation);
      if (folder !== undefined) refuseTargets(invocation, 'fleet plan --out DIR');
      return folder === undefined ? undefined : readPlans(folder, names, invocation);
    },
    savedIn: (plans) => plans,
  });
  const approve = (planned: readonly StackResult[]) => {
    showPlans(planned, invocation);
    return invocation.progress.pause(() => confirm({ ...questionAbout(planned, command), on }, invocation));
  };
  const { failFast } = invocation.settings;
  const results = await (command === 'apply' ? applyFleet : destroyFleet)({ ...run, approve, failFast });
  const lost = results.flatMap((one) => (one.is === 'applied' ? one.report.lost : []));
  return endFleet({ command, stacks: outcomesOf(results, invocation) }, { ...call, invocation }, lost);
}

function questionAbout(planned: readonly StackResult[], command: 'apply' | 'destroy') {
  const plans = planned.flatMap((one) => (one.is === 'planned' && one.plan.steps.length > 0 ? [one.plan] : []));
  const steps = plans.reduce((sum, one) => sum + one.steps.length, 0);
  const services = [...new Set(plans.map(({ service }) => service))].join(' and ');
  const deletes = command === 'destroy' ? ' They delete everything that these stacks own.' : '';
  const question = `Run these ${plural(steps, 'step')} of ${plural(plans.length, 'stack')} against ${services}?${deletes}`;
  return { question, fix: 'read the plans, then run the command again with --auto-approve' };
}

/** Shows all plans: in a log, or next to a document. */
function showPlans(planned: readonly StackResult[], invocation: Invocation): void {
  const { settings, stdout, stderr } = invocation;
  const sink = isLog(settings.format) ? stdout : stderr;
  const fleet = { command: 'plan', stacks: outcomesOf(planned, invocation), outcome: 'done' } as const;
  sink.write(`${renderFleetAs(logOf(settings.format), fleet, renderOptionsOf(invocation, sink))}\n`);
}

const OUTPUT = [...formatsOf('report'), OPTIONS.detail, OPTIONS.summaryFile, OPTIONS.events, OPTIONS.metricsFile];
const OWN = [OPTIONS.autoApprove, OPTIONS.failFast, OPTIONS.rate, OPTIONS.resolutions, OPTIONS.settleMs];
const CHANGES = [OPTIONS.targets, OPTIONS.allowDeletes, OPTIONS.allowReplace, OPTIONS.tokenDir];

export const commands: readonly CommandSpec[] = [
  {
    position: 135,
    words: 'fleet apply [dir]',
    text: 'carry out new plans of all stacks, or saved ones, after confirmation',
    above: group,
    again: 'fleet plan',
    flags: { own: [...OWN, ...CHANGES], manifest: STACKS, output: OUTPUT, service: SERVICE },
    help: {
      examples: ['fleet apply', 'fleet apply plans --auto-approve', "fleet apply --only 'shop-*' --fail-fast"],
      exits: ['stale'],
    },
    run: (call) => carryOut(call, 'apply'),
  },
  {
    position: 137,
    words: 'fleet destroy',
    text: 'delete everything that the stacks own, importers first',
    above: group,
    flags: { own: OWN, manifest: STACKS, output: OUTPUT, service: SERVICE },
    help: { examples: ["fleet destroy --only 'preview-*'"] },
    run: (call) => carryOut(call, 'destroy'),
  },
];
