// What one request does to the next ones of its run, and what is still sent while the run comes to its end.

import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/service/http/attempt.ts';
import { Breaker } from '../../../src/service/http/breaker.ts';
import type { ClientState } from '../../../src/service/http/client-state.ts';
import type { HttpResponse } from '../../../src/service/http/exchange.ts';
import { Pacer } from '../../../src/service/http/pacer.ts';
import { send, backOff } from '../../../src/service/http/retry.ts';
import { ApiError } from '../../../src/service/transport.ts';
import { failureOf, fault, play, refuse, reply, settingsOf } from '../../support/fake-exchange.ts';
import type { Step } from '../../support/fake-exchange.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const to = (method: ApiRequest['method'], path = '/things'): ApiRequest => ({
  method,
  url: new URL(`https://api.test${path}`),
});
const fine = reply(200, {});
const aborted = () => {
  const controller = new AbortController();
  controller.abort();
  return controller.signal;
};

/** A client whose requests get the steps one after the other, and the last one for ever. */
function stateOf(steps: readonly Step[], more: Partial<ClientState> = {}) {
  const clock = createVirtualClock();
  const random = () => 0.5;
  const asked: string[] = [];
  const state: ClientState = {
    settings: settingsOf(),
    exchange: (request): Promise<HttpResponse> => {
      asked.push(`${request.method} ${clock.now()}`);
      return play(steps[Math.min(asked.length, steps.length) - 1]!, request);
    },
    clock,
    random,
    pacer: new Pacer({ concurrency: 8, clock, random }),
    breaker: new Breaker(),
    ...more,
  };
  return { state, asked, clock };
}

describe('while a run comes to its end', () => {
  const grace = { signal: new AbortController().signal, ms: 6_000 };
  test.each([
    { name: 'a write that begins something is not sent', target: to('POST'), isFirst: true, ends: 'interrupted' },
    { name: 'a write that finishes something is sent', target: to('DELETE'), isFirst: false, ends: 'sent' },
    { name: 'a read is sent', target: to('GET'), isFirst: false, ends: 'sent' },
  ])('$name', async ({ target, isFirst, ends }) => {
    const { state, asked } = stateOf([fine], { signal: aborted(), gracePeriod: grace });
    const end = await send(state, target, { isFirst }).then(
      () => 'sent',
      (error: unknown) => (error as { code: string }).code,
    );
    expect([end, asked.length]).toEqual([ends, ends === 'sent' ? 1 : 0]);
  });

  test('nothing is sent once its grace is over', async () => {
    const { state, asked } = stateOf([fine], { signal: aborted(), gracePeriod: { signal: aborted(), ms: 6_000 } });
    expect((await failureOf(send(state, to('GET')))).known).toBe('unsent');
    expect(asked).toEqual([]);
  });

  test('a read that failed meanwhile says nothing of the service', async () => {
    const controller = new AbortController();
    const { state } = stateOf(
      [
        () => {
          controller.abort();
          return refuse(404);
        },
      ],
      { signal: controller.signal },
    );
    expect((await failureOf(send(state, to('GET')))).code).toBe('interrupted');
  });
});

