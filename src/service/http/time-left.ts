// The time that one request may take: until the run is stopped or reaches its deadline, plus the grace period for what was
// started. Knows no failures of the service but that it throttles.

import type { ApiError } from '../transport.ts';
import { WAITS } from '../limits.ts';
import type { ClientState } from './client-state.ts';
import { failedRequest, type Attempt } from './failure.ts';

/** The time of a request, and of the reads for its check. */
export class TimeLeft {
  readonly #client: ClientState;
  readonly #attempt: Attempt;
  readonly #graceMs: number;
  /** Aborted: nothing is started, and all waits end. */
  readonly stop: AbortSignal | undefined;
  /** True once the request was sent. */
  hasLeft = false;

  /** `isFirst` for a write that does not finish an earlier one: it has no grace period. */
  constructor(client: ClientState, attempt: Attempt, isFirst: boolean) {
    const { signal, gracePeriod } = client;
    this.#client = client;
    this.#attempt = attempt;
    this.#graceMs = isFirst ? 0 : (gracePeriod?.ms ?? 0);
    this.stop = isFirst ? signal : (gracePeriod?.signal ?? signal);
  }

  /** Milliseconds until the run ends, grace included; infinite without a deadline until it is stopped. */
  untilEnd(): number {
    const { clock, deadlineMs = Infinity } = this.#client;
    return Math.min(deadlineMs, this.#stoppedAt() ?? Infinity) + this.#graceMs - clock.now();
  }

  #stoppedAt(): number | undefined {
    const { clock, signal } = this.#client;
    if (signal?.aborted === true) this.#client.stoppedAt ??= clock.now();
    return this.#client.stoppedAt;
  }

  /** True when the run has ended; its signal may be a little late. */
  isOver(): boolean {
    return this.stop?.aborted === true || this.untilEnd() <= WAITS.early;
  }

  /** True when the run was stopped, and ends before such a wait would. */
  isCut(ms: number): boolean {
    return this.#stoppedAt() !== undefined && ms > this.untilEnd();
  }

  /** Waits; throws when the run ends first, or as soon as it is known to end first. */
  async wait(ms: number): Promise<void> {
    const { clock, signal } = this.#client;
    const until = clock.now() + ms;
    if (ms > 0) await clock.sleep(ms, signal);
    const left = until - clock.now();
    if (left > 0 && this.isCut(left)) throw this.ended();
    if (left > 0) await clock.sleep(left, this.stop);
    if (this.stop?.aborted === true) throw this.ended();
  }

  /** The request is not sent because the run has ended. */
  ended(): ApiError {
    const { clock, deadlineMs = Infinity } = this.#client;
    const { method, path, isWrite } = this.#attempt;
    const end = `${method} ${path} was ${isWrite ? 'sent' : 'answered'}${isWrite && this.hasLeft ? ' again' : ''}`;
    if ((this.#stoppedAt() ?? clock.now()) < deadlineMs - WAITS.early)
      return this.notSent({ code: 'interrupted', message: `the run was stopped before ${end}` });
    const message = `the run reached its deadline before ${end}`;
    return this.notSent({ code: 'deadline-reached', message, fix: 'give it more time with --deadline' });
  }

  /** A request that we decided not to send. */
  notSent(details: Pick<ApiError, 'code' | 'message'> & { readonly fix?: string }): ApiError {
    return failedRequest(this.#attempt, { known: 'unsent', ...details });
  }

  /** Why such a pause is not waited for, if the run has no time for it; `own` is the request's 429, if that was its last answer. */
  overrun(pauseMs: number, own: ApiError | undefined): ApiError | undefined {
    const left = this.untilEnd();
    if (pauseMs <= left && left > WAITS.ending) return undefined;
    if (this.#stoppedAt() !== undefined) return this.ended();
    const { method, path } = this.#attempt;
    const [to, end] =
      own === undefined ? ['', `; ${method} ${path} was not sent`] : [` (429 to ${method} ${path})`, ''];
    const details = {
      code: 'service-throttled' as const,
      message: `the service throttles requests${to}, and the run has no time left to wait${end}`,
      fix: 'give it more time with --deadline, or run it again later',
    };
    return own?.with(details) ?? this.notSent(details);
  }
}
