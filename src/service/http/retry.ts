// Sends a request until it is answered or may not be sent again, and waits in between. Knows classes of failures and the time
// left, not what is read or written.

import { attemptOf, attemptOnce, type Answer, type AttemptOutcome, type ApiRequest } from './attempt.ts';
import { backoffMs } from './backoff.ts';
import type { Attempt, Failure } from './failure.ts';
import { LIMITS, NEXT, sentAs } from '../policy.ts';
import type { ClientState } from './client-state.ts';
import type { Priority, Permit } from './limiter.ts';
import { TimeLeft } from './time-left.ts';
import type { ApiError, WriteClient } from '../transport.ts';

/** The longest wait before a retry. */
const RETRY_BUDGET_MS = 15 * 60_000;
/** With less time left until the deadline, throttling ends the request. */
const LAST_MS = 2_000;
/** The rest between a check and its write, once the write was throttled right after one: doubled each time up to the last. */
const REST_MS = { first: 250, last: RETRY_BUDGET_MS };
interface Sending {
  readonly client: ClientState;
  readonly request: ApiRequest;
  readonly attempt: Attempt;
  readonly priority: Priority;
  readonly time: TimeLeft;
  /** Reads the object to write to, after all waits. */
  readonly check: ((write: Sending) => Promise<void>) | undefined;
  /** For a read of a check: the write that is about to be sent, and whose permit it uses. */
  readonly within: Sending | undefined;
  /** Two creations have the same path but count as different resources. */
  readonly resource: string;
  /** Called with true when the request is sent, and with false when its outcome is known. */
  readonly onSend: ((isOut: boolean) => void) | undefined;
  /** True when the check was throttled or paused: it does not count. */
  isOvertaken: boolean;
  reads: number;
  /** Restarts of the check because a read was repeated. */
  retakes: number;
  /** Rest between the check and the write, and between reads of the check. */
  restMs: number;
  /** The last answer, if it was 429. */
  throttled: ApiError | undefined;
  attempts: number;
  /** Attempts that count, without throttled ones. */
  tries: number;
}

/** Sends until there is an answer; throws `ApiError` when there is none or a retry is not allowed. */
export async function send(
  client: ClientState,
  request: ApiRequest,
  given: Partial<Pick<Sending, 'check' | 'within' | 'onSend'>> & { readonly isFirst?: boolean } = {},
): Promise<Answer> {
  const { check, within, onSend, isFirst = request.method !== 'GET' } = given;
  const attempt = attemptOf(client.settings, request);
  const sending: Sending = {
    client,
    request,
    attempt,
    priority: attempt.isWrite ? 'writes' : 'reads',
    time: within?.time ?? new TimeLeft(client, attempt, isFirst),
    check,
    within,
    onSend,
    resource: request.method === 'POST' ? `${++client.creations}` : request.url.pathname,
    isOvertaken: false,
    reads: 0,
    retakes: 0,
    restMs: 0,
    throttled: undefined,
    attempts: 0,
    tries: 0,
  };
  for (;;) {
    const sent = await sendOnce(sending);
    if (sent === 'overtaken') continue;
    const { outcome, note } = sent;
    if ('answer' in outcome) {
      note('');
      return outcome.answer;
    }
    await sending.time.wait(plan(sending, outcome.failure, note));
  }
}

async function sendOnce(sending: Sending) {
  const { client, request, attempt, priority, time, within, onSend } = sending;
  const { clock, limiter, settings } = client;
  const { signal } = time;
  Object.assign(sending, { isOvertaken: false, reads: 0 });
  if (within === undefined && !(await limiter.acquire(priority, signal))) throw time.ended();
  try {
    if (!(await looksAfterWaits(sending))) return 'overtaken';
    const timeoutMs = checkStart(sending);
    const permit = limiter.start(priority);
    const started = clock.now();
    sending.attempts += 1;
    time.hasLeft ||= within === undefined;
    onSend?.(true);
    // A write in flight is only aborted with the whole run: its outcome is unknown then.
    const outcome = await attemptOnce(settings, client.exchange, request, {
      timeoutMs,
      signal: priority === 'reads' ? signal : client.gracePeriod?.signal,
    });
    if ('answer' in outcome || outcome.failure.error.failure !== 'unknown') onSend?.(false);
    const took = Math.round(clock.now() - started);
    /** Writes the trace line of this attempt, and what follows it. */
    const note = (then: string) =>
      settings.trace?.(`${attempt.method} ${attempt.path} ${resultOf(outcome)} ${took} ms${then}`);
    if ('failure' in outcome && priority === 'reads' && time.isOver(within !== undefined)) {
      note('');
      throw time.ended();
    }
    account(sending, permit, outcome);
    return { outcome, note };
  } finally {
    if (within === undefined) limiter.release(priority);
  }
}

