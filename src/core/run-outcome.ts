// How a run ends: the closed set of outcomes, and the exit code of each, which is a contract with pipelines.

import type { Diagnostic } from './diagnostic.ts';

/** In the order of what somebody has to know first. */
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

/** How an apply or destroy ended, as its report names it. */
export type RunResult = Extract<RunOutcome, 'done' | 'partial' | 'refused' | 'unknown' | 'interrupted' | 'error'>;

const WORST_FIRST = Object.keys(EXIT_CODES);

/** The outcome that says most of two things that happened. */
export function worstOf(one: RunOutcome, other: RunOutcome): RunOutcome {
  return WORST_FIRST.indexOf(one) <= WORST_FIRST.indexOf(other) ? one : other;
}

interface Ended {
  readonly outcome: RunOutcome;
  /** What could not be written. */
  readonly lost: readonly Diagnostic[];
}

/** The end of a run that lost some of its output. */
export function withLostOutput<Run extends Ended>(ended: Run, lost: readonly Diagnostic[]): Run {
  if (lost.length === 0) return ended;
  return { ...ended, outcome: worstOf(ended.outcome, 'output'), lost: [...ended.lost, ...lost] };
}

/** The outcome of a run that a signal ended, as shells expect it. */
export function signalOutcome(signalName: string | undefined): RunOutcome {
  return signalName === 'SIGTERM' ? 'terminated' : 'interrupted';
}
