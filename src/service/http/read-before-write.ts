// The reads right before a write, which use its place and its time: when they are stale, and how long the write rests after
// them. Does not know what is read.

import { LIMITS, WAITS } from '../limits.ts';
import type { Pacer } from './pacer.ts';
import type { TimeLeft } from './time-left.ts';

export class ReadBeforeWrite {
  readonly time: TimeLeft;
  readonly #pacer: Pacer;
  /** Number of pauses before the first read; undefined when the reads are stale for another reason. */
  #since: number | undefined;
  #reads = 0;
  #retakes = 0;
  /** Rest between two reads, and between the last one and the write. */
  #restMs = 0;

  constructor(time: TimeLeft, pacer: Pacer) {
    this.time = time;
    this.#pacer = pacer;
  }

  /**
   * Reads and rests; false when anything had to be waited for since the first read. The whole try starts again then with a new
   * place, so that writers with a place do not starve each other by their reads.
   */
  async take(check: (reads: ReadBeforeWrite) => Promise<void>): Promise<boolean> {
    this.#since = this.#pacer.pauses;
    this.#reads = 0;
    await check(this).catch((error: unknown) => {
      if (!this.#isStale()) throw error;
    });
    if (this.#isStale()) return false;
    await this.time.wait(this.restMs());
    return !this.#isStale();
  }

  /** Called before each time that one of the reads is sent; throws when they are stale. */
  async beforeRead(isAgain: boolean): Promise<void> {
    if (!isAgain && this.#reads++ > 0 && !this.#isStale()) await this.time.wait(this.restMs());
    if (this.#isStale()) throw this.time.ended();
  }

  /** One of the reads has to be sent again, so those before it are stale. */
  repeats(): void {
    if (this.#reads > 1 && this.#retakes++ < LIMITS.checks) this.#since = undefined;
  }

  /** The write, or one of the reads, was throttled: it rests longer if that was right after a read. */
  throttled(isWrite: boolean): void {
    const { first, last } = WAITS.rest;
    if (this.#reads > (isWrite ? 0 : 1)) this.#restMs = Math.min(last, this.#restMs * 2 || first);
  }

  /** At most half of the time that the run has left after a wait. */
  restMs(waitMs = 0): number {
    return Math.min(this.#restMs, (this.time.untilEnd() - waitMs) / 2);
  }

  #isStale(): boolean {
    return this.#since !== this.#pacer.pauses;
  }
}
