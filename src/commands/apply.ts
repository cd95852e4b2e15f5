// apply and destroy: the plan is shown and agreed to, the engine carries it out, and its report is printed.

import { Collector } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { EXIT_CODES, withLostOutput } from '../core/run-outcome.ts';
import { plural } from '../core/text/text.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import type { Plan } from '../plan/plan.ts';
import { isPending } from '../plan/count-steps.ts';
import { applyManifest } from '../reconcile/apply.ts';
import type { RunReport } from '../reconcile/run-report.ts';
import { withWarnings } from '../reconcile/run-report.ts';
import type { RunEvent } from '../reconcile/run.ts';
import { checkOrigin } from '../reconcile/saved-plan.ts';
import { isLog, logOf, renderPlanAs, renderReportAs } from '../render/formats.ts';
import { stepMetrics } from '../render/metrics/metrics.ts';
import { usageError } from './options/settings.ts';
import { readPlan } from './plan.ts';
import { confirm } from './shell/consent.ts';
import { closingLines } from './terminal/closing-lines.ts';
import { checkEvents, openEvents } from './shell/events.ts';
import type { Invocation } from './shell/invocation.ts';
import { renderOptionsOf } from './shell/invocation.ts';
import { prepare } from './shell/load.ts';
import { sayProblems } from './shell/problems.ts';
import { checkOutputs } from './shell/check-outputs.ts';
import type { SummaryFile } from './shell/summary-file.ts';
import type { Call, CommandSpec } from './shell/command.ts';
import { FLAGS, formatsOf } from './options/flags.ts';
import { EXAMPLES } from '../catalog/examples.ts';

interface Mode {
  readonly destroy: boolean;
  /** File with a saved plan, which is carried out instead of a new one. */
  readonly planFile?: string;
}

/** Plans and executes; `done` means that the plan is now empty. */
async function apply(call: Call, mode: Mode): Promise<RunOutcome> {
  const { invocation: outer, summary, metrics } = call;
  // Events have standard output for themselves when they ask for it.
  const invocation = outer.settings.events === '-' ? { ...outer, stdout: outer.stderr } : outer;
  const { run, own: saved } = await prepare(invocation, () => savedPlan(invocation, mode));
  if (saved !== undefined) checkOrigin(saved, { manifest: run.manifest, service: run.connection.baseUrl.href });
  metrics.tell(run.manifest.stack);
  const events = openEvents(outer);
  const showEvent = (event: RunEvent): void => {
    invocation.progress.tell(event);
    if (event.type === 'planned') showPlan(event.plan, { invocation, mode, summary });
    if (event.type === 'step') events.emit(event.event);
  };
  try {
    const report = await applyManifest({
      ...run,
      saved,
      destroy: mode.destroy,
      emit: showEvent,
      approve: (plan) => invocation.progress.pause(() => consent(plan, mode, invocation)),
      flush: () => events.end(),
    });
    metrics.tell(report.plan.stack, stepMetrics(report.plan, report.results));
    return await showReport(report, invocation, call);
  } finally {
    await events.end();
  }
}

/** The saved plan, if one is given; options that do not go together are refused. */
async function savedPlan(run: Invocation, { planFile }: Mode): Promise<Plan | undefined> {
  const collector = new Collector();
  collector.try(() => checkEvents(run));
  if (planFile === undefined) {
    if (collector.hasFailed) throw collector.failure();
    return undefined;
  }
  // A saved plan was made with its own targets and needs no others.
  if (run.settings.target.length > 0)
    collector.add(
      usageError(
        '--target cannot be combined with a saved plan',
        'remove --target, or save a new plan with `plan --target ADDRESS --out FILE`',
      ),
    );
  collector.try(() => checkOutputs(run, [{ name: 'the saved plan', path: planFile }]));
  const saved = await collector.take(() => readPlan(planFile, run));
  if (collector.hasFailed) throw collector.failure();
  return saved;
}

interface Showing {
  readonly invocation: Invocation;
  readonly mode: Mode;
  readonly summary: SummaryFile;
}

/** The plan goes beside a document and into a log. */
function showPlan(plan: Plan, { invocation, mode, summary }: Showing): void {
  const { settings, stdout, stderr } = invocation;
  const sink = isLog(settings.format) ? stdout : stderr;
  const style = renderOptionsOf(invocation, sink);
  const isNothing = mode.destroy && !isPending(plan) && plan.diagnostics.length === 0;
  const text = isNothing
    ? `Nothing to destroy: stack ${escapeControls(plan.stack)} owns no objects at ${escapeControls(plan.service)}.`
    : renderPlanAs(logOf(settings.format), plan, style);
  sink.write(`${text}\n`);
  summary.add((limit) => renderPlanAs('markdown', plan, style, limit));
}

function consent(plan: Plan, { destroy }: Mode, invocation: Invocation): Promise<void> {
  const deletes = destroy ? ` They delete everything that stack ${plan.stack} owns.` : '';
  const question = `Run these ${plural(plan.steps.length, 'step')} against ${plan.service}?${deletes}`;
  return confirm({ question, fix: 'read the plan, then run the command again with --auto-approve' }, invocation);
}

/** Prints the report; what could not be written is part of it, and of the outcome. */
async function showReport(ended: RunReport, run: Invocation, { summary, metrics }: Call): Promise<RunOutcome> {
  if (ended.results.length > 0)
    summary.add((limit) => renderReportAs('markdown', documentOf(ended), renderOptionsOf(run, run.stdout), limit));
  const report = metrics.end(withLostOutput(ended, await summary.end()));
  sayProblems(report.lost, run);
  if (isLog(run.settings.format)) showLog(report, run);
  else {
    // The plan of a log says its warnings; a document stands alone.
    const document = documentOf({ ...report, diagnostics: withWarnings(report) });
    run.stdout.write(`${renderReportAs(run.settings.format, document, renderOptionsOf(run, run.stdout))}\n`);
  }
  return report.outcome;
}

/** The report as documents have it: with its exit code, and what was lost among its problems. */
function documentOf({ lost, outcome, diagnostics, ...report }: RunReport) {
  return { ...report, exitCode: EXIT_CODES[outcome], diagnostics: [...diagnostics, ...lost] };
}

/** The report of a log, with the problems on standard error. */
function showLog(report: RunReport, run: Invocation): void {
  const { results, result, diagnostics } = report;
  const { settings, stdout, stderr, cwd, progress } = run;
  const refused = result === 'refused' || (result === 'error' && results.length === 0);
  if (refused) stderr.write('Nothing was changed.\n');
  const ending = closingLines(report, { cwd, took: progress.took() }).join('\n');
  const text = renderReportAs(settings.format, documentOf(report), renderOptionsOf(run, stdout));
  if (results.length > 0) stdout.write(`\n${text}\n`);
  if (ending !== '') stdout.write(`${ending}\n`);
  if (results.length > 0) sayProblems(diagnostics, run);
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
    run: (call) => apply(call, { destroy: false, ...(call.args[0] !== undefined && { planFile: call.args[0] }) }),
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
    run: (call) => apply(call, { destroy: true }),
  },
];
