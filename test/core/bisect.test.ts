// Counting by halves what holds at the beginning of a list.

import { expect, test } from 'vitest';
import { countWhile } from '../../src/core/bisect.ts';

test.each([
  { name: 'nothing holds among nothing', given: [[], 1], expect: 0 },
  { name: 'an equal one does not count', given: [[1, 5, 9], 5], expect: 1 },
  { name: 'those before the next one count', given: [[1, 5, 9], 6], expect: 2 },
  { name: 'none counts where the first does not', given: [[1, 5, 9], -1], expect: 0 },
  { name: 'all count where the last does', given: [[1, 5, 9], 10], expect: 3 },
  { name: 'the first of several equal ones ends the count', given: [[2, 2, 2], 2], expect: 0 },
] as const)('$name', ({ given: [ascending, least], expect: count }) => {
  expect(countWhile(ascending.length, (index) => (ascending[index] ?? 0) < least)).toBe(count);
});
