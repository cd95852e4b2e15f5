// When a service that failed is written to again.

import { describe, expect, test } from 'vitest';
import { Circuit } from '../../src/service/http/health.ts';

/** A circuit after so many failures of writes at time 0. */
function after(failures: number): Circuit {
  const circuit = new Circuit();
  for (let index = 0; index < failures; index++) circuit.failed(true, `r${index}`, 0);
  return circuit;
}

describe('a service that failed on several objects', () => {
  test('is written to until the fifth', () => {
    expect([4, 5].map((failures) => after(failures).isOpen(1))).toEqual([false, true]);
  });
  test('is tried by one write after a rest, and by one more after another rest', () => {
    const circuit = after(5);
    expect([1_999, 2_000, 2_001, 3_999, 4_000].map((now) => circuit.isOpen(now))).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });
  test('is well when a write is answered', () => {
    const circuit = after(5);
    circuit.answered(true);
    expect(circuit.isOpen(1)).toBe(false);
  });
  test('is not well because a read is answered', () => {
    const circuit = after(5);
    circuit.answered(false);
    expect(circuit.isOpen(1)).toBe(true);
  });
});
