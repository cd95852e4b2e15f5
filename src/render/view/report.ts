// The view of a run's report.

import type { StepResult, StepStatus } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import { rangeIn } from '../../core/diagnostic.ts';
import { plural } from '../../core/text/text.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { RenderOptions } from '../render-options.ts';
import { rows, totalsOf, type ReportView } from './documents.ts';
import { outputsOf } from './outputs.ts';
import { doneBefore, planProblems, planView, SIGNS, summaryLine } from './plan.ts';
import { phaseWords } from './group.ts';
import { problemsOf } from './problems.ts';
import { NOTHING, type Problem, type Row, type View } from './view.ts';

const OUTCOMES: Readonly<Record<StepStatus, Pick<Row, 'outcome' | 'tone'>>> = {
  done: { outcome: 'done', tone: 'good' },
  failed: { outcome: 'failed', tone: 'bad' },
  blocked: { outcome: 'blocked', tone: 'warn' },
  not_attempted: { outcome: 'not attempted', tone: 'warn' },
  unknown: { outcome: 'unknown', tone: 'bad' },
};

/** Order of the counts and rows: what needs a person first. */
const COUNTED: readonly StepStatus[] = ['done', 'failed', 'blocked', 'not_attempted', 'unknown'];
const ROWS: readonly StepStatus[] = ['unknown', 'failed', 'blocked', 'not_attempted', 'done'];

/** More than a manifest allows; a plan file may contain anything. */
const MAX_STACK = 200;

/** What is shown of the plan of a run that wrote nothing. */
type ShownPlan = Pick<View, 'items' | 'totals' | 'isCalm'>;

export function reportView(ending: ReportView, style: RenderOptions): View {
  const { plan, results, result, diagnostics } = ending;
  const stepById = new Map(plan.steps.map((step) => [step.id, step]));
  const sorted = ROWS.flatMap((status) => results.filter((one) => one.status === status));
  const found = problemsOf(diagnostics);
  const isPlanShown = results.length === 0 && result !== 'done';
  const { items, totals, isCalm = false }: ShownPlan = isPlanShown ? planView(plan, style) : NOTHING;
  return {
    ...NOTHING,
    is: 'report',
    sentence: sentenceOf(ending, ` to stack ${truncateMiddle(plan.stack, MAX_STACK)}`),
    common: sentenceOf(ending, ''),
    at: { stack: plan.stack, service: plan.service },
    ...(results.some((one) => one.status !== 'done') && { advice: adviceFor(ending) }),
    problems: results.length === 0 ? refusedRun(plan, found) : found,
    rows: sorted.map((one) => rowOf(one, stepById.get(one.id))),
    items,
    isCalm,
    totals: new Map([...totals, ...doneBefore(plan)]),
    outputs: result === 'done' ? outputsOf(plan.outputs) : [],
    facts: { stack: plan.stack, service: plan.service, result, fingerprint: plan.fingerprint },
    document: reportDocument(ending),
  };
}

/** The plan's problems, and those found that it does not contain. */
function refusedRun(plan: Plan, found: readonly Problem[]): Problem[] {
  const said = new Set<string>([...plan.refusals.map(({ rule }) => rule), ...plan.diagnostics.map(({ code }) => code)]);
  return [...planProblems(plan), ...found.filter(({ code }) => code === undefined || !said.has(code))];
}

function sentenceOf({ plan, results, result }: ReportView, where: string): string {
  if (results.length === 0) return result === 'done' ? summaryLine(plan) : `Nothing was changed. ${summaryLine(plan)}`;
  const totals = totalsOf(results);
  const counts = COUNTED.filter((status) => status === 'done' || totals[status] > 0);
  const said = counts.map((status) => `${totals[status]} ${OUTCOMES[status].outcome}`).join(', ');
  return `Applied ${totals.done} of ${plural(results.length, 'step')}${where}: ${said}.`;
}

/** What to do after an incomplete run. The same command goes on from there, with a saved plan, too. */
function adviceFor({ results }: ReportView): string {
  const has = (status: StepStatus) => results.some((one) => one.status === status);
  if (has('unknown'))
    return 'The outcome of a write is unknown. If its step says what to do, do that first. Then run plan to see what exists and what is left to do.';
  const first = has('failed') ? 'Fix the cause, then' : 'To go on,';
  return `${has('done') ? 'Completed steps are kept. ' : ''}${first} run the same command again. It continues from here.`;
}

export function stepName({ id, action, address }: Pick<Step, 'id' | 'action' | 'address'>, phase: Step['phase']) {
  return { id, action: SIGNS[action], address, phase: phaseWords(phase).inRun };
}

export function rowOf(result: StepResult, step: Step | undefined): Row {
  const { live_id, status, error, requests_done: done } = result;
  return {
    ...stepName(result, step?.phase),
    live_id: live_id ?? undefined,
    place: rangeIn(step?.source),
    status,
    ...OUTCOMES[status],
    said: [
      ...(error === null ? [] : [error]),
      ...(status !== 'done' && done > 0 ? [`${plural(done, 'request')} already accepted`] : []),
    ],
  };
}

/** The same for programs; totals add up to the steps of the plan. */
function reportDocument({ plan, results: ended, result, exitCode, diagnostics, run }: ReportView): object {
  const results = ended.length > 0 ? ended : plan.steps.map(notBegun);
  return {
    format: 'edgeform-report/1',
    result,
    exit_code: exitCode,
    stack: plan.stack,
    ...(run && { run }),
    totals: totalsOf(results),
    steps: results.map(({ id, address, action, status, live_id, error, code }) => {
      return { id, address, action, status, live_id, error, ...(code !== undefined && { code }) };
    }),
    ...(plan.already_done && { already_done: plan.already_done }),
    complete: plan.complete,
    converged: exitCode === 0 && !diagnostics.some(({ code }) => code === 'not-converged'),
    outputs: plan.outputs,
    diagnostics: rows(diagnostics),
  };
}

/** The result of a step in a run that ended before its first step, for example because it was refused. */
function notBegun({ id, address, action, live_id }: Step): StepResult {
  const error = 'not started, because the run ended before its first step';
  return { id, address, action, status: 'not_attempted', live_id, error, requests_done: 0 };
}
