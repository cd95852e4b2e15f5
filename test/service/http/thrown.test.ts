import { describe, expect, test } from 'vitest';
import { ConnectError } from '../../../src/service/http/exchange.ts';
import { errorCode, isTimeout, lastingMessage, notSentMessage } from '../../../src/service/http/thrown.ts';

const error = (code: string, more: object = {}) => Object.assign(new Error('said'), { code, ...more });
const wrapped = (cause: unknown) => new Error('fetch failed', { cause });

describe('notSentMessage', () => {
  test.each([
    { name: 'a refused connection', given: error('ECONNREFUSED', { syscall: 'connect' }), says: /refused/ },
    { name: 'the same code of a later call', given: error('ECONNREFUSED', { syscall: 'read' }), says: undefined },
    {
      name: 'an unknown host inside',
      given: wrapped(error('ENOTFOUND', { syscall: 'getaddrinfo' })),
      says: /not known/,
    },
    { name: 'a reason of ours', given: new ConnectError(undefined, 'a proxy'), says: /^a proxy/ },
    { name: 'a reset', given: error('ECONNRESET'), says: undefined },
    { name: 'a reset before any connection', given: new ConnectError(error('ECONNRESET')), says: /no connection/ },
    {
      name: 'several addresses, none reached',
      given: { errors: [error('EHOSTUNREACH', { syscall: 'connect' }), error('ENETUNREACH', { syscall: 'connect' })] },
      says: /host cannot be reached/,
    },
    {
      name: 'several addresses, one perhaps reached',
      given: { errors: [error('EHOSTUNREACH', { syscall: 'connect' }), error('ECONNRESET')] },
      says: undefined,
    },
    { name: 'a code that is the name of a member', given: error('toString'), says: undefined },
    { name: 'no error', given: null, says: undefined },
  ])('$name', ({ given, says }) => {
    const told = notSentMessage(given);
    if (says === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(says);
  });
});

describe('lastingMessage', () => {
  test.each([
    { name: 'an expired certificate', given: wrapped(error('CERT_HAS_EXPIRED')), lasts: true },
    {
      name: 'no TLS before a connection was made',
      given: new ConnectError(error('ERR_SSL_WRONG_VERSION_NUMBER')),
      lasts: true,
    },
    { name: 'no TLS later', given: error('ERR_SSL_WRONG_VERSION_NUMBER'), lasts: false },
    { name: 'a reset', given: error('ECONNRESET'), lasts: false },
  ])('$name', ({ given, lasts }) => {
    expect(lastingMessage(given) !== undefined).toBe(lasts);
  });
});

test.each([
  { name: 'the nearest code', given: wrapped(wrapped(error('EPIPE'))), code: 'EPIPE' },
  { name: 'no words of anybody else', given: error('a secret, perhaps'), code: '' },
  { name: 'nothing', given: undefined, code: '' },
])('the code of an error: $name', ({ given, code }) => {
  expect(errorCode(given)).toBe(code);
});

test.each([
  [error('UND_ERR_BODY_TIMEOUT'), true],
  [Object.assign(new Error('late'), { name: 'TimeoutError' }), true],
  [error('ECONNRESET'), false],
])('%s is a timeout: %s', (given, is) => {
  expect(isTimeout(given)).toBe(is);
});
