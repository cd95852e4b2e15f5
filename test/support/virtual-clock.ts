// A clock that stands still while anything runs, and then goes to the next time that somebody waits for.

import type { Clock } from '../../src/platform/clock.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

export interface VirtualClock extends Clock {
  /** How long somebody slept each time, in the order of falling asleep. */
  readonly slept: readonly number[];
}

/**
 * Sleepers wake in the order of their times, equal ones in the order of falling asleep; one is awake at a time.
 * Nobody wakes while `isBusy`.
 */
export function createVirtualClock(start = 0, isBusy: () => boolean = () => false): VirtualClock {
  const sleepers: Sleeper[] = [];
  const slept: number[] = [];
  let now = start;
  let isTicking = false;

  // Promises are settled before an immediate runs, so nobody has anything to do but to wait.
  const tick = (): void => {
    setImmediate(() => {
      if (isBusy()) {
        setTimeout(tick, 1);
        return;
      }
      sleepers.sort((a, b) => a.until - b.until);
      const next = sleepers.shift();
      if (next === undefined) {
        isTicking = false;
        return;
      }
      now = Math.max(now, next.until);
      next.wake();
      tick();
    });
  };

  return {
    slept,
    now: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve();
          return;
        }
        const sleeper: Sleeper = {
          until: now + ms,
          wake: () => {
            signal?.removeEventListener('abort', wakeEarly);
            resolve();
          },
        };
        const wakeEarly = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          resolve();
        };
        signal?.addEventListener('abort', wakeEarly, { once: true });
        slept.push(ms);
        sleepers.push(sleeper);
        if (isTicking) return;
        isTicking = true;
        tick();
      }),
  };
}
