// The closed set of run outcomes and their exit codes, which are a contract with pipelines.

import type { Diagnostic } from './diagnostic.ts';

/** Most important outcome first. */
export const EXIT_CODES = {
  interrupted: 130,
  terminated: 143,
  unknown: 7,
  partial: 3,
  error: 1,
  invalid: 4,
  refused: 5,
  stale: 6,
  usage: 64,
  output: 74,
  pending: 2,
  done: 0,
} as const;

export type RunOutcome = keyof typeof EXIT_CODES;

/** What becomes of one stack among several, most important first: its outcome, or what was found or prevented. */
export const STACK_RESULTS = [
  ...['interrupted', 'terminated', 'unknown', 'partial', 'error', 'invalid', 'refused', 'stale', 'usage', 'output'],
  ...['blocked', 'not_attempted', 'drift', 'pending', 'ok'],
] as const satisfies readonly string[];

export type StackResult = (typeof STACK_RESULTS)[number];

/** How an apply or destroy ended, as its report names it. */
export type RunResult = Extract<RunOutcome, 'done' | 'partial' | 'refused' | 'unknown' | 'interrupted' | 'error'>;

const WORST_FIRST = Object.keys(EXIT_CODES);

/** The more important of two outcomes. */
export function worstOf(one: RunOutcome, other: RunOutcome): RunOutcome {
  return WORST_FIRST.indexOf(one) <= WORST_FIRST.indexOf(other) ? one : other;
}

interface Ended {
  readonly outcome: RunOutcome;
  /** Problems with output that could not be written. */
  readonly lost: readonly Diagnostic[];
}

/** The result of a run that lost some of its output. */
export function withLostOutput<Run extends Ended>(ended: Run, lost: readonly Diagnostic[]): Run {
  if (lost.length === 0) return ended;
  return { ...ended, outcome: worstOf(ended.outcome, 'output'), lost: [...ended.lost, ...lost] };
}

/** The outcome of a run that was ended by a signal, with the exit code that shells expect. */
export function signalOutcome(signalName: string | undefined): RunOutcome {
  return signalName === 'SIGTERM' ? 'terminated' : 'interrupted';
}
