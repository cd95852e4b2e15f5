// When a run ends early: by a signal or by its deadline. Knows how to say it, not what was under way.

import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { signalOutcome } from '../core/run-outcome.ts';
import type { Clock } from '../platform/clock.ts';
import { within } from '../platform/clock.ts';

/** How a run is told to end. */
export interface Stop {
  /** Aborted: nothing new is begun. */
  readonly signal: AbortSignal;
  /** Aborted, after `signal`: what is in flight is given up, and the next run finds out what became of it. */
  readonly hardCancel: AbortSignal;
  /** Name of the signal that came; without one it was the deadline. */
  readonly signalName: () => string | undefined;
  /** Time of the platform's clock at which the run ends; undefined while no deadline runs. */
  readonly deadlineAt?: number | undefined;
}

/** A run that nothing stops. */
export const NEVER: Stop = {
  signal: new AbortController().signal,
  hardCancel: new AbortController().signal,
  signalName: () => undefined,
};

/** How long requests in flight may take to end after a signal or the deadline. */
export const GRACE_MS = 6_000;

/** Why the run ended early, with its outcome: that of the signal, `late` for the deadline. */
export function explainEarlyStop(
  { signalName }: Stop,
  late: RunOutcome,
): { readonly outcome: RunOutcome; readonly why: Diagnostic } {
  const name = signalName();
  if (name === undefined) {
    const message = 'the run reached its deadline';
    const fix = 'give the run more time with --deadline, or run the command again';
    return { outcome: late, why: { code: 'deadline-reached', severity: 'error', message, fix } };
  }
  const why: Diagnostic = { code: 'interrupted', severity: 'error', message: `the run was stopped by ${name}` };
  return { outcome: signalOutcome(name), why };
}

/** The work's result, or a failure as soon as the run is to end. For work that changes nothing. */
export async function unlessStopped<T>(work: Promise<T>, stop: Stop): Promise<T> {
  const { signal } = stop;
  let end = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    end = () => {
      const { outcome, why } = explainEarlyStop(stop, 'error');
      reject(new Failure(outcome, [why]));
    };
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/**
 * The same, also ended by a deadline, and given up some seconds after it. The deadline counts once: one that runs already,
 * because it is that of the whole command, is not begun anew.
 */
export function withDeadline<Run extends Stop>(run: Run, deadlineMs: number | undefined, clock: Clock): Run {
  if (deadlineMs === undefined || run.deadlineAt !== undefined) return run;
  return {
    ...run,
    deadlineAt: clock.now() + deadlineMs,
    signal: within(deadlineMs, run.signal),
    hardCancel: within(deadlineMs + GRACE_MS, run.hardCancel),
  };
}
