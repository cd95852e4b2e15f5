// When a service that failed is written to again.

import { describe, expect, test } from 'vitest';
import { Breaker } from '../../src/service/http/breaker.ts';

/** A breaker after so many failures of writes at time 0. */
function after(failures: number): Breaker {
  const breaker = new Breaker();
  for (let index = 0; index < failures; index++) breaker.failed(true, `r${index}`, 0);
  return breaker;
}

describe('a service that failed on several objects', () => {
  test('is written to until the fifth', () => {
    expect([4, 5].map((failures) => after(failures).obstacle(true, 1) !== undefined)).toEqual([false, true]);
  });
  test('is tried by one write after a rest, and by one more after another rest', () => {
    const breaker = after(5);
    expect([1_999, 2_000, 2_001, 3_999, 4_000].map((now) => breaker.obstacle(true, now) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });
  test('is well when a write is answered', () => {
    const breaker = after(5);
    breaker.answered(true);
    expect(breaker.obstacle(true, 1) !== undefined).toBe(false);
  });
  test('is not well because a read is answered', () => {
    const breaker = after(5);
    breaker.answered(false);
    expect(breaker.obstacle(true, 1) !== undefined).toBe(true);
  });
});
