// The health of the service, derived from its answers: whether to send it anything.

const FAILURES = 5;
/** After this time, one write may test whether the service has recovered. */
const TRIAL_MS = 2_000;
const TIMEOUTS = 6;
const DOWN_MS = 30_000;

/**
 * Stops writes after failures in a row on five resources, until one write is answered after a rest; and everything for a while
 * after six time-outs in a row, each of which costs its whole time. Answered reads prove nothing about writes.
 */
export class Breaker {
  readonly #reads = new Set<object | string>();
  readonly #writes = new Set<object | string>();
  #lastFailure = 0;
  #timeouts = 0;
  #lastTimeout = 0;

  /** A refusal is a sign of health, too. */
  answered(isWrite: boolean): void {
    this.#timeouts = 0;
    this.#reads.clear();
    if (isWrite) this.#writes.clear();
  }

  failed(isWrite: boolean, resource: object | string, now: number): void {
    this.#lastFailure = now;
    (isWrite ? this.#writes : this.#reads).add(resource);
  }

  /** An outcome of any kind; only time-outs in a row count. */
  ended(isTimeout: boolean, now: number): void {
    this.#timeouts = isTimeout ? this.#timeouts + 1 : 0;
    if (isTimeout) this.#lastTimeout = now;
  }

  isDown(now: number): boolean {
    return this.#timeouts >= TIMEOUTS && now - this.#lastTimeout < DOWN_MS;
  }

  /** Milliseconds until a write may test the service. */
  restMs(now: number): number {
    const isOpen = this.#reads.size + this.#writes.size >= FAILURES;
    return isOpen ? Math.max(0, this.#lastFailure + TRIAL_MS - now) : 0;
  }

  /** Why a request must not be sent now; undefined once after a rest, for the write about to be sent. */
  obstacle(isWrite: boolean, now: number): string | undefined {
    if (this.isDown(now)) return 'did not answer several times in a row';
    if (!isWrite) return undefined;
    if (this.restMs(now) > 0) return 'failed on several objects in a row';
    this.#lastFailure = now;
    return undefined;
  }
}
