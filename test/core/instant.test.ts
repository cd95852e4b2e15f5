// The order of instants.

import { expect, test } from 'vitest';
import { compareInstants } from '../../src/core/instant.ts';

const AT = '2026-11-22T05:00:05';

test.each([
  [`${AT}.1Z`, `${AT}.18Z`, -1],
  [`${AT}Z`, `${AT}.1Z`, -1],
  [`${AT}.10Z`, `${AT}.1Z`, 0],
  [`${AT}.000Z`, `${AT}Z`, 0],
  [`${AT}.999Z`, '2026-11-22T05:00:06Z', -1],
  ['2026-11-22T06:00:05+01:00', `${AT}Z`, 0],
  ['2026-11-22T06:00:04+01:00', `${AT}Z`, -1],
  ['2025-01-01T00:30:00+01:00', '2024-12-31T23:30:00Z', 0],
  ['undefined', 'undefined', 0],
  ['a', 'b', -1],
])('%s and %s', (a, b, order) => {
  expect([Math.sign(compareInstants(a, b)), Math.sign(compareInstants(b, a))]).toEqual([
    order,
    order === 0 ? 0 : -order,
  ]);
});
