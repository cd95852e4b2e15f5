// The one place that sends again: reads when another try may help, writes only when nothing can have been done.
// Knows the classes of failures and the time that is left, not what is read or written.

import { attemptOf, attemptOnce, type Answer, type AttemptOutcome, type ApiRequest } from './attempt.ts';
import { backoffMs } from './backoff.ts';
import { notSentError, type Attempt, type Failure, type FailureType } from './failure.ts';
import type { ClientState } from './client-state.ts';
import type { Priority, Permit } from './limiter.ts';
import type { ApiError, WriteClient } from '../transport.ts';

const TRIES: Readonly<Record<Priority, number>> = { reads: 6, writes: 5 };
/** The longest wait before another try. Being throttled is no failure, and waited out until the deadline. */
const RETRY_BUDGET_MS = 15 * 60_000;
/** With less than this left until the deadline, being throttled is the end. */
const LAST_MS = 2_000;

/** Whether another try may help, and for writes also whether nothing can have been done. */
const RETRYABLE: Readonly<Record<FailureType, Readonly<Record<Priority, boolean>>>> = {
  unsent: { reads: true, writes: true },
  nameless: { reads: true, writes: true },
  throttled: { reads: true, writes: true },
  early: { reads: true, writes: true },
  timeout: { reads: true, writes: false },
  busy: { reads: true, writes: false },
  broken: { reads: true, writes: false },
  lost: { reads: true, writes: false },
  garbled: { reads: true, writes: false },
  final: { reads: false, writes: false },
};

/** One request with all its attempts. */
interface Sending {
  readonly client: ClientState;
  readonly request: ApiRequest;
  readonly attempt: Attempt;
  readonly priority: Priority;
  /** True for a write that finishes nothing that an earlier one began. */
  readonly isFirst: boolean;
  /** Looks at what is written once nothing has to be waited for any more. */
  readonly check: (() => Promise<void>) | undefined;
  /** True for what is sent in the place of a write that is about to leave. */
  readonly isWithin: boolean;
  /** Two creations have one path and are still about two things. */
  readonly resource: string;
  attempts: number;
  /** Attempts that count: those that were throttled do not. */
  tries: number;
}

/** Sends until there is an answer; throws `ApiError` when there is none or another try is not allowed. */
export async function send(
  link: ClientState,
  target: ApiRequest,
  {
    isFirst = target.method !== 'GET',
    check,
    isWithin = false,
  }: Partial<Pick<Sending, 'isFirst' | 'check' | 'isWithin'>> = {},
): Promise<Answer> {
  const attempt = attemptOf(link.settings, target);
  link.sent += 1;
  const resource = target.method === 'POST' ? `${link.sent}` : target.url.pathname;
  const priority = attempt.isWrite ? 'writes' : 'reads';
  const sending: Sending = {
    client: link,
    request: target,
    attempt,
    priority,
    isFirst,
    check,
    isWithin,
    resource,
    attempts: 0,
    tries: 0,
  };
  for (;;) {
    const { outcome, note } = await sendOnce(sending);
    if ('answer' in outcome) {
      note('');
      return outcome.answer;
    }
    const waitMs = plan(sending, outcome.failure, note);
    await link.clock.sleep(waitMs, endOf(sending));
  }
}

/** What ends the waits of a request: what begins something new has no grace. */
function endOf({ client, isFirst }: Sending): AbortSignal | undefined {
  return isFirst ? client.signal : (client.gracePeriod?.signal ?? client.signal);
}

async function sendOnce(sending: Sending) {
  const { client, request, attempt, priority, isWithin } = sending;
  const { clock, limiter, settings } = client;
  const signal = endOf(sending);
  if (!isWithin && !(await limiter.acquire(priority, signal))) throw stopped(attempt);
  try {
    await checkAfterWaits(sending);
    const timeoutMs = checkStart(sending);
    const permit = limiter.start(priority);
    const started = clock.now();
    sending.attempts += 1;
    // A write that is under way is given up last, with the whole run: whether it was done is unknown then.
    const outcome = await attemptOnce(settings, client.exchange, request, {
      timeoutMs,
      signal: priority === 'reads' ? signal : client.gracePeriod?.signal,
    });
    const took = Math.round(clock.now() - started);
    /** Writes the line of this attempt, with what comes after it. */
    const note = (then: string) =>
      settings.trace?.(`${attempt.method} ${attempt.path} ${resultOf(outcome)} ${took} ms${then}`);
    if ('failure' in outcome && priority === 'reads' && signal?.aborted === true) {
      note('');
      throw stopped(attempt);
    }
    account(sending, permit, outcome);
    return { outcome, note };
  } finally {
    if (!isWithin) limiter.release(priority);
  }
}

