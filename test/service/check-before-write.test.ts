// What a write changes is looked at right before it leaves: no wait lies between the look and the sending.

import { describe, expect, test } from 'vitest';
import type { ClientPorts } from '../../src/service/http/client-state.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { ReadClient } from '../../src/service/transport.ts';
import type { FakeExchange } from '../support/fake-exchange.ts';
import { failureOf, fakeExchange, fault, play, refuse, reply, timeout } from '../support/fake-exchange.ts';

const fine: Exchange = ({ url }) => Promise.resolve(reply(200, { id: url.pathname.split('/').at(-1) ?? '' }));

/** A PATCH that looks at its object; `looked` is called after each look. */
function patch({ writer }: FakeExchange, id: string, looked: () => void = () => undefined): Promise<unknown> {
  const path = `/things/${id}`;
  const check = async ({ get }: ReadClient) => {
    await get(path);
    looked();
  };
  return writer.write({ method: 'PATCH', path, body: { name: 'n' }, check });
}

/** What was asked, as `GET a`. */
const askedOf = ({ asked }: FakeExchange) =>
  asked.map(({ method, url }) => `${method} ${url.pathname.split('/').at(-1) ?? ''}`);

describe('a write with a check', () => {
  test('is sent after one look', async () => {
    const scene = fakeExchange(fine);
    await patch(scene, 'a');
    expect(askedOf(scene)).toEqual(['GET a', 'PATCH a']);
  });

  test.each([
    ['429', refuse(429, { 'retry-after': '2' })],
    ['425', refuse(425)],
    ['a refused connection', fault('ECONNREFUSED', { syscall: 'connect' })],
  ])('that is sent again after %s is preceded by another look', async (_, first) => {
    let writes = 0;
    const scene = fakeExchange((request) =>
      request.method === 'PATCH' && ++writes === 1 ? play(first, request) : fine(request),
    );
    await patch(scene, 'a');
    expect(askedOf(scene)).toEqual(['GET a', 'PATCH a', 'GET a', 'PATCH a']);
  });

  test('whose look was overtaken by a pause is preceded by another look', async () => {
    let isFirst = true;
    const scene = fakeExchange(async (request) => {
      if (request.url.pathname.endsWith('b') && request.method === 'GET') await scene.clock.sleep(300);
      if (request.method !== 'PATCH' || !isFirst) return fine(request);
      isFirst = false;
      return refuse(429, { 'retry-after': '4' });
    });
    await Promise.all([patch(scene, 'a'), patch(scene, 'b')]);
    const asked = askedOf(scene);
    expect(asked.filter((one) => one.endsWith('a'))).toEqual(['GET a', 'PATCH a', 'GET a', 'PATCH a']);
    expect(asked.filter((one) => one.endsWith('b'))).toEqual(['GET b', 'GET b', 'PATCH b']);
  });

  test('that waits for its turn looks when it has come, also where one request at a time is sent', async () => {
    const scene = fakeExchange(fine, {}, { concurrency: 1 });
    await Promise.all(['a', 'b', 'c'].map((id) => patch(scene, id)));
    expect(askedOf(scene)).toEqual(['GET a', 'PATCH a', 'GET b', 'PATCH b', 'GET c', 'PATCH c']);
  });

  test('whose look had to be repeated is sent right after the last one', async () => {
    let reads = 0;
    const scene = fakeExchange((request) => (++reads === 1 ? play(refuse(503), request) : fine(request)));
    await patch(scene, 'a');
    expect(askedOf(scene)).toEqual(['GET a', 'GET a', 'PATCH a']);
  });

  // Each failed read was begun anew with its whole look before, until the run had no retries left.
  test.each([
    ['two reads, of which the second is answered at every second try', ['above', 'a'], 2],
    ['two reads, of which the second is answered at every third try', ['above', 'a'], 3],
    ['one read that is answered at every third try', ['a'], 3],
  ])('comes to an end after %s', async (_, reads, every) => {
    let tries = 0;
    const scene = fakeExchange((request) => {
      const isFine = request.method !== 'GET' || request.url.pathname.endsWith('above') || ++tries % every === 0;
      return isFine ? fine(request) : play(refuse(503), request);
    });
    const check = async ({ get }: ReadClient) => {
      for (const one of reads) await get(`/things/${one}`);
    };
    await scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check });
    expect(scene.asked.length).toBeLessThanOrEqual(reads.length === 1 ? 4 : 5 * (every + 1) + 1);
  });

  test('is not sent when the look ends it, and others go on', async () => {
    const scene = fakeExchange(fine, {}, { concurrency: 1 });
    const moved = new Error('it moved');
    const ended = patch(scene, 'a', () => {
      throw moved;
    });
    await expect(ended).rejects.toBe(moved);
    await patch(scene, 'b');
    expect(askedOf(scene)).toEqual(['GET a', 'GET b', 'PATCH b']);
  });
});

