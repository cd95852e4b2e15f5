// How sure it is that nothing was sent, by what the platform throws.

import { describe, expect, test } from 'vitest';
import { ConnectError } from '../../src/service/http/exchange.ts';
import { mayHaveHappened } from '../../src/service/outcomes.ts';
import { transportFailure } from '../../src/service/http/thrown.ts';

const attempt = { method: 'POST', path: '/things', origin: 'https://x.test', timeoutMs: 1_000, isWrite: true } as const;

const failed = (code: string, syscall?: string) => Object.assign(new Error(code), { code, syscall });
const several = (...errors: readonly Error[]) => Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' });

const UNSENT: readonly (readonly [string, Error])[] = [
  ['a refused connection', failed('ECONNREFUSED', 'connect')],
  ['no way to the host', failed('EHOSTUNREACH', 'connect')],
  ['no way to the network', failed('ENETUNREACH', 'connect')],
  ['a connection that took too long', failed('ETIMEDOUT', 'connect')],
  ['a look-up that failed', failed('EAI_AGAIN', 'getaddrinfo')],
  ['a connection that undici gave up', failed('UND_ERR_CONNECT_TIMEOUT')],
  ['one of these as the cause', new TypeError('fetch failed', { cause: failed('ECONNREFUSED', 'connect') })],
  [
    'several addresses, none of them reached',
    several(failed('ECONNREFUSED', 'connect'), failed('EHOSTUNREACH', 'connect')),
  ],
  ['anything before there was a connection', new ConnectError(failed('ECONNRESET', 'read'))],
  ['the same without a code', new ConnectError(new Error('x'))],
];

const LOST: readonly (readonly [string, Error])[] = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'].flatMap((code) =>
    [undefined, 'read', 'write', 'recv', 'shutdown'].map(
      (call) => [`${code} of ${call ?? 'no call'}`, failed(code, call)] as const,
    ),
  ),
  ...['ENOTFOUND', 'EAI_AGAIN'].map((code) => [`${code} of read`, failed(code, 'read')] as const),
  ['a reset while it connected, as far as a code can tell', failed('ECONNRESET', 'read')],
  [
    'several addresses, one of them read from',
    several(failed('ECONNREFUSED', 'connect'), failed('ECONNRESET', 'read')),
  ],
  ['several addresses, of which one says nothing', several(failed('ECONNREFUSED', 'connect'), new Error('x'))],
  ['bytes that are no TLS, on a connection', failed('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['no address at all', several()],
  ['a code that is none', failed('hunter2 with spaces')],
];

describe('a write', () => {
  test.each(UNSENT)('was not sent: %s', (_, error) => {
    const found = transportFailure(attempt, error);
    expect([found.known, mayHaveHappened(found)]).toEqual(['unsent', false]);
  });

  test.each(LOST)('may have been done: %s', (_, error) => {
    const found = transportFailure(attempt, error);
    expect([found.known, mayHaveHappened(found)]).toEqual(['lost', true]);
    expect(found.message).not.toContain('hunter2');
  });

  test.each([
    ['an unknown name', failed('ENOTFOUND', 'getaddrinfo')],
    ['CERT_HAS_EXPIRED', failed('CERT_HAS_EXPIRED')],
    ['no TLS, before there was a connection', new ConnectError(failed('ERR_SSL_WRONG_VERSION_NUMBER'))],
  ])('was not sent, and never will be: %s', (_, error) => {
    const found = transportFailure(attempt, error);
    expect([found.known, mayHaveHappened(found)]).toEqual(['unreachable', false]);
  });
});
