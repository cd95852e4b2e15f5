// Sends a request until it is answered or may not be sent again, and waits in between. Knows what is known of a failure and the
// time left, not what is read or written.
//
// A request takes its turn, waits while everything is paused, takes its place in the rate, is checked if it is a write, and is
// sent. The check reads the object of a write right before the write, because the API has no conditional requests. It uses the
// place and the time of its write: no other request of the run comes between the two.
//
// Example: a PATCH has its turn. Its check reads the object, 80 ms. Meanwhile another request got a 429, and all requests pause
// for two seconds. What was read is then two seconds old when the PATCH could leave, so it is `stale`: the PATCH gives up its
// turn and begins again with a new one. When it is sent and gets a 429 itself, its next check rests a little longer before
// the write, since a service that allows two requests a second never takes two in a row at once. Throttled attempts are no
// tries. A 503 is one; NEXT says that a PATCH is not sent again after it, and the caller looks what became of it.
//
// Whether there may be another attempt is NEXT in outcomes.ts. How long to wait is WAITS in limits.ts, or what the service
// asks for. Three things end the loop early: the deadline of the run, a stop, and a service that failed on several objects.

import { attemptOf, attemptOnce, type Answer, type ApiRequest, type AttemptOutcome } from './attempt.ts';
import type { Attempt } from './failure.ts';
import { LIMITS, WAITS } from '../limits.ts';
import { mayHaveHappened, NEXT } from '../outcomes.ts';
import type { ClientState } from './client-state.ts';
import { backoffMs, type Pacer } from './pacer.ts';
import { ReadBeforeWrite } from './read-before-write.ts';
import { TimeLeft } from './time-left.ts';
import type { ApiError, WriteClient } from '../transport.ts';

export interface SendOptions {
  /** False for what finishes a started change, or reads: it has a grace period. */
  readonly isFirst?: boolean;
  /** True for a page of a list that has begun. */
  readonly isNextPage?: boolean;
  /** Reads the object to write to, after all waits. */
  readonly check?: ((reads: ReadBeforeWrite) => Promise<void>) | undefined;
  /** For one of the reads of a check: all of them, whose place it uses. */
  readonly within?: ReadBeforeWrite | undefined;
  /** Called with true when the request is sent, and with false when its outcome is known. */
  readonly onSend?: ((isOut: boolean) => void) | undefined;
}

interface Sending extends SendOptions {
  readonly client: ClientState;
  readonly request: ApiRequest;
  readonly attempt: Attempt;
  readonly time: TimeLeft;
  readonly reads: ReadBeforeWrite;
}

/** Sends until there is an answer; throws `ApiError` when there is none or a retry is not allowed. */
export async function send(client: ClientState, request: ApiRequest, options: SendOptions = {}): Promise<Answer> {
  const { within, isFirst = request.method !== 'GET' } = options;
  const attempt = attemptOf(client.settings, request);
  const time = within?.time ?? new TimeLeft(client, attempt, isFirst);
  const reads = within ?? new ReadBeforeWrite(time, client.pacer);
  const sending: Sending = { ...options, client, request, attempt, time, reads };
  /** Throttled attempts are no tries. */
  let tries = 0;
  let throttled: ApiError | undefined;
  for (;;) {
    await within?.beforeRead(tries > 0);
    // The read before a write takes its place in the rate at once, so that no other request comes between the two.
    if (within !== undefined) client.pacer.reserve();
    const sent = within === undefined ? await sendInTurn(sending, throttled) : await sendNow(sending);
    if (sent === 'stale') continue;
    const { outcome, trace } = sent;
    if ('answer' in outcome) {
      trace('');
      return outcome.answer;
    }
    const { failure } = outcome;
    throttled = failure.known === 'throttled' ? failure : undefined;
    if (throttled === undefined) tries += 1;
    await waitAfter(sending, failure, { tries, trace });
  }
}

/** Waits until the next attempt, and reports it; throws when there is none. A pause is waited for right before that attempt. */
async function waitAfter(
  sending: Sending,
  failure: ApiError,
  { tries, trace }: Pick<Sent, 'trace'> & { readonly tries: number },
): Promise<void> {
  const { client, attempt, time, reads, within } = sending;
  const { method, path, isWrite } = attempt;
  const isPause = failure.known === 'throttled';
  const wait = nextWait(sending, failure, tries);
  if (typeof wait !== 'number') {
    trace('');
    throw wait;
  }
  trace(`; ${isPause ? 'all requests pause for' : 'again in'} ${Math.round(wait)} ms`);
  if (isPause) reads.throttled(isWrite);
  const waitMs = wait + (isPause && isWrite ? reads.restMs(wait) : 0);
  client.onRetry?.({ method, path, why: String(failure.status ?? failure.code), waitMs });
  if (isPause) return;
  within?.repeats();
  await time.wait(wait);
}

interface Sent {
  readonly outcome: AttemptOutcome;
  /** Writes the trace line of this attempt, and what follows it. */
  readonly trace: (then: string) => void;
}