describe.each([
  ['Retry-After: 1', { 'retry-after': '1' }],
  ['no Retry-After', {}],
])('where one request each 200 ms is taken, others are answered 429 with %s', (_, headers) => {
  /** Takes a request when the last one that was taken is so long ago; in the end any, so that every test has an end. */
  const spaced = (gapMs: number, ports: ClientPorts = {}) => {
    let last = -Infinity;
    const scene: FakeExchange = fakeExchange(
      (request) => {
        const now = scene.clock.now();
        if (now - last < gapMs && scene.asked.length < 200) return play(refuse(429, headers), request);
        last = now;
        return fine(request);
      },
      ports,
      { concurrency: 8 },
    );
    return scene;
  };

  test.each([
    [1, 200, 4],
    [1, 3_000, 20],
    [8, 200, 64],
  ])('%i writers at once, %i ms apart, come to an end within %i requests', async (writers, gapMs, most) => {
    const scene = spaced(gapMs);
    await Promise.all(Array.from({ length: writers }, (__, index) => patch(scene, `x_${index}`)));
    expect(scene.asked.length).toBeLessThanOrEqual(most);
    expect(scene.trace.filter((line) => line.startsWith('PATCH') && line.includes(' 200 '))).toHaveLength(writers);
  });

  test.each([100, 400, 3_000])('a look of two requests, %i ms apart, comes to an end, too', async (gapMs) => {
    const scene = spaced(gapMs);
    const check = async ({ get }: ReadClient) => {
      await get('/things/above');
      await get('/things/a');
    };
    await scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check });
    expect(scene.asked.length).toBeLessThanOrEqual(40);
    expect(askedOf(scene).slice(-3)).toEqual(['GET above', 'GET a', 'PATCH a']);
  });
});

test('where one request every hundred seconds is taken, and others are told when to come, a write comes to an end', async () => {
  let last = -Infinity;
  const scene: FakeExchange = fakeExchange((request) => {
    const left = last + 100_000 - scene.clock.now();
    if (left > 0 && scene.asked.length < 200)
      return play(refuse(429, { 'retry-after': String(Math.ceil(left / 1000)) }), request);
    last = scene.clock.now();
    return fine(request);
  });
  await patch(scene, 'a');
  expect(scene.asked.length).toBeLessThanOrEqual(30);
});

test('a write whose look reads nothing does not rest when it is throttled', async () => {
  let writes = 0;
  const scene = fakeExchange((request) =>
    ++writes < 6 ? play(refuse(429, { 'retry-after': '1' }), request) : fine(request),
  );
  await scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check: () => Promise.resolve() });
  expect(scene.clock.slept.filter((ms) => ms === 250 || ms === 500)).toEqual([]);
});

test('a rest never outlasts the run', async () => {
  const scene = fakeExchange((request) => (request.method === 'GET' ? fine(request) : play(refuse(429), request)), {
    deadlineMs: 600_000,
  });
  expect((await failureOf(patch(scene, 'a'))).code).toBe('service-throttled');
  expect(scene.clock.now()).toBeLessThan(600_000);
});

test('what was read before another read had to wait is read again', async () => {
  let isFirst = true;
  const scene = fakeExchange((request) => {
    const isBroken = isFirst && request.url.pathname.endsWith('a');
    if (isBroken) isFirst = false;
    return isBroken ? play(refuse(503), request) : fine(request);
  });
  const check = async ({ get }: ReadClient) => {
    await get('/things/above');
    await get('/things/a');
  };
  await scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check });
  expect(askedOf(scene)).toEqual(['GET above', 'GET a', 'GET above', 'GET a', 'PATCH a']);
});