function resultOf(outcome: AttemptOutcome): string {
  if ('answer' in outcome) return String(outcome.answer.status);
  const { error, known } = outcome.failure;
  return error.status === undefined
    ? `failed (${error.code === 'api-timeout' ? 'timeout' : known})`
    : String(error.status);
}

/**
 * Checks the object of a write after the last wait. False when a pause came in between: the check is stale then, and the whole
 * try starts again with a new permit, so that writers with a permit do not starve each other by their checks.
 */
async function looksAfterWaits(sending: Sending): Promise<boolean> {
  const { client, check, time, within } = sending;
  await pauseEnds(sending);
  if (within !== undefined && sending.attempts === 0 && within.reads++ > 0) {
    await time.wait(time.atMostHalf(within.restMs));
    await pauseEnds(sending);
  }
  if (check === undefined) return true;
  await check(sending).catch((error: unknown) => {
    if (!sending.isOvertaken) throw error;
  });
  if (sending.isOvertaken || client.limiter.pauseLeft() > 0) return false;
  await time.wait(time.atMostHalf(sending.restMs));
  return client.limiter.pauseLeft() <= 0;
}

/** Waits while everything is paused; throws if that would take longer than the time left. */
async function pauseEnds({ client, attempt, time, within, throttled }: Sending): Promise<void> {
  const { limiter } = client;
  for (let wait = limiter.pauseLeft(); wait > 0; wait = limiter.pauseLeft()) {
    if (within !== undefined) {
      within.isOvertaken = true;
      throw time.ended();
    }
    if (wait > time.untilDeadline())
      throw throttled?.with(time.overrun(attempt, true)) ?? time.notSent(time.overrun(attempt, false));
    await time.wait(wait);
  }
}

/** The time that the attempt may take, or an error when it must not start. */
function checkStart({ client, attempt, priority, time }: Sending): number {
  const { method, path, timeoutMs } = attempt;
  const left = time.untilDeadline();
  if (time.signal?.aborted === true || left <= 0) throw time.ended();
  const obstacle = client.breaker.obstacle(attempt.isWrite, client.clock.now());
  if (obstacle !== undefined) {
    const message = `${method} ${path} was not sent: the service ${obstacle}`;
    throw time.notSent({ code: 'service-unhealthy', message, fix: UNHEALTHY_FIX });
  }
  return priority === 'reads' ? Math.ceil(Math.min(timeoutMs, left)) : timeoutMs;
}

const UNHEALTHY_FIX = 'wait until the service is healthy, then run the command again';

/** Updates the rate limit and the service's health after an outcome. */
function account(sending: Sending, permit: Permit, outcome: AttemptOutcome): void {
  const { client, resource, attempt, time } = sending;
  const { limiter, breaker, throttling, clock } = client;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  breaker.ended(failure?.error.code === 'api-timeout', clock.now());
  const isAnswered = failure === undefined || failure.error.reach === 'answered';
  if (isAnswered) client.hasAnswered = true;
  if (failure === undefined || (isAnswered && failure.known === 'refused')) {
    limiter.succeeded(permit);
    breaker.answered(attempt.isWrite);
    return;
  }
  const { known, error } = failure;
  if (known === 'throttled') {
    throttling.count += 1;
    throttling.askedUntil = Math.max(throttling.askedUntil, clock.now() + (error.retryAfterMs ?? 0));
    limiter.throttled(permit, error.retryAfterMs, time.untilDeadline() / 2);
  }
  if (error.code === 'api-timeout' || CONGESTED.has(error.status)) limiter.congested(permit);
  if (known === 'failed' || known === 'lost') breaker.failed(attempt.isWrite, resource, clock.now());
}

