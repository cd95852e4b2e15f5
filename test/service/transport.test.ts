// What a failed request means for those that asked for it.

import { expect, test } from 'vitest';
import type { ApiErrorDetails } from '../../src/service/transport.ts';
import { ApiError, isNotAttempted } from '../../src/service/transport.ts';

test.each<Pick<ApiErrorDetails, 'code' | 'known'> & { readonly is: boolean }>([
  { code: 'interrupted', known: 'unsent', is: true },
  { code: 'deadline-reached', known: 'unsent', is: true },
  { code: 'service-unhealthy', known: 'unsent', is: true },
  { code: 'service-throttled', known: 'throttled', is: true },
  // The retries of the run are spent: what was asked was answered, or may have arrived.
  { code: 'service-unhealthy', known: 'refused', is: false },
  { code: 'service-unhealthy', known: 'lost', is: false },
  { code: 'api-unreachable', known: 'unsent', is: false },
  { code: 'api-refused', known: 'throttled', is: false },
])('$code of a request that is $known: not attempted is $is', ({ code, known, is }) => {
  expect(isNotAttempted(new ApiError({ code, message: 'no', known, type: 'change' }))).toBe(is);
});
