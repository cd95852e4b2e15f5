// How fast a service is asked: waits that it asks for, the number of requests under way, and a limit that it never states.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { backoffMs, Pacer } from '../../src/service/http/pacer.ts';
import { LIMITS } from '../../src/service/limits.ts';
import { retryAfterMs } from '../../src/service/http/retry-after.ts';
import { chanceOf } from '../support/chance.ts';
import type { Step } from '../support/fake-exchange.ts';
import { play, refuse, reply, fakeExchange, timeout } from '../support/fake-exchange.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

describe('Retry-After', () => {
  test.each<readonly [string, string | undefined, number | undefined]>([
    ['7', undefined, 7000],
    ['0', undefined, 0],
    ['007', undefined, 7000],
    ['9999999999', undefined, 9_999_999_999_000],
    ['99999999999', undefined, undefined],
    ['100000000000', undefined, undefined],
    ['', undefined, undefined],
    [' 7', undefined, undefined],
    ['7 ', undefined, undefined],
    ['-5', undefined, undefined],
    ['+5', undefined, undefined],
    ['1e3', undefined, undefined],
    ['0x10', undefined, undefined],
    ['1.5', undefined, undefined],
    ['٧', undefined, undefined],
    ['5, 5', undefined, undefined],
    ['Infinity', undefined, undefined],
    ['soon', undefined, undefined],
    ['Sun, 06 Nov 1994 08:49:47 GMT', DATE, 10_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', DATE, undefined],
    ['Sun, 06 Nov 1994 08:49:27 GMT', DATE, undefined],
    ['Sun, 06 Nov 1994 08:49:47 GMT', undefined, undefined],
    ['Sun, 06 Nov 1994 08:49:47 GMT', 'today', undefined],
    ['Sun, 6 Nov 1994 08:49:47 GMT', DATE, undefined],
    ['Sunday, 06-Nov-94 08:49:47 GMT', DATE, undefined],
    ['Sun Nov  6 08:49:47 1994', DATE, undefined],
    ['1994-11-06T08:49:47Z', DATE, undefined],
    ['Sun, 06 Nov 1994 08:49:47 +0000', DATE, undefined],
    ['Sun, 99 Nov 1994 08:49:47 GMT', DATE, undefined],
    ['sun, 06 nov 1994 08:49:47 gmt', DATE, undefined],
  ])('%j beside the date %j', (value, date, expected) => {
    expect(retryAfterMs({ 'retry-after': value, ...(date !== undefined && { date }) })).toBe(expected);
  });

  test('none at all', () => {
    expect(retryAfterMs({ date: DATE })).toBeUndefined();
  });

  test('the date of our own clock does not matter', async () => {
    const until = refuse(429, { 'retry-after': 'Sun, 06 Nov 1994 08:49:47 GMT', date: DATE });
    const scene = fakeExchange([until, reply(200, { id: 'x_1' })]);
    await scene.reader.get('/things/x_1');
    expect(scene.clock.now()).toBe(10_500);
  });
});

test('waits are between their bounds, whatever chance says', () => {
  const all = (wait: (random: () => number) => number) => [wait(() => 0), wait(() => 1)];
  expect([1, 2, 3, 6, 7, 50].map((retry) => all((random) => backoffMs(retry, random)))).toEqual([
    [0, 500],
    [0, 1000],
    [0, 2000],
    [0, 16_000],
    [0, 20_000],
    [0, 20_000],
  ]);
  expect(all((random) => backoffMs(4, random, 3000)).map(Math.round)).toEqual([3000, 4000]);
  const pauseOf = (times: number, random: () => number, retryAfterMs?: number) => {
    const on = new Pacer({ concurrency: 8, clock: createVirtualClock(), random });
    for (let i = 0; i < times; i++) on.ended(on.start('reads'), { is: 'throttled', retryAfterMs });
    return on.pauseLeft();
  };
  expect([1, 2, 5, 6, 100].map((times) => all((random) => pauseOf(times, random)))).toEqual([
    [1000, 2000],
    [1000, 4000],
    [1000, 32_000],
    [1000, 60_000],
    [1000, 60_000],
  ]);
  expect(all((random) => pauseOf(1, random, 7000)).map(Math.round)).toEqual([7000, 7700]);
});

describe('requests under way', () => {
  const pacer = (concurrency: number) => new Pacer({ concurrency, clock: createVirtualClock(), random: () => 0.5 });
  const clean = (count: number, lane: 'reads' | 'writes', on: ReturnType<typeof pacer>) => {
    for (let i = 0; i < count; i++) on.ended(on.start(lane), { is: 'clean' });
  };

  test('begin with four reads and two writes, grow with clean answers and are halved by struggle', () => {
    const on = pacer(8);
    expect(on.limit).toEqual({ reads: 4, writes: 2 });
    // Until it first struggles, as fast as it answers.
    clean(1, 'reads', on);
    expect(on.limit).toEqual({ reads: 5, writes: 2 });
    clean(1000, 'reads', on);
    clean(6, 'writes', on);
    expect(on.limit).toEqual({ reads: 8, writes: 8 });
    const sent = Array.from({ length: 8 }, () => on.start('writes'));
    for (const ticket of sent) on.ended(ticket, { is: 'struggles' });
    // Eight answers to what was sent at the same pace are one sign, not eight.
    expect(on.limit).toEqual({ reads: 4, writes: 4 });
    clean(9, 'reads', on);
    expect(on.limit.reads).toBe(4);
    clean(1, 'reads', on);
    expect(on.limit.reads).toBe(5);
    for (let i = 0; i < 5; i++) on.ended(on.start('reads'), { is: 'struggles' });
    expect(on.limit).toEqual({ reads: 1, writes: 1 });
  });

  test('are never more than allowed, of both together', async () => {
    expect(pacer(1).limit).toEqual({ reads: 1, writes: 1 });
    for (const concurrency of [1, 3, LIMITS.requests]) {
      const under = { now: 0, most: 0 };
      const scene = fakeExchange(
        async ({ url, method }: Parameters<Exchange>[0]) => {
          under.now += 1;
          under.most = Math.max(under.most, under.now);
          await scene.clock.sleep(100);
          under.now -= 1;
          return reply(200, { id: method === 'POST' ? 'x' : (url.pathname.split('/').at(-1) ?? '') });
        },
        {},
        { concurrency },
      );
      await Promise.all(
        Array.from({ length: 200 }, (_, i) =>
          i % 2 === 0
            ? scene.reader.get(`/things/x_${i}`)
            : scene.writer.write({ method: 'POST', path: '/things', body: {} }),
        ),
      );
      expect(under.most).toBe(concurrency);
    }
  });

  test.each<readonly [string, Step]>([
    ['503', refuse(503)],
    ['429', refuse(429)],
    ['a time-out', timeout()],
  ])('are halved by %s', async (_, step) => {
    const under = { now: 0, most: 0 };
    let sent = 0;
    const scene = fakeExchange(async (request) => {
      sent += 1;
      const isFirst = sent <= 4;
      under.now += 1;
      if (!isFirst) under.most = Math.max(under.most, under.now);
      await scene.clock.sleep(100);
      under.now -= 1;
      return isFirst ? play(step, request) : reply(200, { id: request.url.pathname.split('/').at(-1) });
    });
    await Promise.all(Array.from({ length: 4 }, (__, i) => scene.reader.get(`/things/x_${i}`)));
    expect(under.most).toBe(2);
  });

  test('four requests throttled together are one pause, and clean answers make the next one shorter', () => {
    const on = pacer(8);
    const turnAway = () => {
      const sent = Array.from({ length: 4 }, () => on.start('reads'));
      for (const ticket of sent) on.ended(ticket, { is: 'throttled' });
      return on.pauseLeft();
    };
    expect([turnAway(), turnAway(), turnAway()]).toEqual([1500, 2500, 4500]);
    clean(20, 'reads', on);
    // The pause that was begun stays; a shorter one does not end it.
    expect(turnAway()).toBe(4500);
    clean(40, 'reads', on);
    expect([turnAway(), turnAway(), turnAway(), turnAway()]).toEqual([4500, 4500, 4500, 8500]);
  });

  test('a stop takes nobody out of the queue but those that it is for', async () => {
    const on = pacer(1);
    const stop = new AbortController();
    const admitted: string[] = [];
    const ask = async (name: string, signal?: AbortSignal) => {
      if (await on.turn('reads', signal)) admitted.push(name);
      else admitted.push(`not ${name}`);
    };
    const first = ask('first', stop.signal);
    const all = [ask('second', stop.signal), ask('third'), ask('fourth')];
    await first;
    stop.abort();
    for (const _ of all) {
      await new Promise((next) => setImmediate(next));
      on.leave('reads');
    }
    expect(admitted).toEqual(['first', 'not second', 'third', 'fourth']);
  });

  test('are let in in the order of coming', async () => {
    const order: string[] = [];
    const scene = fakeExchange(async ({ url }) => {
      order.push(url.pathname.slice('/v1/things/'.length));
      await scene.clock.sleep(10);
      return reply(200, { id: url.pathname.split('/').at(-1) });
    });
    const ids = Array.from({ length: 50 }, (_, i) => `x_${i}`);
    await Promise.all(ids.map((id) => scene.reader.get(`/things/${id}`)));
    expect(order).toEqual(ids);
  });

  test('next pages of lists that have begun keep their order', async () => {
    const on = pacer(4);
    const turns: string[] = [];
    const list = async (name: string) => {
      for (let page = 1; page <= 3; page++) {
        await on.turn('reads', undefined, page > 1);
        turns.push(`${name}${page}`);
        await new Promise((next) => setImmediate(next));
        // From here on, one at a time.
        if (page === 1) for (let times = 0; times < 2; times++) on.ended(on.start('reads'), { is: 'struggles' });
        on.leave('reads');
      }
    };
    await Promise.all(['a', 'b', 'c'].map(list));
    expect(turns.join(' ')).toBe('a1 b1 c1 a2 b2 c2 a3 b3 c3');
  });

  test('but for the next page of a list, which goes before all that waits', async () => {
    const order: string[] = [];
    const scene = fakeExchange(async ({ url }) => {
      order.push(url.href.slice(url.href.indexOf('/things') + '/things'.length));
      await scene.clock.sleep(10);
      const page = Number(url.searchParams.get('page') ?? 1);
      if (url.pathname !== '/v1/things') return reply(200, { id: url.pathname.split('/').at(-1) });
      const next = page < 3 ? `https://api.example.test/v1/things?page=${page + 1}` : null;
      return reply(200, { things: [{ id: `l_${page}` }], next_page_uri: next });
    });
    const ids = Array.from({ length: 40 }, (_, i) => `/x_${i}`);
    await Promise.all([scene.reader.list('/things', 'things'), ...ids.map((id) => scene.reader.get(`/things${id}`))]);
    // While most of the others still wait: those before it had their turn already.
    expect(order.indexOf('?page=2')).toBeLessThan(ids.length / 4);
    expect(order.indexOf('?page=3')).toBeLessThan(ids.length / 2);
    expect(order.filter((path) => path.startsWith('/x'))).toEqual(ids);
  });
});

interface Limited {
  readonly refused: boolean;
  readonly windowMs: number;
  readonly most: number;
}

/** A service with a rolling window that it never speaks of; `refused` says whether what it turns away counts too. */
function limited({ refused, windowMs, most }: Limited, seed: number) {
  const times: number[] = [];
  const made: string[] = [];
  const chance = chanceOf(seed);
  const scene = fakeExchange(
    async ({ method, url }) => {
      await scene.clock.sleep(20 + chance(100));
      const now = scene.clock.now();
      while (times.length > 0 && times[0]! <= now - windowMs) times.shift();
      const isFull = times.length >= most;
      if (!isFull || refused) times.push(now);
      if (isFull) return refuse(429);
      if (method === 'POST') made.push(`x_${made.length}`);
      return reply(method === 'POST' ? 201 : 200, {
        id: method === 'POST' ? made.at(-1) : url.pathname.split('/').at(-1),
      });
    },
    { random: () => chance(1000) / 1000 },
  );
  return { scene, made };
}

describe('a service that allows 120 requests in any 60 seconds and never says so', () => {
  test.each([true, false].flatMap((refused) => [1, 2, 3, 4, 5].map((seed) => [refused, seed] as const)))(
    'throttled requests count: %j, seed %i: 500 creations and as many reads all succeed',
    async (refused, seed) => {
      const { scene, made } = limited({ refused, windowMs: 60_000, most: 120 }, seed);
      const work = Array.from({ length: 500 }, async () => {
        const body = await scene.writer.write({ method: 'POST', path: '/things', body: {} });
        const { id } = body as { id: string };
        return scene.reader.get(`/things/${id}`);
      });
      expect((await Promise.all(work)).filter((one) => one !== undefined)).toHaveLength(500);
      expect(made).toHaveLength(500);
      // 1,000 requests take eight windows at least.
      expect(scene.clock.now()).toBeGreaterThan(8 * 60_000 * 0.9);
      expect(scene.clock.now()).toBeLessThan(15 * 60_000);
      expect(scene.asked.length).toBeLessThan(1500);
    },
  );
});

test('a service with a window of four minutes is waited for too', async () => {
  const { scene } = limited({ refused: false, windowMs: 240_000, most: 40 }, 7);
  await Promise.all(Array.from({ length: 120 }, (_, i) => scene.reader.get(`/things/x_${i}`)));
  expect(scene.clock.now()).toBeLessThan(15 * 60_000);
});

test('single refusals with answers in between never make longer pauses', async () => {
  let sent = 0;
  const scene = fakeExchange((request) => {
    sent += 1;
    return play(sent % 3 === 0 ? refuse(429) : reply(200, { id: request.url.pathname.split('/').at(-1) }), request);
  });
  for (let i = 0; i < 22; i++) await scene.reader.get(`/things/x_${i}`);
  const pauses = scene.clock.slept.filter((wait) => wait > 0);
  expect(pauses).toHaveLength(10);
  expect(new Set(pauses).size).toBe(1);
});