test('a read that fails again and again is in the end repeated alone', async () => {
  let left = 5;
  const scene = fakeExchange((request) => {
    const isBroken = request.method === 'GET' && request.url.pathname.endsWith('a') && left-- > 0;
    return isBroken ? play(refuse(503), request) : fine(request);
  });
  const check = async ({ get }: ReadClient) => {
    await get('/things/b');
    await get('/things/a');
  };
  await scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check });
  const looks = Array.from({ length: 5 }, () => ['GET b', 'GET a']).flat();
  expect(askedOf(scene)).toEqual([...looks, 'GET a', 'PATCH a']);
});

test('a read that is repeated does not rest as a second one does', async () => {
  const answers = [
    fine,
    play.bind(null, refuse(429, { 'retry-after': '1' })),
    play.bind(null, refuse(503)),
    fine,
    fine,
  ];
  const scene: FakeExchange = fakeExchange((request) => answers[scene.asked.length - 1]!(request));
  await patch(scene, 'a');
  expect(askedOf(scene)).toEqual(['GET a', 'PATCH a', 'GET a', 'GET a', 'PATCH a']);
  // The wait before the repeat, and the rest before the write.
  expect(scene.clock.slept.filter((ms) => ms === 250)).toHaveLength(2);
});

test('a look that is throttled gives the place back, and is no failed try', async () => {
  let looks = 0;
  const scene = fakeExchange(
    (request) => {
      const isThrottled = request.url.pathname.endsWith('a') && ++looks <= 7;
      return isThrottled ? play(refuse(429, { 'retry-after': '1' }), request) : fine(request);
    },
    {},
    { concurrency: 1 },
  );
  await Promise.all([patch(scene, 'a'), patch(scene, 'b')]);
  expect(askedOf(scene)).toEqual(['GET a', 'GET b', 'PATCH b', ...Array<string>(6).fill('GET a'), 'GET a', 'PATCH a']);
});

describe('a stop', () => {
  /** A client whose run is stopped after one millisecond, with six seconds of grace. */
  function stopped(exchange: Exchange): FakeExchange & { readonly stop: () => void } {
    const [signal, grace] = [new AbortController(), new AbortController()];
    const gracePeriod = { signal: grace.signal, ms: 6_000 };
    const scene = fakeExchange(exchange, { signal: signal.signal, gracePeriod });
    const stop = () => {
      signal.abort();
      void scene.clock.sleep(6_000).then(() => {
        grace.abort();
      });
    };
    return { ...scene, stop };
  }
  const hang: Exchange = ({ signal }) =>
    new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
      });
    });

  test('during the look ends the write, which was not sent', async () => {
    const scene = stopped(hang);
    const sent: boolean[] = [];
    const write = { method: 'PATCH', path: '/things/a', onSend: (isOut: boolean) => sent.push(isOut) } as const;
    const ended = failureOf(scene.writer.write({ ...write, check: async ({ get }) => void (await get('/things/a')) }));
    await scene.clock.sleep(1);
    scene.stop();
    const error = await ended;
    expect([error.code, error.known, sent, scene.clock.now()]).toEqual(['interrupted', 'unsent', [], 1]);
    expect(error.message).toContain('before PATCH');
  });

  test.each([
    [100, 'interrupted', 1],
    [2, 'sent', 2_100],
  ])('in a pause of %i s, a write that finishes something is %s', async (seconds, expected, at) => {
    let writes = 0;
    const scene = stopped((request) =>
      ++writes === 1 ? play(refuse(429, { 'retry-after': String(seconds) }), request) : fine(request),
    );
    const write = { method: 'PATCH', path: '/things/a', finishes: true } as const;
    const ended = scene.writer.write(write).then(
      () => 'sent',
      (error: unknown) => (error as { code: string }).code,
    );
    await scene.clock.sleep(1);
    scene.stop();
    expect([await ended, scene.clock.now()]).toEqual([expected, at]);
  });
});

test('the deadline during the look ends the write, which was not sent', async () => {
  const scene: FakeExchange = fakeExchange(
    async ({ timeoutMs }) => {
      await scene.clock.sleep(timeoutMs);
      throw timeout();
    },
    { deadlineMs: 3_000 },
  );
  const error = await failureOf(patch(scene, 'a'));
  expect([error.code, error.known, scene.asked.length]).toEqual(['deadline-reached', 'unsent', 1]);
});
