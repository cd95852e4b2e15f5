// What a failed request means for those that asked for it.

import { expect, test } from 'vitest';
import type { ApiErrorDetails } from '../../src/service/transport.ts';
import { ApiError, isNotAttempted } from '../../src/service/transport.ts';

test.each<Pick<ApiErrorDetails, 'code' | 'reach'> & { readonly is: boolean }>([
  { code: 'interrupted', reach: 'unsent', is: true },
  { code: 'deadline-reached', reach: 'unsent', is: true },
  { code: 'service-unhealthy', reach: 'unsent', is: true },
  { code: 'service-throttled', reach: 'throttled', is: true },
  // The retries of the run are spent: what was asked was answered, or may have arrived.
  { code: 'service-unhealthy', reach: 'answered', is: false },
  { code: 'service-unhealthy', reach: 'lost', is: false },
  { code: 'api-unreachable', reach: 'unsent', is: false },
  { code: 'api-refused', reach: 'throttled', is: false },
])('$code of a request that is $reach: not attempted is $is', ({ code, reach, is }) => {
  const details: ApiErrorDetails = { code, message: 'no', failure: 'rejected' };
  expect(isNotAttempted(new ApiError({ ...details, ...(reach && { reach }) }))).toBe(is);
});
