// Ends a run early: on a signal or at its deadline. Words the reason, but does not know what was under way.

import { setMaxListeners } from 'node:events';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { signalOutcome, type RunOutcome } from '../core/run-outcome.ts';
import { perObject } from '../core/lazy.ts';
import { within, type Clock } from '../platform/clock.ts';

/** How a run is told to stop. */
export interface Stop {
  /** Aborted: nothing new is started. */
  readonly signal: AbortSignal;
  /** Aborted after `signal`: requests in flight are aborted, and the next run resolves their outcome. */
  readonly hardCancel: AbortSignal;
  /** Name of the signal; undefined if the deadline ended the run or, without one, the program that embeds it. */
  readonly signalName: () => string | undefined;
  /** Time on the platform's clock at which the run ends; undefined without a deadline. */
  readonly deadlineAt?: number | undefined;
}

/** A run that nothing stops. */
export const NEVER: Stop = {
  signal: new AbortController().signal,
  hardCancel: new AbortController().signal,
  signalName: () => undefined,
};

/** Grace period for requests in flight after a signal or the deadline. */
export const GRACE_MS = 6_000;

/** Replaces the name of a signal. */
const PROGRAM = 'the program that runs it';

/** Why the run ended early, with its outcome: that of the signal, or `late` for the deadline. */
export function explainEarlyStop(
  { signalName, deadlineAt }: Stop,
  late: RunOutcome,
): { readonly outcome: RunOutcome; readonly why: Diagnostic } {
  const name = signalName() ?? (deadlineAt === undefined ? PROGRAM : undefined);
  if (name === undefined) {
    const message = 'the run reached its deadline';
    const fix = 'give the next run more time with --deadline';
    return { outcome: late, why: { code: 'deadline-reached', severity: 'error', message, fix } };
  }
  const why: Diagnostic = { code: 'interrupted', severity: 'error', message: `the run was stopped by ${name}` };
  return { outcome: signalOutcome(name), why };
}

/**
 * Aborted after the grace period of the signal, for a run without its own `hardCancel`. One per signal, however many runs it
 * stops.
 */
export const afterGrace = perObject((signal: AbortSignal): AbortSignal => {
  const controller = new AbortController();
  const begin = () => {
    setTimeout(() => controller.abort(), GRACE_MS).unref();
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return controller.signal;
});

/** The work's result, or a failure as soon as the run must stop. For work that changes nothing. */
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
 * The run with its own signals, also stopped by a deadline and hard-cancelled some seconds later. A deadline that is already
 * running, because it is that of the whole command, is not restarted.
 */
export function withDeadline<Run extends Stop>(given: Run, deadlineMs: number | undefined, clock: Clock): Run {
  if (given.deadlineAt !== undefined) return given;
  const run =
    deadlineMs === undefined
      ? { ...given, signal: AbortSignal.any([given.signal]), hardCancel: AbortSignal.any([given.hardCancel]) }
      : {
          ...given,
          deadlineAt: clock.now() + deadlineMs,
          signalName: () => given.signalName() ?? (given.signal.aborted ? PROGRAM : undefined),
          signal: within(deadlineMs, given.signal),
          hardCancel: within(deadlineMs + GRACE_MS, given.hardCancel),
        };
  // Many steps wait for the same signal; Node would warn about a leak.
  setMaxListeners(0, run.signal, run.hardCancel);
  return run;
}
