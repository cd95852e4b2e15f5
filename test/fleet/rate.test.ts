// The rate of a service: requests start apart, whoever sends them.

import { expect, test } from 'vitest';
import { refuse } from '../support/fake-exchange.ts';
import { applyFleet, createPlace, outcomes } from './place.ts';

const stackOf = (name: string) => `version: 1
stack: ${name}
tls_edges:
  web: { hostports: ["${name}.example.com:443"] }
`;

test('a look and its write are sent together, and what follows waits for both', async () => {
  const place = createPlace();
  const blocks = (text: string) => ['a', 'b', 'c'].map((name) => `  ${name}: { region: us, description: ${text} }\n`);
  const described = (text: string) => `version: 1\nstack: a\nreserved_addrs:\n${blocks(text).join('')}`;
  await applyFleet(place.fleet({ a: described('x') }));
  const fleet = place.fleet({ a: described('y') }, { rate: 1 });
  const sent: (readonly [number, string])[] = [];
  place.intercept = ({ method, url }) => {
    if (url.pathname.includes('/ra_')) sent.push([fleet.platform.clock.now(), method]);
    return undefined;
  };
  expect(outcomes(await applyFleet(fleet))).toEqual({ a: 'done' });
  expect(sent.map(([, method]) => method)).toEqual(['GET', 'PATCH', 'GET', 'PATCH', 'GET', 'PATCH']);
  const [looked = 0, wrote = 0, next = 0] = sent.map(([at]) => at);
  expect([wrote - looked < 500, next - looked]).toEqual([true, 2000]);
});

test('requests of all stacks of a service start at least the reciprocal of the rate apart', async () => {
  const place = createPlace();
  const fleet = place.fleet({ a: stackOf('a'), b: stackOf('b') }, { rate: 5 });
  const starts: number[] = [];
  place.intercept = () => void starts.push(fleet.platform.clock.now());
  expect(outcomes(await applyFleet(fleet))).toEqual({ a: 'done', b: 'done' });
  expect(starts.length).toBeGreaterThan(10);
  for (const [index, at] of starts.slice(1).entries()) expect(at - (starts[index] ?? 0)).toBeGreaterThanOrEqual(199.9);
});

/** Twelve creations at five a second, with something at the fifth; when each was sent, and how they ended. */
async function twelve(
  atFifth: (stop: AbortController, hard: AbortController) => ReturnType<typeof refuse> | undefined,
) {
  const place = createPlace();
  const [stop, hard] = [new AbortController(), new AbortController()];
  const names = Array.from({ length: 12 }, (_, index) => `  a${index}: { region: us }\n`);
  const manifest = `version: 1\nstack: a\nreserved_addrs:\n${names.join('')}`;
  const fleet = place.fleet({ a: manifest }, { rate: 5, signal: stop.signal, hardCancel: hard.signal });
  const sent: number[] = [];
  place.intercept = ({ method }) => {
    if (method !== 'POST') return undefined;
    return sent.push(fleet.platform.clock.now()) === 5 ? atFifth(stop, hard) : undefined;
  };
  const [result] = await applyFleet(fleet);
  return { sent, statuses: result?.is === 'applied' ? result.report.results.map(({ status }) => status) : [] };
}

test('what waits for its turn was not sent: a signal ends it, and a second one leaves nothing unknown', async () => {
  const { sent, statuses } = await twelve((stop, hard) => {
    stop.abort();
    queueMicrotask(() => hard.abort());
    return undefined;
  });
  expect(sent).toHaveLength(5);
  expect(statuses.filter((status) => status === 'unknown').length).toBeLessThanOrEqual(1);
  expect(statuses).toHaveLength(12);
});

test('everything waits after a 429, what had a turn, too', async () => {
  const { sent, statuses } = await twelve(() => refuse(429, { 'retry-after': '10' }));
  expect((sent[5] ?? 0) - (sent[4] ?? 0)).toBeGreaterThanOrEqual(10_000);
  expect(new Set(statuses)).toEqual(new Set(['done']));
});
