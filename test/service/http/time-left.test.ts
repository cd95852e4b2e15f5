// How one request ends when its run does: at once, and with words that say what ended the run and whether it had been sent.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { ApiWrite } from '../../../src/service/transport.ts';
import type { FakeExchange } from '../../support/fake-exchange.ts';
import { failureOf, fakeExchange, fault, play, refuse, reply } from '../../support/fake-exchange.ts';
import { createVirtualClock } from '../../support/virtual-clock.ts';

const fine = reply(200, { id: 'x_1' });
const WRITE = { method: 'PATCH', path: '/things/x_1', body: {} } as const;
const throttledFor = (seconds: number) => refuse(429, { 'retry-after': `${seconds}` });

describe('a write that a stop keeps from being sent', () => {
  const look: ApiWrite['check'] = async ({ get }) => void (await get('/things/x_1'));
  test.each([
    { name: 'had not left', answers: [throttledFor(9)], write: WRITE, isFirst: false, says: 'was sent' },
    { name: 'had left', answers: [throttledFor(9)], write: WRITE, isFirst: true, says: 'was sent again' },
    {
      name: 'had not left, while its look had',
      answers: [refuse(503, { 'retry-after': '9' })],
      write: { ...WRITE, check: look },
      isFirst: true,
      says: 'was sent',
    },
  ])('$name, and says so', async ({ answers, write, isFirst, says }) => {
    const controller = new AbortController();
    const scene = fakeExchange(answers, { signal: controller.signal });
    // The pause that another request brought about keeps a write from leaving.
    const other = isFirst ? undefined : failureOf(scene.reader.get('/things/x_2'));
    if (!isFirst) await scene.clock.sleep(0);
    const ended = failureOf(scene.writer.write(write));
    await scene.clock.sleep(1);
    controller.abort();
    expect((await ended).message).toBe(`the run was stopped before PATCH /v1/things/x_1 ${says}`);
    await other;
  });
});

test.each([
  { at: 1_000, code: 'interrupted' },
  { at: 9_979, code: 'interrupted' },
  // A timer may come a little early.
  { at: 9_981, code: 'deadline-reached' },
])('a run with ten seconds that ended after $at ms ended by $code', async ({ at, code }) => {
  const controller = new AbortController();
  const scene = fakeExchange([fine], { signal: controller.signal, deadlineMs: 10_000 });
  await scene.clock.sleep(at);
  controller.abort();
  expect((await failureOf(scene.writer.write(WRITE))).code).toBe(code);
  // What ended it stays the same when the deadline goes by.
  await scene.clock.sleep(20_000);
  expect((await failureOf(scene.writer.write(WRITE))).code).toBe(code);
  expect(scene.asked).toEqual([]);
});

test('a pause that the grace has time for ends when the run is given up', async () => {
  const [stop, grace] = [new AbortController(), new AbortController()];
  const clock = createVirtualClock();
  let sleeps = 0;
  const counting: typeof clock.sleep = (...given) => {
    if (++sleeps > 20) throw new Error('it waits again and again');
    return clock.sleep(...given);
  };
  const ports = { signal: stop.signal, gracePeriod: { signal: grace.signal, ms: 6_000 } };
  const scene = fakeExchange([throttledFor(4)], { ...ports, clock: { now: clock.now, sleep: counting } });
  const ended = failureOf(scene.writer.write({ ...WRITE, finishes: true }));
  await clock.sleep(1);
  stop.abort();
  await clock.sleep(1_000);
  grace.abort();
  expect([(await ended).code, clock.now(), scene.asked.length]).toEqual(['interrupted', 1_001, 1]);
});

describe('a write whose pause another request makes longer than the run', () => {
  /** The other request is sent after so long, and takes so long. */
  test.each([
    { name: 'was throttled itself', after: 0, takes: 500, known: 'throttled', status: 429 },
    { name: 'was throttled before, and then not sent for another reason', after: 1_100, takes: 0, known: 'unsent' },
  ])('says whether it $name', async ({ after, takes, known, status }) => {
    const writes = [throttledFor(1), fault('ECONNREFUSED', { syscall: 'connect' })];
    const scene: FakeExchange = fakeExchange(
      async (request) => {
        if (request.method === 'PATCH') return play(writes.shift() ?? fine, request);
        await scene.clock.sleep(takes);
        return throttledFor(100);
      },
      { deadlineMs: 60_000 },
    );
    const reading = scene.clock.sleep(after).then(() => failureOf(scene.reader.get('/things/b')));
    await scene.clock.sleep(1);
    const error = await failureOf(scene.writer.write(WRITE));
    expect([error.code, error.known, error.status]).toEqual(['service-throttled', known, status]);
    await reading;
  });
});

test('a signal that outlives a run keeps nothing of its client', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { signal } = new AbortController();
  const left: WeakRef<object>[] = [];
  const run = async () => {
    // As a run derives it, so that many can wait for it.
    const scene = fakeExchange([fine], { signal: AbortSignal.any([signal]) });
    left.push(new WeakRef(scene.clock));
    expect(await scene.reader.get('/things/x_1')).toBeDefined();
  };
  for (let count = 0; count < 10; count += 1) await run();
  for (let count = 0; count < 5; count += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  expect(left.filter((one) => one.deref() !== undefined).length).toBeLessThan(2);
});
