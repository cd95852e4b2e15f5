// The health of the service, derived from its answers to writes: whether to send it another.

const FAILURES = 5;
/** After this time, one write may test whether the service has recovered. */
const TRIAL_MS = 2_000;

/**
 * Stops writes after failures in a row on five resources, until one write is answered after a rest. Failures of requests that
 * overlapped count as one: a request counts only if it was sent after the last counted failure was known.
 */
export class Breaker {
  readonly #failing = new Set<object | string>();
  #lastFailure = 0;
  #lastCounted = -Infinity;

  /** A write was answered: a refusal is a sign of health, too. */
  answered(): void {
    this.#failing.clear();
  }

  failed(resource: object | string, sentAt: number, now: number): void {
    if (sentAt >= this.#lastCounted && !this.#failing.has(resource)) {
      this.#lastCounted = now;
      this.#failing.add(resource);
    }
    this.#lastFailure = now;
  }

  /** Milliseconds until a write may test the service. */
  restMs(now: number): number {
    return this.#failing.size >= FAILURES ? Math.max(0, this.#lastFailure + TRIAL_MS - now) : 0;
  }

  /** True when a write must not be sent now; false once after a rest, for the write about to be sent. */
  isOpen(now: number): boolean {
    if (this.restMs(now) > 0) return true;
    this.#lastFailure = now;
    return false;
  }
}
