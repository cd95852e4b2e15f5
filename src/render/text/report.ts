// What an apply did: one line for each event while it runs, and afterwards totals, what went wrong and what to do next.

import { plural } from '../../core/text.ts';
import type { ApplyEvent, StepResult, StepStatus } from '../../apply/event.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { wrap } from './lines.ts';
import { ACTION_TONES, SYMBOLS } from './step.ts';
import type { Style, Tone } from '../style.ts';
import { paint } from '../style.ts';
import { visible } from '../../core/visible.ts';

export const WORDS: Readonly<Record<StepStatus, string>> = {
  done: 'done',
  failed: 'failed',
  blocked: 'blocked',
  not_attempted: 'not attempted',
  unknown: 'unknown',
};

const TONES: Readonly<Record<StepStatus, Tone>> = {
  done: 'good',
  failed: 'bad',
  blocked: 'warn',
  not_attempted: 'warn',
  unknown: 'bad',
};

/** Order of the counts. */
const STATUSES: readonly StepStatus[] = ['done', 'failed', 'blocked', 'not_attempted', 'unknown'];
/** Order of the problems: what needs a person first. */
export const PROBLEMS: readonly StepStatus[] = ['unknown', 'failed', 'blocked', 'not_attempted'];

/** The event as one line without a line break, or undefined when the report says it better. */
export function renderEvent(event: ApplyEvent, style: Style): string | undefined {
  switch (event.type) {
    case 'started':
      return `Applying ${plural(event.plan.steps.length, 'step')} to stack ${visible(event.plan.stack)} at ${visible(event.plan.service)}`;
    case 'step-started':
      return paint(style, 'quiet', `  ${stepName(event.step)} …`);
    case 'step-ended':
      return endedLine(event.step, event.result, style);
    case 'finished':
      return undefined;
    default:
      return event satisfies never;
  }
}

function endedLine(step: Step, result: StepResult, style: Style): string {
  const id = result.live_id === null ? '' : ` (${visible(result.live_id)})`;
  const status = paint(style, TONES[result.status], WORDS[result.status]);
  const error = result.error === null ? '' : `: ${visible(result.error)}`;
  return `  ${paint(style, ACTION_TONES[step.action], SYMBOLS[step.action])} ${stepName(step)}${id} ${status}${error}`;
}

function stepName(step: Step): string {
  return `${step.id} ${step.action} ${visible(step.address)}${phaseWords(step.phase)}`;
}

/** Which object of a replacement a step is about. */
export function phaseWords(phase: Step['phase']): string {
  if (phase === undefined) return '';
  return phase === 'create' ? ' (new object)' : ' (old object)';
}

/** Totals of a run by status; they add up to the plan's steps. */
export function totalsOf(results: readonly StepResult[]): Readonly<Record<StepStatus, number>> {
  const count = (status: StepStatus) => results.filter((result) => result.status === status).length;
  return {
    done: count('done'),
    failed: count('failed'),
    blocked: count('blocked'),
    not_attempted: count('not_attempted'),
    unknown: count('unknown'),
  };
}

/** How many problems are told when a run was interrupted: whoever stopped it waits for its end. */
const FEW = 5;

/** The report as text without a final line break: totals first and last, problems between; briefly, only the first few. */
export function renderReport(results: readonly StepResult[], plan: Plan, style: Style, isBrief = false): string {
  const totals = totalsOf(results);
  const strong = paint(style, 'strong', reportSentence(results, plan));
  const found = PROBLEMS.flatMap((status) => results.filter((result) => result.status === status));
  const problems = isBrief ? briefly(found, plan, style) : found.flatMap((result) => problemLines(result, plan, style));
  if (problems.length === 0) return strong;
  return [strong, problems.join('\n'), [...wrap(adviceFor(totals), style.width, ''), strong].join('\n')].join('\n\n');
}

function briefly(found: readonly StepResult[], plan: Plan, style: Style): string[] {
  const lines = found.slice(0, FEW).flatMap((result) => problemLines(result, plan, style).slice(0, 1));
  const more = found.length - lines.length;
  return more === 0 ? lines : [...lines, `… and ${more} more; --format json and the journal have them all`];
}

/** Counts of a run as one sentence. */
export function reportSentence(results: readonly StepResult[], { stack }: Pick<Plan, 'stack'>): string {
  const totals = totalsOf(results);
  const counted = STATUSES.filter((status) => status === 'done' || totals[status] > 0).map(
    (status) => `${totals[status]} ${WORDS[status]}`,
  );
  return `Applied ${totals.done} of ${plural(results.length, 'step')} to stack ${visible(stack)}: ${counted.join(', ')}.`;
}

function problemLines(result: StepResult, plan: Plan, style: Style): string[] {
  const step = plan.steps.find((candidate) => candidate.id === result.id);
  const name =
    step === undefined ? `${visible(result.id)} ${result.action} ${visible(result.address)}` : stepName(step);
  const id = result.live_id === null ? '' : ` (${visible(result.live_id)})`;
  const head = `${paint(style, TONES[result.status], WORDS[result.status].padEnd(13))} ${name}${id}`;
  const error =
    result.error === null
      ? []
      : wrap(visible(result.error), style.width - 16, '').map((line) => `${' '.repeat(16)}${line}`);
  const partly =
    result.requests_done > 0
      ? [`${' '.repeat(16)}${plural(result.requests_done, 'request')} of it had been accepted`]
      : [];
  return [head, ...error, ...partly];
}

/** What to do after a run that did not do everything. */
export function adviceFor(totals: Readonly<Record<StepStatus, number>>): string {
  return totals.unknown > 0
    ? 'The outcome of a write is not known. Look at the objects named as unknown at the service, then run plan: it shows what is there and what is left to do.'
    : 'What is done stays done. When the cause is fixed, run apply again: it continues from here.';
}
