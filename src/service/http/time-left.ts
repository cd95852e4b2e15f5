// The time that one request may take: until the run is stopped or reaches its deadline, plus the grace period for what was
// started. Knows no failures of the service.

import { ApiError } from '../transport.ts';
import type { ClientState } from './client-state.ts';
import type { Attempt } from './failure.ts';

/** A timer may fire this much too early. */
const EARLY_MS = 20;

/** The time of a request, and of the reads for its check. */
export class TimeLeft {
  readonly #client: ClientState;
  readonly #attempt: Attempt;
  readonly #isFirst: boolean;
  /** True once the request was sent. */
  hasLeft = false;

  /** `isFirst` for a write that does not finish an earlier one: it has no grace period. */
  constructor(client: ClientState, attempt: Attempt, isFirst: boolean) {
    this.#client = client;
    this.#attempt = attempt;
    this.#isFirst = isFirst;
  }

  get signal(): AbortSignal | undefined {
    const { signal, gracePeriod } = this.#client;
    return this.#isFirst ? signal : (gracePeriod?.signal ?? signal);
  }

  /** Time left for the run; infinite without a deadline. */
  untilDeadline(): number {
    const { clock, deadlineMs = Infinity } = this.#client;
    return deadlineMs + this.#graceMs() - clock.now();
  }

  /** So many milliseconds, but at most half of the time that the run has left after a wait. */
  atMostHalf(ms: number, waitMs = 0): number {
    return Math.min(ms, (this.untilDeadline() - waitMs) / 2);
  }

  /** True when the run was stopped; with `isCut`, also when its deadline has passed but its signal is not aborted yet. */
  isOver(isCut: boolean): boolean {
    return this.signal?.aborted === true || (isCut && this.untilDeadline() <= EARLY_MS);
  }

  /** Waits; throws when the run ends first, or as soon as the grace period is known to end first. */
  async wait(ms: number): Promise<void> {
    const { clock, signal } = this.#client;
    const until = clock.now() + ms;
    if (ms > 0) await clock.sleep(ms, signal);
    const left = signal?.aborted === true ? until - clock.now() : 0;
    if (left > Math.max(0, this.#untilGraceEnds())) throw this.ended();
    if (left > 0) await clock.sleep(left, this.signal);
    if (this.signal?.aborted === true) throw this.ended();
  }

  /** The request is not sent because the run has ended. */
  ended(): ApiError {
    const { clock, deadlineMs = Infinity, stoppedAt } = this.#client;
    const { method, path, isWrite } = this.#attempt;
    const end = `${method} ${path} was ${isWrite ? 'sent' : 'answered'}${isWrite && this.hasLeft ? ' again' : ''}`;
    if ((stoppedAt ?? clock.now()) < deadlineMs - EARLY_MS)
      return this.notSent({ code: 'interrupted', message: `the run was stopped before ${end}` });
    const message = `the run reached its deadline before ${end}`;
    return this.notSent({ code: 'deadline-reached', message, fix: 'give it more time with --deadline' });
  }

  /** A request that we decided not to send. */
  notSent(details: Pick<ApiError, 'code' | 'message'> & { readonly fix?: string }): ApiError {
    const failure = this.#attempt.isWrite ? 'rejected' : 'unusable';
    return new ApiError({ failure, reach: 'unsent', ...details });
  }

  /** For a run with a deadline; without one, every wait fits. A request that was not answered has no 429 of its own. */
  overrun({ method, path }: Attempt, isAnswered: boolean) {
    const { throttling, clock } = this.#client;
    const { count, askedUntil } = throttling;
    const leftMs = askedUntil - clock.now();
    const wait = leftMs > 0 ? `it asks to wait for ${Math.ceil(leftMs / 1000)} s, and ` : '';
    const times = count === 1 ? '1 request was' : `${count} requests were`;
    const [own, end] = isAnswered ? [` (429 to ${method} ${path})`, ''] : ['', `; ${method} ${path} was not sent`];
    return {
      code: 'service-throttled' as const,
      message: `the service throttles requests${own}: ${wait}the run has no time left for that; ${times} throttled${end}`,
      fix: 'give it more time with --deadline, or run it again later',
    };
  }

  #graceMs(): number {
    return this.#isFirst ? 0 : (this.#client.gracePeriod?.ms ?? 0);
  }

  #untilGraceEnds(): number {
    const { clock, stoppedAt = Infinity } = this.#client;
    return stoppedAt + this.#graceMs() - clock.now();
  }
}