function resultOf(outcome: AttemptOutcome): string {
  if ('answer' in outcome) return String(outcome.answer.status);
  const { error, why } = outcome.failure;
  return error.status === undefined ? `failed (${why})` : String(error.status);
}

/** What a write changes is looked at after the last wait: a pause that comes meanwhile makes the look an old one. */
async function checkAfterWaits(sending: Sending): Promise<void> {
  do {
    await pauseEnds(sending);
    await sending.check?.();
  } while (sending.client.limiter.pauseLeft() > 0);
}

/** Waits while everything pauses; gives up when that would take longer than there is time. */
async function pauseEnds(sending: Sending): Promise<void> {
  const { client, attempt } = sending;
  const signal = endOf(sending);
  const { clock, limiter } = client;
  for (let wait = limiter.pauseLeft(); wait > 0; wait = limiter.pauseLeft()) {
    if (wait > untilDeadline(sending)) throw notSentError(attempt, overrun(client, attempt)).with(THROTTLED);
    await clock.sleep(wait, signal);
    if (signal?.aborted === true) throw stopped(attempt);
  }
}

const THROTTLED = { reach: 'throttled', status: 429 } as const;

/** The time that the attempt may take, or an error when it may not start at all. */
function checkStart(sending: Sending): number {
  const { client, attempt, priority } = sending;
  const { method, path, timeoutMs } = attempt;
  if (endOf(sending)?.aborted === true) throw stopped(attempt);
  const left = untilDeadline(sending);
  if (left <= 0) {
    const message = `the run reached its deadline before ${method} ${path} was sent`;
    throw notSentError(attempt, { code: 'deadline-reached', message, fix: 'give it more time with --deadline' });
  }
  if (client.hostHealth.isDown(client.clock.now())) {
    const message = `${method} ${path} was not sent: the service gave no answer several times in a row`;
    throw notSentError(attempt, { code: 'service-unhealthy', message, fix: UNHEALTHY_FIX });
  }
  if (priority === 'writes' && client.circuit.isOpen(client.clock.now())) {
    const message = `${method} ${path} was not sent: the service failed on several objects in a row`;
    throw notSentError(attempt, { code: 'service-unhealthy', message, fix: UNHEALTHY_FIX });
  }
  return priority === 'reads' ? Math.ceil(Math.min(timeoutMs, left)) : timeoutMs;
}

const UNHEALTHY_FIX = 'wait until the service is well, then run the command again';

/** What the outcome says of the service: how fast it may be asked, and whether it is well. */
function account(sending: Sending, permit: Permit, outcome: AttemptOutcome): void {
  const { client, resource, attempt } = sending;
  const { limiter, circuit, hostHealth, retryQuota, throttling, clock } = client;
  if ('failure' in outcome && outcome.failure.why === 'timeout' && outcome.failure.error.status === undefined)
    hostHealth.timedOut(clock.now());
  else hostHealth.answered();
  if ('answer' in outcome) retryQuota.earn();
  if ('answer' in outcome || outcome.failure.error.reach === 'answered') client.hasAnswered = true;
  if ('answer' in outcome || isClean(outcome.failure)) {
    limiter.succeeded(permit);
    circuit.answered(attempt.isWrite);
    return;
  }
  const { why, error } = outcome.failure;
  if (why === 'throttled') {
    throttling.count += 1;
    throttling.askedUntil = Math.max(throttling.askedUntil, clock.now() + (error.retryAfterMs ?? 0));
    limiter.throttled(permit, error.retryAfterMs, untilDeadline(sending) / 2);
  }
  if (CONGESTED.has(why)) limiter.congested(permit);
  if (UNHEALTHY.has(why)) circuit.failed(attempt.isWrite, resource, clock.now());
}

/** A refusal is a healthy answer too. */
function isClean({ why, error }: Failure): boolean {
  return why === 'final' && error.reach === 'answered';
}

const CONGESTED: ReadonlySet<FailureType> = new Set<FailureType>(['timeout', 'busy']);
const UNHEALTHY: ReadonlySet<FailureType> = new Set<FailureType>(['timeout', 'busy', 'broken', 'lost']);

