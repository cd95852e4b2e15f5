// Monotonic time. Tests and simulations supply their own clock.

import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Resolves early, without an error, when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Node fires longer timers at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const realClock: Clock = {
  // The global `performance` would load a dozen Node modules.
  now: () => Number(process.hrtime.bigint()) / 1e6,
  // Timers lose fractions and may be a millisecond early.
  sleep: (ms, signal) =>
    wait(ms > 0 ? Math.min(Math.ceil(ms) + 1, MAX_TIMER_MS) : 0, undefined, {
      ...(signal !== undefined && { signal }),
    }).catch(() => undefined),
};

/** A signal that aborts with another one, or after a time. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const timeout = AbortSignal.timeout(Math.min(ms, MAX_TIMER_MS));
  // Node 20 drops a timer that only a combined signal listens to (nodejs/node#57736).
  timeout.addEventListener('abort', () => undefined);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** The same for one piece of work, until `end`: made for each request, signals of the platform cost more than sending it. */
export function limited(
  ms: number,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const over = new AbortController();
  const stop = () => {
    over.abort(signal?.reason);
  };
  const late = () => {
    over.abort(new DOMException('the time is over', 'TimeoutError'));
  };
  const timer = setTimeout(late, Math.min(ms, MAX_TIMER_MS));
  signal?.addEventListener('abort', stop);
  if (signal?.aborted === true) stop();
  const end = () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  };
  return { signal: over.signal, end };
}