async function sendInTurn(sending: Sending, throttled: ApiError | undefined): Promise<Sent | 'stale'> {
  const { client, attempt, time, reads, check, isNextPage } = sending;
  const lane = attempt.isWrite ? 'writes' : 'reads';
  if (!(await client.pacer.turn(lane, time.stop, isNextPage))) throw time.ended();
  try {
    await pauseEnds(client.pacer, time, throttled);
    const { pauses } = client.pacer;
    const wait = client.pacer.reserve();
    if (wait > 0) await time.wait(wait);
    if (client.pacer.pauses !== pauses) return 'stale';
    if (check !== undefined && !(await reads.take(check))) return 'stale';
    return await sendNow(sending);
  } finally {
    client.pacer.leave(lane);
  }
}

/** Waits while everything is paused; throws if that would take longer than the time left. */
async function pauseEnds(pacer: Pacer, time: TimeLeft, throttled: ApiError | undefined): Promise<void> {
  for (let wait = pacer.pauseLeft(); wait > 0; wait = pacer.pauseLeft()) {
    const obstacle = time.overrun(wait, throttled);
    if (obstacle !== undefined) throw obstacle;
    await time.wait(wait);
  }
}

async function sendNow(sending: Sending): Promise<Sent> {
  const { client, request, attempt, time, within, onSend } = sending;
  const { clock, settings, gracePeriod, pacer } = client;
  const timeoutMs = checkStart(sending);
  const permit = pacer.start(attempt.isWrite ? 'writes' : 'reads');
  const started = clock.now();
  time.hasLeft ||= within === undefined;
  onSend?.(true);
  // A write in flight is only aborted with the whole run: its outcome is unknown then.
  const signal = attempt.isWrite ? gracePeriod?.signal : time.stop;
  const outcome = await attemptOnce(settings, client.exchange, request, { timeoutMs, signal });
  if ('answer' in outcome || !mayHaveHappened(outcome.failure)) onSend?.(false);
  const line = `${attempt.method} ${attempt.path} ${resultOf(outcome)} ${Math.round(clock.now() - started)} ms`;
  const trace = (then: string) => settings.trace?.(`${line}${then}`);
  if ('failure' in outcome && !attempt.isWrite && time.isOver()) {
    trace('');
    throw time.ended();
  }
  account(sending, { permit, started }, outcome);
  return { outcome, trace };
}

function resultOf(outcome: AttemptOutcome): string {
  if ('answer' in outcome) return String(outcome.answer.status);
  const { status, code, known } = outcome.failure;
  return String(status ?? `failed (${code === 'api-timeout' ? 'timeout' : known})`);
}

/** The time that the attempt may take, or an error when it must not start. */
function checkStart({ client, attempt, time }: Sending): number {
  const { method, path, timeoutMs, isWrite } = attempt;
  const left = time.untilEnd();
  if (time.stop?.aborted === true || left <= 0) throw time.ended();
  if (isWrite && client.breaker.isOpen(client.clock.now())) {
    const message = `${method} ${path} was not sent: the service failed on several objects in a row`;
    throw time.notSent({ code: 'service-unhealthy', message, fix: UNHEALTHY_FIX });
  }
  return isWrite ? timeoutMs : Math.ceil(Math.min(timeoutMs, left));
}

const UNHEALTHY_FIX = 'wait until the service is healthy, then run the command again';

/** Updates the pace and the service's health after an outcome. */
function account(
  { client, request, attempt, time }: Sending,
  { permit, started }: { readonly permit: ReturnType<Pacer['start']>; readonly started: number },
  outcome: AttemptOutcome,
) {
  const { pacer, breaker, clock } = client;
  const { isWrite } = attempt;
  const failure = 'failure' in outcome ? outcome.failure : undefined;
  if (failure === undefined || failure.known === 'refused') {
    pacer.ended(permit, { is: 'clean' });
    if (isWrite) breaker.answered();
    return;
  }
  const { code, known, status, retryAfterMs } = failure;
  if (known === 'throttled') pacer.ended(permit, { is: 'throttled', retryAfterMs, mostMs: time.untilEnd() / 2 });
  if (code === 'api-timeout' || status === 408 || status === 503) pacer.ended(permit, { is: 'struggles' });
  if (!isWrite || (known !== 'failed' && known !== 'lost')) return;
  // Two creations have the same path but count as different resources.
  breaker.failed(request.method === 'POST' ? request : request.url.pathname, started, clock.now());
}

/** How long to wait before the next attempt, or why there is none. */
function nextWait({ client, time }: Sending, error: ApiError, tries: number): number | ApiError {
  const { known, type } = error;
  if (NEXT[known][type] !== 'again') return error;
  if (known === 'throttled') {
    const pause = client.pacer.pauseLeft();
    return time.overrun(pause, error) ?? pause;
  }
  if (tries >= LIMITS.tries[type]) return error.with({ message: `${error.message}; tried ${tries} times` });
  const wait = backoffMs(tries, client.random, error.retryAfterMs);
  if (time.isCut(wait)) return time.ended();
  const obstacle = whyTooLong(wait, time.untilEnd());
  return obstacle === undefined ? wait : error.with({ message: `${error.message}; ${obstacle}` });
}

function whyTooLong(wait: number, left: number): string | undefined {
  const isWithin = wait < Math.min(left, WAITS.retry.longest);
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
    onRetry?.({ method, path, why: String(status ?? code), waitMs });
    await clock.sleep(waitMs, signal);
    return signal?.aborted === true ? 'the run was stopped' : undefined;
  };
}
