// One attempt: what goes out with it, and the class of what comes back.

import { describe, expect, test } from 'vitest';
import type { ApiRequest } from '../../../src/service/http/attempt.ts';
import { mayHaveHappened } from '../../../src/service/outcomes.ts';
import { attemptOf, attemptOnce } from '../../../src/service/http/attempt.ts';
import type { Exchange, HttpResponse } from '../../../src/service/http/exchange.ts';
import type { ClientSettings } from '../../../src/service/settings.ts';
import { fault, KEY, raw, refuse, reply, settingsOf } from '../../support/fake-exchange.ts';

const URL_OF = new URL('https://api.test/v1/things');
const GET: ApiRequest = { method: 'GET', url: URL_OF };
const POST: ApiRequest = { method: 'POST', url: URL_OF, body: { name: 'n' } };

/** Sends once; gives the request and the outcome. */
async function sent(target: ApiRequest, answer: HttpResponse | Error, settings: Partial<ClientSettings> = {}) {
  const asked: Parameters<Exchange>[0][] = [];
  const outcome = await attemptOnce(
    settingsOf(settings),
    (request) => {
      asked.push(request);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    target,
    { timeoutMs: 1_234 },
  );
  return { outcome, request: asked[0]! };
}

describe('what goes out', () => {
  test.each([
    { name: 'a read has no body and no type of one', target: GET, body: undefined, type: undefined },
    { name: 'a write has its body as JSON', target: POST, body: '{"name":"n"}', type: 'application/json' },
    {
      name: 'a deletion has no body',
      target: { method: 'DELETE', url: URL_OF } as const,
      body: undefined,
      type: undefined,
    },
  ])('$name', async ({ target, body, type }) => {
    const { request } = await sent(target, reply(200, {}));
    expect([request.body, request.headers['content-type']]).toEqual([body, type]);
  });

  test('every request has the key, the version and no wish for compression', async () => {
    const { request } = await sent(GET, reply(200, {}), { versionHeader: { name: 'X-Version', value: '3' } });
    expect(request.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'X-Version': '3',
      'accept-encoding': 'identity',
    });
    expect(request.timeoutMs).toBe(1_234);
  });
});

describe('how a request is called', () => {
  test.each([
    { name: 'by its path', url: 'https://api.test/v1/things', method: 'GET', path: '/v1/things', timeoutMs: 30_000 },
    {
      name: 'with names of its query and no values',
      url: 'https://api.test/v1/things?limit=2&before_id=probe',
      method: 'GET',
      path: '/v1/things?limit&before_id',
      timeoutMs: 30_000,
    },
    {
      name: 'as a write with the time of writes',
      url: 'https://api.test/v1/things',
      method: 'PATCH',
      path: '/v1/things',
      timeoutMs: 60_000,
    },
  ] as const)('$name', ({ url, method, path, timeoutMs }) => {
    const attempt = attemptOf(settingsOf(), { method, url: new URL(url) });
    expect(attempt).toEqual({ method, path, origin: 'https://api.test', timeoutMs, isWrite: method !== 'GET' });
  });
});

describe('an answer', () => {
  test.each([
    { name: 'of 200 is its JSON', answer: reply(200, { id: 'x' }), json: { id: 'x' } },
    { name: 'of 201 is its JSON', answer: reply(201, []), json: [] },
    { name: 'of an empty 204 is nothing', answer: raw(204, ''), json: null },
  ])('$name', async ({ answer, json }) => {
    expect((await sent(POST, answer)).outcome).toEqual({ answer: { status: answer.status, json } });
  });

  const html = { 'content-type': 'text/html' };
  test.each([
    {
      name: 'of an empty 200 broke off',
      answer: raw(200, '', { 'content-type': 'application/json' }),
      known: 'lost',
      code: 'api-not-understood',
    },
    {
      name: 'of 204 with something in it is not understood',
      answer: raw(204, 'x'),
      known: 'unusable',
      code: 'api-not-understood',
    },
    {
      name: 'that is a web page is not understood',
      answer: raw(200, '<p>', html),
      known: 'unusable',
      code: 'api-not-understood',
    },
    {
      name: 'of a proxy that fails may pass',
      answer: raw(502, '<p>', html),
      known: 'failed',
      code: 'api-not-understood',
    },
    {
      name: 'that is too large is not understood',
      answer: { status: 200, headers: {}, bytes: undefined },
      known: 'unusable',
      code: 'api-not-understood',
    },
    {
      name: 'that is compressed is not understood',
      answer: reply(200, {}, { 'content-encoding': 'gzip' }),
      known: 'unusable',
      code: 'api-not-understood',
    },
    {
      name: 'that leads elsewhere is not followed',
      answer: raw(302, '', { location: 'https://evil.test/probe' }),
      known: 'unusable',
      code: 'api-not-understood',
    },
    { name: 'of 400 is a refusal', answer: refuse(400), known: 'refused', code: 'api-refused' },
    {
      name: 'of 404 in JSON of another form is not understood',
      answer: reply(404, { error: 'probe' }),
      known: 'unusable',
      code: 'api-not-understood',
    },
    {
      name: 'of a 404 that broke off may be whole next time',
      answer: raw(404, '{', { 'content-type': 'application/json' }),
      known: 'lost',
      code: 'api-not-understood',
    },
    {
      name: 'of a 400 that broke off stays a refusal',
      answer: raw(400, '{', { 'content-type': 'application/json' }),
      known: 'unusable',
      code: 'api-not-understood',
    },
    { name: 'of 408 is a time-out', answer: refuse(408), known: 'failed', code: 'api-refused' },
    { name: 'of 429 turns the request away', answer: refuse(429), known: 'throttled', code: 'api-refused' },
    {
      name: 'of 429 from a proxy turns it away, too',
      answer: raw(429, '<p>', html),
      known: 'throttled',
      code: 'api-refused',
    },
    { name: 'of 501 says what the service is', answer: refuse(501), known: 'refused', code: 'api-refused' },
    { name: 'of 503 may pass', answer: refuse(503), known: 'failed', code: 'api-refused' },
    { name: 'of 507 may pass', answer: refuse(507), known: 'failed', code: 'api-refused' },
  ])('$name', async ({ answer, known, code }) => {
    const { outcome } = await sent(GET, answer);
    if (!('failure' in outcome)) throw new Error('it did not fail');
    expect([outcome.failure.known, outcome.failure.code]).toEqual([known, code]);
    expect(outcome.failure.message).not.toMatch(/probe/);
  });

  test('keeps how long the service asks to be left alone', async () => {
    const { outcome } = await sent(GET, refuse(429, { 'retry-after': '7' }));
    expect('failure' in outcome && outcome.failure.retryAfterMs).toBe(7_000);
  });

  test('that never came is a failure of the network', async () => {
    const { outcome } = await sent(POST, fault('ECONNRESET'));
    expect('failure' in outcome && [outcome.failure.known, mayHaveHappened(outcome.failure)]).toEqual(['lost', true]);
  });
});
