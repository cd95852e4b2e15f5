// What an error of the platform says of a request, in words: nothing of anybody else is repeated.

import { expect, test } from 'vitest';
import { ConnectError } from '../../../src/service/http/exchange.ts';
import { transportFailure } from '../../../src/service/http/thrown.ts';

const attempt = { method: 'GET', path: '/things', origin: 'https://x.test', timeoutMs: 1_000, isWrite: false } as const;
const error = (code: string, more: object = {}) => Object.assign(new Error('said'), { code, ...more });
const wrapped = (cause: unknown) => new Error('fetch failed', { cause });
const connect = (code: string) => error(code, { syscall: 'connect' });

test.each([
  {
    name: 'a refused connection',
    given: connect('ECONNREFUSED'),
    known: 'unsent',
    says: /: the connection was refused \(E/,
  },
  {
    name: 'the same code of a later call',
    given: error('ECONNREFUSED', { syscall: 'read' }),
    known: 'lost',
    says: /broke/,
  },
  {
    name: 'an unknown host inside',
    given: wrapped(error('ENOTFOUND', { syscall: 'getaddrinfo' })),
    known: 'refused',
    says: /: the host name is not known \(ENOTFOUND\)$/,
  },
  {
    name: 'a reason of ours',
    given: new ConnectError(undefined, 'a proxy', 'there: '),
    known: 'unsent',
    says: /: there: a proxy$/,
  },
  { name: 'a reset', given: error('ECONNRESET'), known: 'lost', says: /broke during GET \/things \(ECONNRESET\)$/ },
  {
    name: 'a reset before any connection',
    given: new ConnectError(error('ECONNRESET')),
    known: 'unsent',
    says: /no connection/,
  },
  {
    name: 'several addresses, none reached',
    given: { errors: [connect('EHOSTUNREACH'), connect('ENETUNREACH')] },
    known: 'unsent',
    says: /host cannot be reached/,
  },
  {
    name: 'several addresses, one perhaps reached',
    given: { errors: [connect('EHOSTUNREACH'), error('ECONNRESET')] },
    known: 'lost',
    says: /broke/,
  },
  { name: 'a code that is the name of a member', given: error('toString'), known: 'lost', says: /broke/ },
  { name: 'no error', given: null, known: 'lost', says: /broke during GET \/things$/ },
  {
    name: 'an expired certificate',
    given: wrapped(error('CERT_HAS_EXPIRED')),
    known: 'refused',
    says: /certificate .*CERT_/,
  },
  {
    name: 'no TLS before a connection was made',
    given: new ConnectError(error('ERR_SSL_WRONG_VERSION_NUMBER')),
    known: 'refused',
    says: /not speak TLS/,
  },
  { name: 'no TLS later', given: error('ERR_SSL_WRONG_VERSION_NUMBER'), known: 'lost', says: /broke/ },
  { name: 'the nearest code', given: wrapped(wrapped(error('EPIPE'))), known: 'lost', says: /\(EPIPE\)$/ },
  {
    name: 'no words of anybody else',
    given: error('a secret, perhaps'),
    known: 'lost',
    says: /broke during GET \/things$/,
  },
  { name: 'a body that was late', given: error('UND_ERR_BODY_TIMEOUT'), known: 'lost', says: /within 1 s$/ },
  {
    name: 'a time-out without a code',
    given: Object.assign(new Error('late'), { name: 'TimeoutError' }),
    known: 'lost',
    says: /within 1 s$/,
  },
])('$name', ({ given, known, says }) => {
  const found = transportFailure(attempt, given);
  expect(found.known).toBe(known);
  expect(found.error.message).toMatch(says);
});
