// The look before a write, and the waits around it: which pauses make it an old one, and how long the write rests after it.

import { expect, test } from 'vitest';
import { fakeExchange, refuse, reply } from '../../support/fake-exchange.ts';
import type { ReadClient } from '../../../src/service/transport.ts';
import type { FakeExchange } from '../../support/fake-exchange.ts';

/** Requests are named by their object and the time at which they are sent: `GET a 1050`. Each 429 is a pause of 1,050 ms. */
interface Row {
  readonly name: string;
  /** What the look reads, one after the other. */
  readonly reads?: readonly string[];
  readonly throttled: readonly string[];
  /** How long the answer to a request takes. */
  readonly slow?: Readonly<Record<string, number>>;
  /** When another request of the run is sent, which is about b. */
  readonly other?: number;
  readonly expect: readonly string[];
}

test.each<Row>([
  {
    name: 'a look that is throttled leaves no rest before its write',
    throttled: ['GET a 0'],
    expect: ['GET a 0', 'GET a 1050', 'PATCH a 1050'],
  },
  {
    name: 'a write that is throttled right behind its look rests after the next one, and not before it',
    throttled: ['PATCH a 0'],
    expect: ['GET a 0', 'PATCH a 0', 'GET a 1050', 'PATCH a 1300'],
  },
  {
    name: 'the rest is twice as long after the second time',
    throttled: ['PATCH a 0', 'PATCH a 1300'],
    expect: ['GET a 0', 'PATCH a 0', 'GET a 1050', 'PATCH a 1300', 'GET a 2350', 'PATCH a 2850'],
  },
  {
    name: 'the reads of one look have the same rest between them',
    reads: ['above', 'a'],
    throttled: ['PATCH a 0'],
    expect: ['GET above 0', 'GET a 0', 'PATCH a 0', 'GET above 1050', 'GET a 1300', 'PATCH a 1550'],
  },
  {
    name: 'a pause in the rest before the write makes the look an old one',
    throttled: ['PATCH a 0', 'GET b 1100'],
    other: 1_100,
    expect: ['GET a 0', 'PATCH a 0', 'GET a 1050', 'GET b 1100', 'GET b 2150', 'GET a 2150', 'PATCH a 2400'],
  },
  {
    name: 'a pause that begins and ends in the rest before the write makes the look an old one, too',
    throttled: ['PATCH a 0', 'PATCH a 1300', 'PATCH a 2850', 'PATCH a 4900', 'GET b 6000'],
    other: 6_000,
    expect: [
      ...['GET a 0', 'PATCH a 0', 'GET a 1050', 'PATCH a 1300', 'GET a 2350', 'PATCH a 2850'],
      ...['GET a 3900', 'PATCH a 4900', 'GET a 5950', 'GET b 6000', 'GET b 7050', 'GET a 7950', 'PATCH a 9950'],
    ],
  },
  {
    name: 'a pause during the look makes it an old one, also when the rest would outlast the pause',
    throttled: ['PATCH a 0', 'GET b 1100'],
    slow: { 'GET a 1050': 1_000 },
    other: 1_100,
    expect: ['GET a 0', 'PATCH a 0', 'GET a 1050', 'GET b 1100', 'GET b 2150', 'GET a 2150', 'PATCH a 2400'],
  },
  {
    name: 'a pause in the rest between two reads begins the look anew, and nothing is read in it',
    reads: ['above', 'a'],
    throttled: ['PATCH a 0', 'GET b 1100'],
    other: 1_100,
    expect: [
      ...['GET above 0', 'GET a 0', 'PATCH a 0', 'GET above 1050', 'GET b 1100'],
      ...['GET b 2150', 'GET above 2150', 'GET a 2400', 'PATCH a 2650'],
    ],
  },
  {
    name: 'a pause before the second read begins the look anew, and does not end the write',
    reads: ['above', 'a'],
    throttled: ['GET b 100'],
    slow: { 'GET above 0': 200 },
    other: 100,
    expect: ['GET above 0', 'GET b 100', 'GET b 1150', 'GET above 1150', 'GET a 1150', 'PATCH a 1150'],
  },
])('$name', async ({ reads = ['a'], throttled, slow = {}, other, expect: expected }) => {
  const asked: string[] = [];
  const scene: FakeExchange = fakeExchange(async ({ method, url }) => {
    const id = url.pathname.split('/').at(-1) ?? '';
    const name = `${method} ${id} ${scene.clock.now()}`;
    asked.push(name);
    if (throttled.includes(name)) return refuse(429, { 'retry-after': '1' });
    await scene.clock.sleep(slow[name] ?? 0);
    return reply(200, { id });
  });
  const check = async ({ get }: ReadClient) => {
    for (const read of reads) await get(`/things/${read}`);
  };
  const write = scene.writer.write({ method: 'PATCH', path: '/things/a', body: {}, check });
  const reading = other === undefined ? undefined : scene.clock.sleep(other).then(() => scene.reader.get('/things/b'));
  await Promise.all([write, reading]);
  // Which of two requests of one moment came first is no matter.
  expect(asked.sort()).toEqual([...expected].sort());
});
