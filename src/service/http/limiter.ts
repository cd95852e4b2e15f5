// How many requests of one client are under way, and when all of them pause: fewer when the service struggles, more when
// it is well. Knows no request.

import { askedMs, pauseMs } from './backoff.ts';
import type { Clock } from '../../platform/clock.ts';

const READS_AT_FIRST = 4;
const WRITES_AT_FIRST = 2;
/** Clean answers after which one more request may be under way. */
const CLEAN_RUN = 10;

export type Priority = 'reads' | 'writes';

/** One request under way; `epoch` tells which slowing down its answer belongs to. */
export interface Permit {
  readonly priority: Priority;
  readonly epoch: number;
}

export interface Limiter {
  /** Waits for a place, first come first served at each priority; false when the signal is aborted before. */
  readonly acquire: (priority: Priority, signal: AbortSignal | undefined) => Promise<boolean>;
  readonly release: (priority: Priority) => void;
  /** A request goes out now. */
  readonly start: (priority: Priority) => Permit;
  readonly succeeded: (permit: Permit) => void;
  /** The service struggles: half as many from now on. Answers to what was sent before count once. */
  readonly congested: (permit: Permit) => void;
  /** The service turned a request away: everything pauses, for at most `mostMs` when it did not say how long. */
  readonly throttled: (permit: Permit, retryAfterMs: number | undefined, mostMs: number) => void;
  /** Milliseconds until the pause ends; zero or less when there is none. */
  readonly pauseLeft: () => number;
  readonly limits: () => Readonly<Record<Priority, number>>;
}

interface Waiter {
  readonly priority: Priority;
  readonly go: () => void;
}

interface LimiterSettings {
  /** Most requests under way. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
}

export function createLimiter({ concurrency, clock, random }: LimiterSettings): Limiter {
  const limit = { reads: Math.min(READS_AT_FIRST, concurrency), writes: Math.min(WRITES_AT_FIRST, concurrency) };
  const busy = { reads: 0, writes: 0 };
  const clean = { reads: 0, writes: 0 };
  const queue = createQueue(
    busy,
    (priority) => busy[priority] < limit[priority] && busy.reads + busy.writes < concurrency,
  );
  let epoch = 0;
  let level = 0;
  let pausedUntil = -Infinity;

  const congested = (permit: Permit): boolean => {
    if (permit.epoch !== epoch) return false;
    epoch += 1;
    for (const priority of ['reads', 'writes'] as const) {
      limit[priority] = Math.max(1, Math.floor(limit[priority] / 2));
      clean[priority] = 0;
    }
    return true;
  };

  return {
    acquire: queue.enter,
    release: queue.leave,
    start: (priority) => ({ priority, epoch }),
    succeeded: (permit) => {
      const { priority } = permit;
      if (permit.epoch !== epoch) return;
      // Pauses grow only while nothing succeeds in between.
      level = 0;
      if (++clean[priority] < CLEAN_RUN) return;
      clean[priority] = 0;
      limit[priority] = Math.min(concurrency, limit[priority] + 1);
    },
    congested,
    throttled: (permit, retryAfterMs, mostMs) => {
      const isNew = congested(permit);
      // "Now" would mean asking without end.
      const asked = retryAfterMs === undefined || retryAfterMs === 0 ? undefined : askedMs(retryAfterMs, random);
      if (asked === undefined && !isNew) return;
      if (asked === undefined) level += 1;
      pausedUntil = Math.max(pausedUntil, clock.now() + (asked ?? Math.min(mostMs, pauseMs(level, random))));
    },
    pauseLeft: () => pausedUntil - clock.now(),
    limits: () => ({ ...limit }),
  };
}

/** Who waits for a place, in the order of coming. */
function createQueue(busy: Record<Priority, number>, fits: (priority: Priority) => boolean) {
  const waiting: Waiter[] = [];
  const admit = (): void => {
    for (
      let next = waiting.find(({ priority }) => fits(priority));
      next;
      next = waiting.find(({ priority }) => fits(priority))
    ) {
      waiting.splice(waiting.indexOf(next), 1);
      busy[next.priority] += 1;
      next.go();
    }
  };
  return {
    enter: (priority: Priority, signal: AbortSignal | undefined): Promise<boolean> =>
      new Promise((resolve) => {
        if (signal?.aborted === true) {
          resolve(false);
          return;
        }
        const cancel = () => {
          waiting.splice(waiting.indexOf(waiter), 1);
          resolve(false);
        };
        const waiter: Waiter = {
          priority,
          go: () => {
            signal?.removeEventListener('abort', cancel);
            resolve(true);
          },
        };
        signal?.addEventListener('abort', cancel, { once: true });
        waiting.push(waiter);
        admit();
      }),
    leave: (priority: Priority): void => {
      busy[priority] -= 1;
      admit();
    },
  };
}