const CONGESTED: ReadonlySet<number | undefined> = new Set([408, 503]);

/** How long to wait before the next attempt; throws when there is none. */
function next(sending: Sending, { known, error, isNameless }: Failure): number {
  const { client, attempt, time } = sending;
  const sent = sentAs(attempt.method);
  // A host name that never resolved is a mistake; one that did may be unavailable for a moment.
  if (NEXT[known][sent] !== 'again' || (isNameless === true && !client.hasAnswered)) throw error;
  if (known === 'throttled') {
    const pause = Math.max(0, client.limiter.pauseLeft());
    const left = time.untilDeadline();
    if (pause > left || left <= LAST_MS) throw error.with(time.overrun(attempt, true));
    return pause;
  }
  sending.tries += 1;
  if (sending.tries >= LIMITS.tries[sent])
    throw error.with({ message: `${error.message}; tried ${sending.tries} times` });
  if (client.breaker.isDown(client.clock.now()))
    throw error.with({ message: `${error.message}; it did not answer other requests either` });
  const wait = backoffMs(sending.tries, client.random, error.retryAfterMs);
  const obstacle = whyTooLong(wait, time.untilDeadline());
  if (obstacle !== undefined) throw error.with({ message: `${error.message}; ${obstacle}` });
  return wait;
}

function whyTooLong(wait: number, left: number): string | undefined {
  const isWithin = wait < Math.min(left, RETRY_BUDGET_MS);
  return isWithin ? undefined : `another retry would have to wait for ${Math.ceil(wait / 1000)} s, which is too long`;
}

/** The wait before a write that may have been done is sent again; the caller then checks whether it was. */
export function backOff(client: ClientState): WriteClient['backOff'] {
  const { clock, deadlineMs = Infinity, random, signal, onRetry } = client;
  return async ({ method, path }, { status, code, retryAfterMs }, sends) => {
    // While the service rests, a repeat would not be sent.
    const waitMs = client.breaker.restMs(clock.now()) + backoffMs(sends, random, retryAfterMs);
    const obstacle = whyTooLong(waitMs, deadlineMs - clock.now());
    if (obstacle !== undefined) return obstacle;
    onRetry?.({ method, path, why: String(status ?? code), waitMs, attempt: sends });
    await clock.sleep(waitMs, signal);
    return signal?.aborted === true ? 'the run was stopped' : undefined;
  };
}

/** Decides about another attempt, and reports it. */
function plan(sending: Sending, failure: Failure, note: (then: string) => void): number {
  const { client, attempt, within, time } = sending;
  const { method, path } = attempt;
  const isPause = failure.known === 'throttled';
  let wait: number;
  try {
    wait = next(sending, failure);
  } catch (error) {
    note('');
    throw error;
  }
  note(`; ${isPause ? 'all requests pause for' : 'again in'} ${Math.round(wait)} ms`);
  const { status, code } = failure.error;
  sending.throttled = isPause ? failure.error : undefined;
  renewLook(sending, isPause);
  const waitMs = wait + (isPause ? time.atMostHalf((within ?? sending).restMs, wait) : 0);
  client.onRetry?.({ method, path, why: String(status ?? code), waitMs, attempt: sending.attempts });
  if (!isPause) return wait;
  if (within !== undefined) throw failure.error;
  // The pause itself is shared by all requests, and waited for before the next attempt.
  return 0;
}

/** Reads from before a wait are stale, so the check restarts; a write that is throttled right after its check rests longer. */
function renewLook(sending: Sending, isPause: boolean): void {
  const { within } = sending;
  const isOld = within?.isOvertaken === false && !isPause && within.reads > 1 && within.retakes++ < LIMITS.checks;
  if (within !== undefined && (isPause || isOld)) within.isOvertaken = true;
  const write = within ?? sending;
  if (isPause && write.reads > (within === undefined ? 0 : 1))
    write.restMs = Math.min(REST_MS.last, write.restMs * 2 || REST_MS.first);
}