describe('at the deadline', () => {
  const grace = { signal: new AbortController().signal, ms: 6_000 };
  test.each([
    {
      name: 'a write that begins something is not sent',
      target: to('POST'),
      isFirst: true,
      at: 0,
      code: 'deadline-reached',
    },
    {
      name: 'a write that finishes something has its grace',
      target: to('DELETE'),
      isFirst: false,
      at: 0,
      code: undefined,
    },
    { name: 'that grace ends, too', target: to('DELETE'), isFirst: false, at: -6_000, code: 'deadline-reached' },
  ])('$name', async ({ target, isFirst, at, code }) => {
    const { state } = stateOf([fine], { deadlineMs: at, gracePeriod: grace });
    const sent = send(state, target, { isFirst });
    if (code === undefined) expect((await sent).status).toBe(200);
    else expect((await failureOf(sent)).code).toBe(code);
  });

  test('a read may take no longer than is left', async () => {
    const taken: number[] = [];
    const { state } = stateOf(
      [
        ({ timeoutMs }) => {
          taken.push(timeoutMs);
          return fine;
        },
      ],
      { deadlineMs: 1_000 },
    );
    await send(state, to('GET'));
    await send(state, to('PATCH', '/things/x_1'));
    expect(taken).toEqual([1_000, 60_000]);
  });

  test('a wait that would pass it is not begun', async () => {
    const { state, asked } = stateOf([refuse(503, { 'retry-after': '30' })], { deadlineMs: 10_000 });
    expect((await failureOf(send(state, to('GET')))).message).toMatch(/too long/);
    expect(asked).toHaveLength(1);
  });
});

describe('what is told of a write while it is under way', () => {
  const [left, known] = [true, false];
  test.each<readonly [string, Step, readonly boolean[]]>([
    ['an answer', fine, [left, known]],
    ['a refusal', refuse(422), [left, known]],
    ['429 before an answer', refuse(429), [left, known, left, known]],
    ['425 before an answer', refuse(425), [left, known, left, known]],
    ['no connection before an answer', fault('ECONNREFUSED', { syscall: 'connect' }), [left, known, left, known]],
    ['a failure of the service', refuse(500), [left]],
    ['a lost connection', fault('ECONNRESET'), [left]],
  ])('%s', async (_, first, expected) => {
    const told: boolean[] = [];
    const { state } = stateOf([first, fine]);
    await send(state, to('POST'), { onSend: (isOut) => void told.push(isOut) }).catch(() => undefined);
    expect(told).toEqual(expected);
  });
});

describe('one request and the next', () => {
  test('a throttled request makes the next one wait', async () => {
    const { state, asked } = stateOf([refuse(429, { 'retry-after': '10' }), fine]);
    await Promise.all([send(state, to('GET')), send(state, to('GET', '/others'))]);
    expect(asked.map((one) => Number(one.split(' ')[1]))).toEqual([0, 0, 10_500]);
  });

  test('five objects that fail keep the sixth write back, but not a read', async () => {
    const { state, asked } = stateOf([refuse(500)]);
    for (const id of [1, 2, 3, 4, 5]) await failureOf(send(state, to('PATCH', `/things/x_${id}`)));
    expect((await failureOf(send(state, to('PATCH', '/things/x_6')))).code).toBe('service-unhealthy');
    expect(asked).toHaveLength(5);
    await failureOf(send(state, to('GET')));
    expect(asked.length).toBeGreaterThan(5);
  });

  test('one object that fails again and again keeps no other back', async () => {
    const { state, asked } = stateOf([refuse(500)]);
    for (const _ of [1, 2, 3, 4, 5, 6]) await failureOf(send(state, to('PATCH', '/things/x_1')));
    expect(asked).toHaveLength(6);
  });

  test('creations of one path are about different things', async () => {
    const { state, asked } = stateOf([refuse(500)]);
    for (const _ of [1, 2, 3, 4, 5, 6]) await failureOf(send(state, to('POST')));
    expect(asked).toHaveLength(5);
  });
});

