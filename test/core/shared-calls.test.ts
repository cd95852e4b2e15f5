// Calls that many ask for at the same time.

import { expect, test } from 'vitest';
import { sharedCalls } from '../../src/core/shared-calls.ts';

test('those that ask while one is under way share the next, also after a failure; keys are apart', async () => {
  const begun: string[] = [];
  const call = sharedCalls(async (key: string) => {
    const number = begun.push(key);
    await new Promise(setImmediate);
    if (number === 2) throw new Error('lost');
    return number;
  });
  const first = call('a');
  await Promise.resolve();
  const others = [call('a'), call('a'), call('b')];
  expect(await first).toBe(1);
  const ends = await Promise.allSettled(others);
  const third = await call('a');
  expect(begun.join('')).toBe('abaa');
  expect([ends.map(({ status }) => status), third]).toEqual([['fulfilled', 'fulfilled', 'rejected'], 4]);
});
