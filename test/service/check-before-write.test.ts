// What a write changes is looked at right before it leaves: no wait lies between the look and the sending.

import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { FakeExchange } from '../support/fake-exchange.ts';
import { fakeExchange, fault, play, refuse, reply } from '../support/fake-exchange.ts';

const fine: Exchange = ({ url }) => Promise.resolve(reply(200, { id: url.pathname.split('/').at(-1) ?? '' }));

/** A PATCH that looks at its object; `looked` is called after each look. */
function patch({ writer }: FakeExchange, id: string, looked: () => void = () => undefined): Promise<unknown> {
  const path = `/things/${id}`;
  const check = async (get: (path: string) => Promise<unknown>) => {
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
