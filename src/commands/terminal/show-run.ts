// What an apply or destroy shows of its run: the plan that is to be agreed to, the report of what came of it, and what it
// leaves for people to use: outputs and new tokens.

import { relative } from 'node:path';
import { compareText } from '../../core/json.ts';
import { EXIT_CODES, withLostOutput, type RunOutcome } from '../../core/run-outcome.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { duration } from '../../core/text/text.ts';
import { isPending } from '../../plan/count-steps.ts';
import type { Plan } from '../../plan/plan.ts';
import { withWarnings, type RunReport } from '../../reconcile/run-report.ts';
import { isLog, logOf, renderPlanAs, renderReportAs } from '../../render/formats.ts';
import { definitionLines, type Definition } from '../../render/text/lines.ts';
import { inline } from '../../render/view/values/value.ts';
import type { Call } from '../shell/command.ts';
import type { Sink } from '../shell/host.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { sayProblems } from '../shell/problems.ts';

/** The plan goes beside a document and into a log. */
function planSink({ settings, stdout, stderr }: Invocation): Sink {
  return isLog(settings.format) ? stdout : stderr;
}

/** Shows the plan that is to be agreed to, also in the summary. */
export function showPlan(
  plan: Plan,
  isDestroy: boolean,
  { invocation, summary }: Pick<Call, 'invocation' | 'summary'>,
): void {
  const { settings } = invocation;
  const sink = planSink(invocation);
  const isNothing = isDestroy && !isPending(plan) && plan.diagnostics.length === 0;
  const text = isNothing
    ? `Nothing to destroy: stack ${escapeControls(plan.stack)} owns no objects at ${escapeControls(plan.service)}.`
    : renderPlanAs(logOf(settings.format), plan, renderOptionsOf(invocation, sink));
  sink.write(`${text}\n`);
  summary.add((style, limit) => renderPlanAs('markdown', plan, style, limit));
}

/** Prints the report; what could not be written is part of it, and of the outcome. */
export async function showReport(
  ended: RunReport,
  { invocation: run, summary, metrics }: Pick<Call, 'invocation' | 'summary' | 'metrics'>,
): Promise<RunOutcome> {
  if (ended.results.length > 0)
    summary.add((style, limit) => renderReportAs('markdown', documentOf(ended), style, limit));
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

/** The last lines of a report for people; empty when there is nothing to use. */
function closingLines(
  { plan, results, result, tokens: places }: RunReport,
  { cwd, took }: { readonly cwd: string; readonly took: number },
): string[] {
  const outputs = result === 'done' ? Object.entries(plan.outputs).sort(([a], [b]) => compareText(a, b)) : [];
  const values = outputs.map(([name, value]) => ({
    name: escapeControls(name),
    text: typeof value === 'string' ? escapeControls(value) : inline(value),
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

/** Values are whole on one line, so that they can be copied. */
function section(title: string, entries: readonly Definition[]): string[] {
  return entries.length === 0 ? [] : ['', title, ...definitionLines(entries, Infinity)];
}
