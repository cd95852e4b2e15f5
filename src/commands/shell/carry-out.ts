// Runs apply or destroy: shows the plan and asks for approval, lets the engine apply it, and prints the report with outputs and
// new tokens.

import { Collector } from '../../core/failure.ts';
import { relative } from 'node:path';
import { compareText } from '../../core/json.ts';
import { EXIT_CODES, withLostOutput, type RunOutcome } from '../../core/run-outcome.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { duration } from '../../core/text/text.ts';
import { isPending } from '../../plan/count-steps.ts';
import type { Plan } from '../../plan/plan.ts';
import { applyManifest } from '../../reconcile/apply.ts';
import { withWarnings, type RunReport } from '../../reconcile/run-report.ts';
import type { RunEvent } from '../../reconcile/run.ts';
import { checkOrigin } from '../../reconcile/saved-plan.ts';
import { isLog, logOf, renderPlanAs, renderReportAs, type Format } from '../../render/formats.ts';
import { definitionLines, type Definition } from '../../render/text/lines.ts';
import type { ReportView } from '../../render/view/documents.ts';
import { inline } from '../../render/view/values/value.ts';
import { readStartedBy } from '../options/started-by.ts';
import { readPlans, readSaved } from '../files/plan-file.ts';
import type { Call } from './command.ts';
import { confirm, stageOf, these } from './consent.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';
import { nothingToDestroy } from './nothing-to-destroy.ts';
import { preparePlanning } from './prepare.ts';
import { sayProblems } from './problems.ts';

/** Only DELETE is sent: whose objects they are must be known, and no value of a field. */
const DESTROYING = { mayLackManifest: true, mayLackValues: true, mustBeNamed: true };

/** Plans and applies; `done` means that the plan is now empty. A saved plan takes the place of a new one. */
export async function carryOut(call: Call, destroy: boolean, planFile?: string): Promise<RunOutcome> {
  const { invocation, on } = stageOf(call.invocation);
  const collector = new Collector();
  const saved = await collector.take(() =>
    readSaved(planFile, invocation, 'plan --target ADDRESS --out FILE', async (path) => {
      const [plan] = await readPlans([path], invocation);
      return plan;
    }),
  );
  // While git looks at the checkout, the manifest is read.
  const startedBy = readStartedBy(invocation);
  const { run } = await preparePlanning(invocation, collector, destroy ? DESTROYING : {});
  if (saved !== undefined) checkOrigin(saved, run.manifest, run.connection.baseUrl.href, run.policies);
  invocation.note({ type: 'loaded' }, { stack: run.manifest.stack, service: run.connection.baseUrl.href });
  const showEvent = (event: RunEvent): void => {
    run.emit(event);
    if (event.type === 'planned') showPlan(event.plan, destroy, invocation);
    if (event.type === 'cleaning-up') showCleanUp(event.plan, invocation);
  };
  const report = await applyManifest({
    ...run,
    startedBy: await startedBy,
    saved,
    destroy,
    emit: showEvent,
    approve: (plan) =>
      invocation.progress.pause(() => confirm({ ...questionAbout(plan, destroy, invocation), on }, invocation)),
    flush: () => Promise.resolve(call.listeners.flush()),
  });
  return showReport(report, { ...call, invocation });
}

/** Who destroys a stack of which there is no manifest here types its name. */
function questionAbout({ steps, stack, service }: Plan, destroy: boolean, { settings }: Invocation) {
  const what = steps.length === 1 ? 'It deletes' : 'They delete';
  const deletes = destroy ? ` ${what} everything that stack ${stack} owns.` : '';
  const question = `Run ${these(steps.length, 'step')} against ${service}?${deletes}`;
  const consent = settings.stackAlone === undefined ? {} : { consent: stack };
  return { question, ...consent, fix: 'read the plan, then run the command again with --auto-approve' };
}

const CLEAN_UP = '\nSome objects were created twice. A second plan keeps one of each, and deletes the others:\n\n';

/** Shows the second plan, which needs no approval: it only undoes what this run did too late. */
export function showCleanUp(plan: Plan, invocation: Invocation): void {
  showPlan(plan, false, invocation, CLEAN_UP);
}

/** Shows a plan: in a log, or next to a document. */
function showPlan(plan: Plan, destroy: boolean, invocation: Invocation, intro = ''): void {
  const { settings, stdout, stderr } = invocation;
  const sink = isLog(settings.format) ? stdout : stderr;
  const isNothing = destroy && !isPending(plan) && plan.diagnostics.length === 0;
  const text = isNothing
    ? nothingToDestroy(plan, settings.stackAlone !== undefined)
    : renderPlanAs(logOf(settings.format), plan, renderOptionsOf(invocation, sink));
  sink.write(`${intro}${text}\n`);
}

/** Prints the report; output that could not be written is part of it and of the outcome. */
function showReport(ended: RunReport, { invocation: run, listeners }: Call): RunOutcome {
  run.note({ type: 'reported', view: documentOf(ended) }, ended.plan);
  const report = withLostOutput(ended, listeners.end(ended.outcome));
  sayProblems(report.lost, run);
  if (isLog(run.settings.format)) showLog(report, run);
  else {
    const document = reportViewOf(report, run.settings.format);
    run.stdout.write(`${renderReportAs(run.settings.format, document, renderOptionsOf(run, run.stdout))}\n`);
  }
  return report.outcome;
}

/** The report for a format: in a log, the plan already contains its warnings; a document needs them itself. */
export function reportViewOf(report: RunReport, format: Format): ReportView {
  return documentOf(isLog(format) ? report : { ...report, diagnostics: withWarnings(report) });
}

/** The report for documents: with its exit code, and with lost output among its problems. */
function documentOf({ lost, outcome, diagnostics, ...report }: RunReport): ReportView {
  return { ...report, exitCode: EXIT_CODES[outcome], diagnostics: [...diagnostics, ...lost] };
}

/** The report as a log, with problems on standard error. */
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

/** The last lines of a report for people; empty when there are no values to use. */
function closingLines(
  { plan, results, result, tokens: places }: RunReport,
  { cwd, took }: { readonly cwd: string; readonly took: number },
): string[] {
  const outputs = result === 'done' ? Object.entries(plan.outputs).sort(([a], [b]) => compareText(a, b)) : [];
  const values = outputs.map(([name, value]) => ({
    name: escapeControls(name),
    text: escapeControls(typeof value === 'string' ? value : inline(value)),
  }));
  const tokens = places.map(({ address, path }) => ({
    name: escapeControls(address),
    text: escapeControls(relative(cwd, path) || path),
  }));
  return [
    ...section('Outputs:', values),
    ...section('Tokens, each in a file that only you can read:', tokens),
    ...(results.length === 0 ? [] : ['', `Total time: ${duration(took)}`]),
  ];
}

/** Values are on one line, so that they can be copied. */
function section(title: string, entries: readonly Definition[]): string[] {
  return entries.length === 0 ? [] : ['', title, ...definitionLines(entries, Infinity)];
}
