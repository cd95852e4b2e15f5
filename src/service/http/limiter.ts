// Limits the requests in flight of one client, and pauses all of them: fewer when the service struggles, more when it is
// healthy. Knows no request.

import type { Clock } from '../../platform/clock.ts';
import { askedMs, pauseMs } from './backoff.ts';

const READS_AT_FIRST = 4;
const WRITES_AT_FIRST = 2;
/** Successful answers after which one more request may be in flight. */
const CLEAN_RUN = 10;

export type Priority = 'reads' | 'writes';

/** One request in flight; `epoch` tells which slow-down its answer belongs to. */
export interface Permit {
  readonly priority: Priority;
  readonly epoch: number;
}

interface LimiterSettings {
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
}

export class Limiter {
  readonly #settings: LimiterSettings;
  /** How many may be in flight now. */
  readonly limit: Record<Priority, number>;
  readonly #busy = { reads: 0, writes: 0 };
  readonly #clean = { reads: 0, writes: 0 };
  /** Waiting requests, in order of arrival. */
  readonly #waiting: { readonly priority: Priority; readonly go: () => void }[] = [];
  #epoch = 0;
  #level = 0;
  #pausedUntil = -Infinity;

  constructor(settings: LimiterSettings) {
    const { concurrency } = settings;
    this.#settings = settings;
    this.limit = { reads: Math.min(READS_AT_FIRST, concurrency), writes: Math.min(WRITES_AT_FIRST, concurrency) };
  }

  /** Waits for a permit, first come first served within each priority; false when the signal is aborted before. */
  acquire(priority: Priority, signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(false);
      };
      const go = () => {
        signal?.removeEventListener('abort', cancel);
        resolve(true);
      };
      const waiter = { priority, go };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.push(waiter);
      this.#admit();
    });
  }

  release(priority: Priority): void {
    this.#busy[priority] -= 1;
    this.#admit();
  }

  #admit(): void {
    const { reads, writes } = this.#busy;
    const free = this.#settings.concurrency - reads - writes;
    const next = this.#waiting.find(({ priority }) => free > 0 && this.#busy[priority] < this.limit[priority]);
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#busy[next.priority] += 1;
    next.go();
    this.#admit();
  }

  /** A request is sent now. */
  start(priority: Priority): Permit {
    return { priority, epoch: this.#epoch };
  }

  succeeded({ priority, epoch }: Permit): void {
    if (epoch !== this.#epoch) return;
    // Pauses grow only while nothing succeeds in between.
    this.#level = 0;
    if (++this.#clean[priority] < CLEAN_RUN) return;
    this.#clean[priority] = 0;
    this.limit[priority] = Math.min(this.#settings.concurrency, this.limit[priority] + 1);
  }

  /** The service struggles: halves the limit. Answers to requests sent earlier count only once; true for the first. */
  congested({ epoch }: Permit): boolean {
    if (epoch !== this.#epoch) return false;
    this.#epoch += 1;
    for (const priority of ['reads', 'writes'] as const) {
      this.limit[priority] = Math.max(1, Math.floor(this.limit[priority] / 2));
      this.#clean[priority] = 0;
    }
    return true;
  }

  /** The service throttled a request: pauses everything, for at most `mostMs` if it did not say how long. */
  throttled(permit: Permit, retryAfterMs: number | undefined, mostMs: number): void {
    const { clock, random } = this.#settings;
    const isNew = this.congested(permit);
    // 0 would mean retrying without end.
    const asked = retryAfterMs === undefined || retryAfterMs === 0 ? undefined : askedMs(retryAfterMs, random);
    if (asked === undefined && !isNew) return;
    if (asked === undefined) this.#level += 1;
    const wait = asked ?? Math.min(mostMs, pauseMs(this.#level, random));
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + wait);
  }

  /** Milliseconds until the pause ends; zero or less without a pause. */
  pauseLeft(): number {
    return this.#pausedUntil - this.#settings.clock.now();
  }
}