describe('before a write whose outcome is unknown is sent again', () => {
  const request = { method: 'PATCH', path: '/things/x_1' } as const;
  const unknown = (retryAfterMs?: number) =>
    new ApiError({ code: 'api-refused', message: 'no', known: 'failed', type: 'change', status: 503, retryAfterMs });

  test('the run waits longer each time, or as long as the service asks', async () => {
    const waited = async (sends: number, retryAfterMs?: number) => {
      const { state, clock } = stateOf([]);
      expect(await backOff(state)(request, unknown(retryAfterMs), sends)).toBeUndefined();
      return clock.now();
    };
    expect(await Promise.all([1, 2, 3, 4].map((sends) => waited(sends)))).toEqual([250, 500, 1000, 2000]);
    expect(await Promise.all([waited(1, 7_000), waited(4, 1_000)])).toEqual([7_350, 2_000]);
  });

  test.each([
    { name: 'the run has', asked: 61_000, more: { deadlineMs: 60_000 }, says: '65 s' },
    { name: 'any run has', asked: 900_000, more: {}, says: '945 s' },
  ])('a wait that is longer than $name is not begun', async ({ asked, more, says }) => {
    const { state, clock } = stateOf([], more);
    expect(await backOff(state)(request, unknown(asked), 1)).toContain(`${says}, which is too long`);
    expect(clock.now()).toBe(0);
  });

  test('the run waits until the service has had its rest', async () => {
    const { state, clock } = stateOf([]);
    for (let failed = 0; failed < 5; failed++) state.breaker.failed(`x_${failed}`, clock.now(), clock.now());
    expect(await backOff(state)(request, unknown(), 1)).toBeUndefined();
    expect([clock.now(), state.breaker.isOpen(clock.now())]).toEqual([2_250, false]);
  });

  test('a wait ends when the run is stopped, and then nothing is sent', async () => {
    const controller = new AbortController();
    const { state, clock } = stateOf([], { signal: controller.signal });
    const end = backOff(state)(request, unknown(60_000), 1);
    await clock.sleep(1);
    controller.abort();
    expect([await end, clock.now()]).toEqual(['the run was stopped', 1]);
  });

  test('a long wait is told', async () => {
    const told: unknown[] = [];
    const { state } = stateOf([], { onRetry: (event) => void told.push(event) });
    await backOff(state)(request, unknown(7_000), 2);
    expect(told).toEqual([{ ...request, why: '503', waitMs: 7_350 }]);
  });
});

describe('the rest of a write that is throttled right after its check', () => {
  /** Every PATCH is throttled; the check reads two objects. Gives the notices and the times of the requests. */
  async function throttledAt(deadlineMs: number) {
    const told: (readonly [string, number, number])[] = [];
    const answer: Step = ({ method }) => (method === 'GET' ? fine : refuse(429, { 'retry-after': '1' }));
    const { state, asked, clock } = stateOf([answer], {
      deadlineMs,
      onRetry: ({ method, waitMs }) => void told.push([method, clock.now(), waitMs]),
    });
    const check = async (within: Parameters<NonNullable<NonNullable<Parameters<typeof send>[2]>['check']>>[0]) => {
      for (const read of ['above', 'x_1']) await send(state, to('GET', `/things/${read}`), { within });
    };
    await failureOf(send(state, to('PATCH', '/things/x_1'), { check }));
    return { told, asked };
  }

  test('is told with the pause, and doubles', async () => {
    const { told } = await throttledAt(60_000);
    expect(told.slice(0, 3)).toEqual([
      ['PATCH', 0, 1_050 + 250],
      ['PATCH', 1_050 + 2 * 250, 1_050 + 500],
      ['PATCH', 2 * 1_050 + 2 * 250 + 2 * 500, 1_050 + 1_000],
    ]);
  });

  test('takes half of the time left at most, also between the reads of the check, and that is told', async () => {
    const { told, asked } = await throttledAt(30_000);
    const reads = asked.map((one) => one.split(' ')).map(([method, at]) => [method, Number(at)] as const);
    for (const [method, at, waitMs] of told.slice(1)) {
      expect(method).toBe('PATCH');
      expect(waitMs - 1_050).toBeLessThanOrEqual((30_000 - at - 1_050) / 2);
      const [first, second] = reads.filter(([name, then]) => name === 'GET' && then > at);
      expect((second?.[1] ?? 0) - (first?.[1] ?? 0)).toBeCloseTo(waitMs - 1_050, 0);
    }
    expect(told.length).toBeGreaterThan(6);
  });
});