/** How long to wait before the next attempt; throws when there is none. */
function next(sending: Sending, { why, error }: Failure): number {
  const { client, attempt, priority } = sending;
  // A host whose name was never right is a mistake; one that was there may only be out of sight.
  if (!RETRYABLE[why][priority] || (why === 'nameless' && !client.hasAnswered)) throw error;
  if (why === 'throttled') {
    const pause = Math.max(0, client.limiter.pauseLeft());
    const left = untilDeadline(sending);
    if (pause > left || left <= LAST_MS) throw error.with(overrun(client, attempt));
    return pause;
  }
  sending.tries += 1;
  if (sending.tries >= TRIES[priority]) throw error.with({ message: `${error.message}; tried ${sending.tries} times` });
  if (client.hostHealth.isDown(client.clock.now()))
    throw error.with({ message: `${error.message}; it did not answer other requests either` });
  if (!client.retryQuota.spend(why === 'timeout')) {
    const message = `the service is unhealthy: too many requests had to be retried; the last error: ${error.message}`;
    throw error.with({ code: 'service-unhealthy', message, fix: UNHEALTHY_FIX });
  }
  const wait = backoffMs(sending.tries, client.random, error.retryAfterMs);
  const obstacle = whyTooLong(wait, untilDeadline(sending));
  if (obstacle !== undefined) throw error.with({ message: `${error.message}; ${obstacle}` });
  return wait;
}

function whyTooLong(wait: number, left: number): string | undefined {
  const isWithin = wait < Math.min(left, RETRY_BUDGET_MS);
  return isWithin ? undefined : `another retry would have to wait for ${seconds(wait)}, which is too long`;
}

/** The wait before a write that may have been done is sent again: whoever sends it looks for it after this. */
export function backOff(client: ClientState): WriteClient['backOff'] {
  const { clock, deadlineMs = Infinity, random, signal, onRetry } = client;
  return async ({ method, path }, { status, code, retryAfterMs }, sends) => {
    const waitMs = backoffMs(sends, random, retryAfterMs);
    const obstacle = whyTooLong(waitMs, deadlineMs - clock.now());
    if (obstacle !== undefined) return obstacle;
    onRetry?.({ method, path, why: String(status ?? code), waitMs, attempt: sends });
    await clock.sleep(waitMs, signal);
    return signal?.aborted === true ? 'the run was stopped' : undefined;
  };
}

/** Decides on another attempt, and tells of it. */
function plan(sending: Sending, failure: Failure, note: (then: string) => void): number {
  const { client, attempt } = sending;
  const isPause = failure.why === 'throttled';
  let wait: number;
  try {
    wait = next(sending, failure);
  } catch (error) {
    note('');
    throw error;
  }
  note(`; ${isPause ? 'all requests pause for' : 'again in'} ${Math.round(wait)} ms`);
  const { status, code } = failure.error;
  const { method, path } = attempt;
  client.onRetry?.({ method, path, why: String(status ?? code), waitMs: wait, attempt: sending.attempts });
  // The pause itself is waited for with everybody else, before the next attempt.
  return isPause ? 0 : wait;
}

/** For a run with a deadline: without one every wait has its time. */
function overrun({ throttling, clock }: ClientState, { method, path }: Attempt) {
  const { count, askedUntil } = throttling;
  const leftMs = askedUntil - clock.now();
  const wait = leftMs > 0 ? `it asks to wait for ${seconds(leftMs)}, and ` : '';
  const times = count === 1 ? '1 request was' : `${count} requests were`;
  return {
    code: 'service-throttled' as const,
    message: `the service throttles requests (429 to ${method} ${path}): ${wait}the run has no time left for that; ${times} throttled`,
    fix: 'give it more time with --deadline, or run it again later',
  };
}

function seconds(ms: number): string {
  return `${Math.ceil(ms / 1000)} s`;
}

/** How long the run may go on; without a deadline, for ever. */
function untilDeadline({ client: { clock, deadlineMs, gracePeriod }, isFirst }: Sending): number {
  if (deadlineMs === undefined) return Infinity;
  return deadlineMs + (isFirst ? 0 : (gracePeriod?.ms ?? 0)) - clock.now();
}

function stopped(attempt: Attempt): ApiError {
  const end = attempt.isWrite ? 'sent' : 'answered';
  const message = `the run was stopped before ${attempt.method} ${attempt.path} was ${end}`;
  return notSentError(attempt, { code: 'interrupted', message });
}
