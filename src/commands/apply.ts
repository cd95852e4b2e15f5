// apply and destroy: the plan is shown and agreed to, the engine carries it out, and its report is printed.

import { EXAMPLES } from '../catalog/examples.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { plural } from '../core/text/text.ts';
import type { Plan } from '../plan/plan.ts';
import { applyManifest } from '../reconcile/apply.ts';
import type { RunEvent } from '../reconcile/run.ts';
import { checkOrigin } from '../reconcile/saved-plan.ts';
import { isLog } from '../render/formats.ts';
import { stepMetrics } from '../render/metrics/metrics.ts';
import { openEvents } from './files/events.ts';
import { readPlanToApply } from './files/plan-file.ts';
import { FLAGS, formatsOf } from './options/flags.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { confirm } from './shell/consent.ts';
import { prepare } from './shell/load.ts';
import { showPlan, showReport } from './terminal/show-run.ts';

/** Plans and executes; `done` means that the plan is now empty. A plan in a file is carried out instead of a new one. */
async function apply(call: Call, destroy: boolean, planFile?: string): Promise<RunOutcome> {
  const { invocation: outer, metrics } = call;
  // Events have standard output for themselves when they ask for it.
  const hasEvents = outer.settings.events === '-';
  const invocation = hasEvents ? { ...outer, stdout: outer.stderr } : outer;
  const shown = { ...call, invocation };
  const on = isLog(outer.settings.format) && !hasEvents ? 'stdout' : 'stderr';
  const { run, own: saved } = await prepare(invocation, () => readPlanToApply(planFile, invocation));
  if (saved !== undefined) checkOrigin(saved, run.manifest, run.connection.baseUrl.href);
  metrics.tell(run.manifest.stack);
  const events = openEvents(outer);
  const showEvent = (event: RunEvent): void => {
    invocation.progress.tell(event);
    if (event.type === 'planned') showPlan(event.plan, destroy, shown);
    if (event.type === 'step') events.emit(event.event);
  };
  try {
    const report = await applyManifest({
      ...run,
      saved,
      destroy,
      emit: showEvent,
      approve: (plan) => invocation.progress.pause(() => confirm({ ...questionAbout(plan, destroy), on }, invocation)),
      flush: () => events.end(),
    });
    metrics.tell(report.plan.stack, stepMetrics(report.plan, report.results));
    return await showReport(report, shown);
  } finally {
    await events.end();
  }
}

function questionAbout({ steps, stack, service }: Plan, destroy: boolean) {
  const deletes = destroy ? ` They delete everything that stack ${stack} owns.` : '';
  const question = `Run these ${plural(steps.length, 'step')} against ${service}?${deletes}`;
  return { question, fix: 'read the plan, then run the command again with --auto-approve' };
}

export const commands: readonly CommandSpec[] = [
  {
    position: 30,
    words: 'apply [planfile]',
    text: 'carry out a new or saved plan, after confirmation',
    flags: {
      own: [FLAGS.approve, FLAGS.target, ...FLAGS.allow, FLAGS.tokens, FLAGS.journal, FLAGS.resolve, FLAGS.settle],
      manifest: FLAGS.manifest,
      output: [...formatsOf('report'), FLAGS.detail, FLAGS.summary, FLAGS.events, FLAGS.metrics],
      service: FLAGS.service,
    },
    help: {
      examples: ['apply', 'apply plan.json --auto-approve', `apply --resolve ${EXAMPLES.releasedAddress}=absent`],
      exits: ['stale'],
    },
    run: (call) => apply(call, false, call.args[0]),
  },
  {
    position: 60,
    words: 'destroy',
    text: 'delete everything the stack owns',
    flags: {
      own: [FLAGS.approve, FLAGS.journal, FLAGS.resolve, FLAGS.settle],
      manifest: FLAGS.manifest,
      output: [...formatsOf('report'), FLAGS.detail, FLAGS.summary, FLAGS.events, FLAGS.metrics],
      service: FLAGS.service,
      // Those of apply, so that both can be run alike.
      hidden: [...FLAGS.allow, FLAGS.tokens],
    },
    help: { examples: ['destroy'] },
    run: (call) => apply(call, true),
  },
];
