// The health of the service, derived from its answers: whether to write to it, to send it anything, and to retry.

const FAILURES = 5;
/** After this time, one write may test whether the service has recovered. */
const TRIAL_MS = 2_000;

/**
 * Whether to write: not after several failures in a row on different resources. Successful reads prove nothing about writes, so
 * only an answered write makes up for failed writes.
 */
export class Circuit {
  readonly #reads = new Set<string>();
  readonly #writes = new Set<string>();
  #last = 0;

  failed(isWrite: boolean, resource: string, now: number): void {
    this.#last = now;
    (isWrite ? this.#writes : this.#reads).add(resource);
  }

  answered(isWrite: boolean): void {
    this.#reads.clear();
    if (isWrite) this.#writes.clear();
  }

  /** Milliseconds until a write may test the service. */
  restMs(now: number): number {
    const isOpen = this.#reads.size + this.#writes.size >= FAILURES;
    return isOpen ? Math.max(0, this.#last + TRIAL_MS - now) : 0;
  }

  /** True when no write should be sent now; false once after a rest, for the write about to be sent. */
  isOpen(now: number): boolean {
    if (this.restMs(now) > 0) return true;
    this.#last = now;
    return false;
  }
}

const TIMEOUTS_UNTIL_DOWN = 6;
const DOWN_MS = 30_000;

/** A service that never answers costs a whole time-out per request, so we soon stop sending requests. */
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

  /** True while no request should be sent; it is tried again some time later. */
  isDown(now: number): boolean {
    return this.#times >= TIMEOUTS_UNTIL_DOWN && now - this.#last < DOWN_MS;
  }
}

const TOKENS = 500;
const COST = 5;
const COST_OF_TIMEOUT = 10;

/** How many retries a run can afford: spent by retries, earned back by successes, so that a failing service gets a rest. */
export class RetryQuota {
  #tokens = TOKENS;

  /** Pays for one retry; false if the quota is used up. */
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
