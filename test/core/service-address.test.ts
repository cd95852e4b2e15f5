// One service, written in several ways.

import { expect, test } from 'vitest';
import { isSameService, withoutSlash } from '../../src/core/service-address.ts';

test.each([
  { one: 'https://a.test', other: 'https://a.test', expect: true },
  { one: 'https://a.test', other: 'https://a.test/', expect: true },
  { one: 'https://a.test/v1', other: 'https://a.test/v1//', expect: true },
  { one: 'https://a.test', other: 'HTTPS://A.test:443/', expect: true },
  { one: 'https://a.test', other: 'http://a.test', expect: false },
  { one: 'https://a.test', other: 'https://a.test:444', expect: false },
  { one: 'https://a.test/v1', other: 'https://a.test/v2', expect: false },
  { one: 'https://a.test/v1', other: 'https://a.test/V1', expect: false },
  { one: 'no address', other: 'no address', expect: true },
  { one: 'no address', other: 'no address/', expect: false },
  { one: '', other: 'https://a.test', expect: false },
])('$one and $other are the same: $expect', ({ one, other, expect: expected }) => {
  expect([isSameService(one, other), isSameService(other, one)]).toEqual([expected, expected]);
});

test('what is no address stays as it is', () => {
  expect(withoutSlash('a/')).toBe('a/');
});
