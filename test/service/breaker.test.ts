// When a service that failed is written to again.

import { describe, expect, test } from 'vitest';
import { Breaker } from '../../src/service/http/breaker.ts';

/** A breaker after so many failures of writes at time 0. */
function after(failures: number): Breaker {
  const breaker = new Breaker();
  for (let index = 0; index < failures; index++) breaker.failed(`r${index}`, 0, 0);
  return breaker;
}

describe('a service that failed on several objects', () => {
  test('is written to until the fifth', () => {
    expect([4, 5].map((failures) => after(failures).isOpen(1))).toEqual([false, true]);
  });
  test('is not judged by what was under way together', () => {
    const breaker = new Breaker();
    for (let index = 0; index < 32; index++) breaker.failed(`r${index}`, 0, 50 + index);
    expect(breaker.isOpen(100)).toBe(false);
    for (let index = 0; index < 4; index++) breaker.failed(`s${index}`, 100 + index, 100 + index);
    expect(breaker.isOpen(104)).toBe(true);
  });
  test('is tried by one write after a rest, and by one more after another rest', () => {
    const breaker = after(5);
    const isOpen = [1_999, 2_000, 2_001, 3_999, 4_000].map((now) => breaker.isOpen(now));
    expect(isOpen).toEqual([true, false, true, true, false]);
  });
  test('is well when a write is answered', () => {
    const breaker = after(5);
    breaker.answered();
    expect(breaker.isOpen(1)).toBe(false);
  });
});
