// How fast one client asks: how many requests may be in flight, and until when all of them pause. Fewer when the service
// struggles, more when it is healthy. Knows no request.

import type { Clock } from '../../platform/clock.ts';
import { PACE, WAITS } from '../limits.ts';

type Lane = 'reads' | 'writes';

/** One request in flight; `epoch` tells which slow-down its answer belongs to. */
interface Permit {
  readonly lane: Lane;
  readonly epoch: number;
}

/** What an outcome says of the pace, and what the service or the run allows for a pause. */
interface Sign {
  readonly is: 'clean' | 'struggles' | 'throttled';
  readonly retryAfterMs?: number | undefined;
  /** The longest pause if the service did not say how long. */
  readonly mostMs?: number;
}

interface Waiter {
  readonly lane: Lane;
  readonly go: () => void;
  readonly isNextPage: boolean;
}

interface PacerSettings {
  /** Maximum number of requests in flight. */
  readonly concurrency: number;
  /** Maximum number of requests a second. */
  readonly rate?: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
}

export class Pacer {
  readonly #settings: PacerSettings;
  /** How many may be in flight now. */
  readonly limit: Record<Lane, number>;
  readonly #busy = { reads: 0, writes: 0 };
  readonly #clean = { reads: 0, writes: 0 };
  /** Waiting requests, in the order in which they go. */
  readonly #waiting: Waiter[] = [];
  #epoch = 0;
  #level = 0;
  #pausedUntil = -Infinity;
  /** The first moment at which the rate allows another request. */
  #nextStart = -Infinity;
  /** Number of pauses so far: what was read before the last one is stale. */
  pauses = 0;

  constructor(settings: PacerSettings) {
    const { rate = Infinity } = settings;
    // No more wait for the rate than start in a second.
    const concurrency = Math.max(1, Math.min(settings.concurrency, Math.ceil(rate)));
    this.#settings = { ...settings, concurrency };
    this.limit = { reads: Math.min(PACE.reads, concurrency), writes: Math.min(PACE.writes, concurrency) };
  }

  /**
   * Waits for a place; false when the signal is aborted before. First come, first served within each lane, but for the next pages of
   * lists that have begun (`isNextPage`): these go before everything else, because what the pages before them showed gets older.
   */
  turn(lane: Lane, signal: AbortSignal | undefined, isNextPage = false): Promise<boolean> {
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
      const waiter = { lane, go, isNextPage };
      signal?.addEventListener('abort', cancel, { once: true });
      this.#waiting.splice(isNextPage ? this.#nextPages() : this.#waiting.length, 0, waiter);
      this.#admit();
    });
  }

  /** How many next pages wait, all of them before the others. */
  #nextPages(): number {
    const first = this.#waiting.findIndex((waiter) => !waiter.isNextPage);
    return first < 0 ? this.#waiting.length : first;
  }

  /** Gives the place back. */
  leave(lane: Lane): void {
    this.#busy[lane] -= 1;
    this.#admit();
  }

  #admit(): void {
    const { reads, writes } = this.#busy;
    const free = this.#settings.concurrency - reads - writes;
    const next = this.#waiting.find(({ lane }) => free > 0 && this.#busy[lane] < this.limit[lane]);
    if (next === undefined) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#busy[next.lane] += 1;
    next.go();
    this.#admit();
  }

  /** Takes the next moment at which the rate allows a request; milliseconds until then. */
  reserve(): number {
    const { clock, rate = Infinity } = this.#settings;
    const now = clock.now();
    const at = Math.max(now, this.#nextStart);
    this.#nextStart = at + 1000 / rate;
    return at - now;
  }

  /** A request is sent now. */
  start(lane: Lane): Permit {
    return { lane, epoch: this.#epoch };
  }

  /** Answers to requests that were sent before a slow-down do not slow down again. */
  ended({ lane, epoch }: Permit, sign: Sign): void {
    const isNew = epoch === this.#epoch;
    if (sign.is !== 'clean') {
      if (isNew) this.#halve();
      if (sign.is === 'throttled') this.#pause(isNew, sign);
    } else if (isNew) {
      // Pauses grow only while nothing succeeds in between.
      this.#level = 0;
      if (this.#epoch > 0 && ++this.#clean[lane] < PACE.clean) return;
      this.#clean[lane] = 0;
      this.limit[lane] = Math.min(this.#settings.concurrency, this.limit[lane] + 1);
    }
  }

  #halve(): void {
    this.#epoch += 1;
    for (const lane of ['reads', 'writes'] as const) {
      this.limit[lane] = Math.max(1, Math.floor(this.limit[lane] / 2));
      this.#clean[lane] = 0;
    }
  }

  /** Everything pauses after each 429: as long as the service asks, or longer each time that it does not say. */
  #pause(isNew: boolean, { retryAfterMs = 0, mostMs = Infinity }: Sign): void {
    const { clock, random } = this.#settings;
    const now = clock.now();
    // 0 would mean retrying without end.
    const isAsked = retryAfterMs > 0;
    if (!isAsked && !isNew && this.pauseLeft() > 0) return;
    if (!isAsked) this.#level += 1;
    const { least, most } = WAITS.pause;
    const bound = Math.min(most, least * 2 ** this.#level);
    const wait = isAsked ? askedMs(retryAfterMs, random) : Math.min(mostMs, least + random() * (bound - least));
    this.pauses += 1;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + wait);
  }

  /** Milliseconds until the pause ends; zero without a pause. */
  pauseLeft(): number {
    return Math.max(0, this.#pausedUntil - this.#settings.clock.now());
  }
}

/** Full jitter: anything up to a bound that doubles with every retry, counted from 1; longer if the service asks for it. */
export function backoffMs(retry: number, random: () => number, retryAfterMs = 0): number {
  const { first, last } = WAITS.retry;
  return Math.max(askedMs(retryAfterMs, random), random() * Math.min(last, first * 2 ** (retry - 1)));
}

/** The wait that the service asked for, and up to a tenth more, so that many clients do not return at the same time. */
function askedMs(retryAfterMs: number, random: () => number): number {
  return retryAfterMs * (1 + random() / 10);
}
