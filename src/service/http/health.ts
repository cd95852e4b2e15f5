// How well the service is, by how its requests ended: whether it is written to, asked at all, and tried again.

const FAILURES = 5;
/** After so long one write may try whether the service is well again. */
const TRIAL_MS = 2_000;

/**
 * Whether something should be written: not after several failures in a row on different resources. Reads that succeed prove
 * nothing about writes, so only a write that is answered makes up for writes that failed.
 */
export class Circuit {
  readonly #reads = new Set<string>();
  readonly #writes = new Set<string>();
  #last = 0;

  /** The service broke down over this resource. */
  failed(isWrite: boolean, resource: string, now: number): void {
    this.#last = now;
    (isWrite ? this.#writes : this.#reads).add(resource);
  }

  /** The service answered. */
  answered(isWrite: boolean): void {
    this.#reads.clear();
    if (isWrite) this.#writes.clear();
  }

  /** Milliseconds until a write may try whether the service is well. */
  restMs(now: number): number {
    const isOpen = this.#reads.size + this.#writes.size >= FAILURES;
    return isOpen ? Math.max(0, this.#last + TRIAL_MS - now) : 0;
  }

  /** True when nothing should be written now; false once after a rest, for the write that is about to be sent. */
  isOpen(now: number): boolean {
    if (this.restMs(now) > 0) return true;
    this.#last = now;
    return false;
  }
}

const TIMEOUTS_UNTIL_DOWN = 6;
const DOWN_MS = 30_000;

/** A service that never answers costs a whole time-out each time, so it is soon left alone. */
export class HostHealth {
  #times = 0;
  #last = 0;

  timedOut(now: number): void {
    this.#times += 1;
    this.#last = now;
  }

  answered(): void {
    this.#times = 0;
  }

  /** True while nothing should be asked; some time later it is tried again. */
  isDown(now: number): boolean {
    return this.#times >= TIMEOUTS_UNTIL_DOWN && now - this.#last < DOWN_MS;
  }
}

const TOKENS = 500;
const COST = 5;
const COST_OF_TIMEOUT = 10;

/** How many retries one run can afford: spent by retries, earned back by successes, so that a sick service is left alone. */
export class RetryQuota {
  #tokens = TOKENS;

  /** Pays for one retry, or says that it cannot be paid for. */
  spend(afterTimeout: boolean): boolean {
    const cost = afterTimeout ? COST_OF_TIMEOUT : COST;
    if (this.#tokens < cost) return false;
    this.#tokens -= cost;
    return true;
  }

  earn(): void {
    this.#tokens = Math.min(TOKENS, this.#tokens + 1);
  }
}
