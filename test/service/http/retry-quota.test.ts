// How many retries one run can afford, and how it earns more.

import { expect, test } from 'vitest';
import { RetryQuota } from '../../../src/service/http/health.ts';

/** A quota after these: `t` is a retry after a time-out, `r` another one, `s` a success. */
function after(history: string): RetryQuota {
  const quota = new RetryQuota();
  for (const letter of history) {
    if (letter === 's') quota.earn();
    else quota.spend(letter === 't');
  }
  return quota;
}

test.each([
  { name: 'a new run can afford retries', history: '', retry: true, timeout: true },
  { name: 'the hundredth retry is the last', history: 'r'.repeat(99), retry: true, timeout: false },
  { name: 'after a hundred there is none', history: 'r'.repeat(100), retry: false, timeout: false },
  { name: 'a time-out costs twice as much', history: 't'.repeat(50), retry: false, timeout: false },
  { name: 'the fiftieth time-out is still paid for', history: 't'.repeat(49), retry: true, timeout: true },
  {
    name: 'four successes are not enough for another',
    history: `${'r'.repeat(100)}ssss`,
    retry: false,
    timeout: false,
  },
  { name: 'five successes pay for one retry', history: `${'r'.repeat(100)}sssss`, retry: true, timeout: false },
  {
    name: 'ten successes pay for one after a time-out',
    history: `${'r'.repeat(100)}${'s'.repeat(10)}`,
    retry: true,
    timeout: true,
  },
  { name: 'what is refused costs nothing', history: `${'r'.repeat(100)}sssstttts`, retry: true, timeout: false },
  {
    name: 'success cannot be saved up',
    history: `${'s'.repeat(1000)}${'r'.repeat(100)}`,
    retry: false,
    timeout: false,
  },
])('$name', ({ history, retry, timeout }) => {
  expect([after(history).spend(false), after(history).spend(true)]).toEqual([retry, timeout]);
});
