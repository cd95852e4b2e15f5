// Which failure is sent again, how often and after which waits, for each method; and when sending again ends.

import { describe, expect, test } from 'vitest';
import type { ClientState } from '../../src/service/http/client-state.ts';
import { mayHaveHappened } from '../../src/service/outcomes.ts';
import type { ApiError } from '../../src/service/transport.ts';
import type { FakeExchange, Step } from '../support/fake-exchange.ts';
import { failureOf, fault, KEY, play, raw, refuse, reply, fakeExchange, timeout } from '../support/fake-exchange.ts';

const ITEM = { id: 'x_1' };
const METHODS = ['GET', 'LIST', 'POST', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/** One request of each kind. */
function ask({ reader, writer }: FakeExchange, method: Method): Promise<unknown> {
  if (method === 'GET') return reader.get('/things/x_1');
  if (method === 'LIST') return reader.list('/things', 'things');
  if (method === 'POST') return writer.write({ method, path: '/things', body: { name: 'n' } });
  return writer.write({ method, path: '/things/x_1', ...(method === 'PATCH' && { body: { name: 'n' } }) });
}

const fine: Step = ({ method, url }) => {
  if (method === 'DELETE') return raw(204, '');
  return reply(
    200,
    url.pathname.endsWith('/things') && method === 'GET' ? { things: [ITEM], next_page_uri: null } : ITEM,
  );
};
const html = (status: number): Step => raw(status, '<p>', { 'content-type': 'text/html' });

/** What becomes of a request that fails like this every time: tries, then how it ends. */
type End = readonly [tries: number, known: ApiError['known']];
/** That it succeeds when only the first try fails: 1 for no second try. */
interface Row {
  readonly name: string;
  readonly step: Step;
  readonly read: End;
  readonly write: End;
  readonly code: string;
}

const row = (name: string, step: Step, code: string, read: End, write: End): Row => ({ name, step, code, read, write });
const unsent = (code: string, syscall?: string): Row =>
  row(code, fault(code, { syscall }), 'api-unreachable', [6, 'unsent'], [5, 'unsent']);
const untrusted = (code: string): Row =>
  row(code, fault(code), 'api-unreachable', [1, 'unreachable'], [1, 'unreachable']);
const lost = (code: string): Row => row(code, fault(code), 'api-connection-lost', [6, 'lost'], [1, 'lost']);
const slow = (name: string, step: Step): Row => row(name, step, 'api-timeout', [6, 'lost'], [1, 'lost']);
const broken = (status: number): Row =>
  row(String(status), refuse(status), 'api-refused', [6, 'failed'], [1, 'failed']);
const early = (status: number): Row => row(String(status), refuse(status), 'api-refused', [6, 'unsent'], [5, 'unsent']);
const no = (status: number, code = 'api-refused'): Row =>
  row(String(status), refuse(status), code, [1, 'refused'], [1, 'refused']);
const odd = (name: string, step: Step, known: ApiError['known'] = 'unusable', tries = 1): Row =>
  row(name, step, 'api-not-understood', [tries, known], [1, known]);

const JSON_TYPE = { 'content-type': 'application/json' };
const rows: readonly Row[] = [
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'].map((code) => unsent(code, 'connect')),
  unsent('EAI_AGAIN', 'getaddrinfo'),
  { ...untrusted('ENOTFOUND'), step: fault('ENOTFOUND', { syscall: 'getaddrinfo' }) },
  unsent('UND_ERR_CONNECT_TIMEOUT'),
  ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'].map(untrusted),
  untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE'),
  { ...lost('EHOSTUNREACH'), name: 'EHOSTUNREACH of read', step: fault('EHOSTUNREACH', { syscall: 'read' }) },
  ...['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'HPE_INVALID_CONSTANT', 'EPROTO', 'EANYTHING'].map(lost),
  slow('a time-out', timeout()),
  slow('ETIMEDOUT of read', fault('ETIMEDOUT', { syscall: 'read' })),
  slow('time-out of headers', fault('UND_ERR_HEADERS_TIMEOUT')),
  slow('time-out of the body', fault('UND_ERR_BODY_TIMEOUT')),
  ...[408, 500, 502, 503, 504, 520].map(broken),
  ...[421, 425].map(early),
  row('421 of a gateway', html(421), 'api-refused', [6, 'unsent'], [5, 'unsent']),
  ...[400, 409, 412, 422].map((status) => no(status)),
  no(401, 'api-key-refused'),
  row('403', refuse(403), 'api-key-refused', [1, 'refused'], [1, 'refused']),
  row('501', refuse(501), 'api-refused', [1, 'refused'], [1, 'refused']),
  ...[301, 302, 303, 307, 308].map((s) => odd(`${s}`, raw(s, '', { location: 'https://evil.test/x' }))),
  odd('HTML 200', html(200)),
  odd('HTML 404', html(404)),
  odd('HTML 401', html(401)),
  odd('HTML 502', html(502), 'failed', 6),
  odd('JSON 404 of another service', reply(404, { message: 'no Route matched' })),
  odd('too large', { status: 200, headers: JSON_TYPE, bytes: undefined }),
  odd('too deep', raw(200, '['.repeat(65) + ']'.repeat(65), JSON_TYPE)),
  odd('a million levels', raw(200, '['.repeat(100_000) + ']'.repeat(100_000), JSON_TYPE)),
  odd('another charset', raw(200, '{}', { 'content-type': 'application/json; charset=utf-16' })),
  odd('text/json', raw(200, '{}', { 'content-type': 'text/json' })),
  odd('a second content type', raw(200, '{}', { 'content-type': 'application/json, text/html' })),
  odd('compressed', raw(200, '{}', { ...JSON_TYPE, 'content-encoding': 'gzip' })),
  odd('cut JSON', raw(200, '{"id":', JSON_TYPE), 'lost', 6),
  odd('a cut 404', raw(404, '{"status_code":', JSON_TYPE), 'lost', 6),
  odd('a cut 403', raw(403, '{"status_code":', JSON_TYPE)),
  odd('no bytes', raw(200, '', JSON_TYPE), 'lost', 6),
  odd('no UTF-8', raw(200, Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE), 'lost', 6),
];

describe.each(METHODS)('%s', (method) => {
  const isRead = method === 'GET' || method === 'LIST';

  test.each(rows.map((one) => [one.name, one] as const))('%s every time', async (_, { step, code, read, write }) => {
    const scene = fakeExchange([step]);
    const error = await failureOf(ask(scene, method));
    const [tries, known] = isRead ? read : write;
    // A service that refuses a read is a wrong key; a single write may be forbidden for other reasons.
    const expected = code === 'api-key-refused' && error.status === 403 && !isRead ? 'api-refused' : code;
    expect([scene.asked.length, error.known, error.code]).toEqual([tries, known, expected]);
    expect(error.message).not.toContain(KEY);
    expect(scene.clock.slept).toEqual([250, 500, 1000, 2000, 4000].slice(0, tries - 1));
    if (tries > 1) expect(error.message).toContain(`tried ${tries} times`);
  });

  test.each(rows.map((one) => [one.name, one] as const))('%s once', async (_, { step, read, write }) => {
    const scene = fakeExchange([step, fine]);
    const [tries] = isRead ? read : write;
    if (tries > 1) await ask(scene, method);
    else await failureOf(ask(scene, method));
    expect(scene.asked).toHaveLength(Math.min(tries, 2));
    expect(new Set(scene.asked.map(({ body, url }) => `${url.href} ${body}`)).size).toBe(1);
  });

  test('429 for a while', async () => {
    const scene = fakeExchange([...Array.from({ length: 12 }, () => refuse(429)), html(429), fine]);
    await ask(scene, method);
    expect(scene.asked).toHaveLength(14);
    // Up to 2, 4, 8, 16, 32 and then 60 seconds, and never less than one.
    expect(scene.clock.slept.filter((ms) => ms > 0)).toEqual([
      1500,
      2500,
      4500,
      8500,
      16_500,
      ...Array(8).fill(30_500),
    ]);
  });

  test('429 that says for how long', async () => {
    const scene = fakeExchange([refuse(429, { 'retry-after': '7' }), fine]);
    await ask(scene, method);
    expect(scene.clock.now()).toBeCloseTo(7350);
  });

  test('503 that says for how long', async () => {
    const scene = fakeExchange([refuse(503, { 'retry-after': '7' }), fine]);
    if (isRead) {
      await ask(scene, method);
      expect(scene.clock.now()).toBeCloseTo(7350);
      return;
    }
    const error = await failureOf(ask(scene, method));
    expect([mayHaveHappened(error), error.retryAfterMs, scene.asked.length]).toEqual([true, 7000, 1]);
  });
});

test('a 404 in the form of the service is the absence of an object, and a refusal for all else', async () => {
  expect(await ask(fakeExchange([refuse(404)]), 'GET')).toBeUndefined();
  for (const method of ['LIST', 'POST', 'PATCH', 'DELETE'] as const)
    expect((await failureOf(ask(fakeExchange([refuse(404)]), method))).status).toBe(404);
});

test('several addresses of a host that all time out were not reached', async () => {
  const [one] = [fault('ETIMEDOUT', { syscall: 'connect' }).cause];
  const all = Object.assign(new AggregateError([one, one], 'x'), { code: 'ETIMEDOUT' });
  expect((await failureOf(ask(fakeExchange([all]), 'POST'))).known).toBe('unsent');
  const mixed = Object.assign(new AggregateError([one, new Error('?')], 'x'), { code: 'ETIMEDOUT' });
  expect((await failureOf(ask(fakeExchange([mixed]), 'POST'))).known).toBe('lost');
});

describe('the end of the run', () => {
  const forEver = (headers = {}) => refuse(429, headers);

  test('429 for ever ends just before the deadline', async () => {
    const scene = fakeExchange([forEver()], { deadlineMs: 120_000 });
    const errors = await Promise.all(
      Array.from({ length: 10 }, () => failureOf(ask(scene, 'POST'))).concat(failureOf(ask(scene, 'LIST'))),
    );
    expect(scene.clock.now()).toBeLessThanOrEqual(120_000);
    expect(scene.clock.now()).toBeGreaterThan(115_000);
    for (const error of errors.slice(0, 10)) {
      expect([error.code, error.known, error.status]).toEqual(['service-throttled', 'throttled', 429]);
    }
    expect(scene.asked.length).toBeLessThan(100);
  });

  test.each(METHODS)('without a deadline 429 alone never ends a request: %s', async (method) => {
    const served = 3 * 3_600_000;
    const scene = fakeExchange((request) => play(scene.clock.now() < served ? refuse(429) : fine, request));
    await ask(scene, method);
    expect(scene.clock.now()).toBeGreaterThanOrEqual(served);
    expect(scene.asked.length).toBeLessThan(500);
  });

  test.each(['901', '86400', '9999999999'])('without a deadline Retry-After: %s is waited for', async (seconds) => {
    const scene = fakeExchange([refuse(429, { 'retry-after': seconds }), fine]);
    await ask(scene, 'POST');
    expect(scene.clock.now()).toBeGreaterThanOrEqual(1000 * Number(seconds));
    expect(scene.asked).toHaveLength(2);
  });

  test('"now" for ever is not asked without end', async () => {
    const scene = fakeExchange([forEver({ 'retry-after': '0' })], { deadlineMs: 60_000 });
    expect((await failureOf(ask(scene, 'POST'))).code).toBe('service-throttled');
    expect(scene.asked.length).toBeLessThan(30);
  });

  test('a wait that is longer than what is left is not begun, by nobody', async () => {
    const scene = fakeExchange([forEver({ 'retry-after': '61' })], { deadlineMs: 60_000 });
    const errors = await Promise.all(METHODS.map((method) => failureOf(ask(scene, method))));
    expect(scene.clock.now()).toBe(0);
    for (const error of errors) {
      expect(error.code).toBe('service-throttled');
    }
    // Two writes at a time: the third was never sent, and has no 429 of its own.
    expect(errors.map(({ known, status }) => [known, status])).toEqual([
      ...Array<unknown>(4).fill(['throttled', 429]),
      ['unsent', undefined],
    ]);
    expect(errors.at(-1)?.message).toMatch(/DELETE \S+ was not sent$/);
    expect(errors.at(-1)?.message).not.toContain('429');
    expect(errors.filter(mayHaveHappened)).toEqual([]);
    const asked = scene.asked.length;
    expect((await failureOf(ask(scene, 'POST'))).message).toContain('the run has no time left to wait');
    expect(scene.asked).toHaveLength(asked);
  });

  test('503 with a wait that is longer than what is left', async () => {
    const scene = fakeExchange([refuse(503, { 'retry-after': '61' })], { deadlineMs: 60_000 });
    const error = await failureOf(ask(scene, 'GET'));
    expect([scene.clock.now(), error.status, error.retryAfterMs]).toEqual([0, 503, 61_000]);
    expect(error.message).toContain('too long');
  });

  test('503 with a wait that no run has time for', async () => {
    const scene = fakeExchange([refuse(503, { 'retry-after': '3600' })]);
    expect((await failureOf(ask(scene, 'GET'))).message).toContain('too long');
    expect(scene.clock.now()).toBe(0);
  });

  test('nothing is sent after the deadline, and reads end with it', async () => {
    const scene = fakeExchange([fine], { deadlineMs: 10_000 });
    await ask(scene, 'GET');
    await ask(scene, 'POST');
    expect(scene.asked.map(({ timeoutMs }) => timeoutMs)).toEqual([10_000, 60_000]);
    await scene.clock.sleep(10_000);
    for (const method of METHODS) {
      const error = await failureOf(ask(scene, method));
      expect([error.code, error.known]).toEqual(['deadline-reached', 'unsent']);
    }
    expect(scene.asked).toHaveLength(2);
  });

  test('a signal ends every wait at once: back-off, pause and queue', async () => {
    const waits: readonly Step[] = [refuse(500), refuse(429, { 'retry-after': '60' })];
    for (const step of waits) {
      const controller = new AbortController();
      const scene = fakeExchange([step], { signal: controller.signal }, { concurrency: 1 });
      const all = [...METHODS, ...METHODS].filter((method) => method === 'GET' || method === 'LIST');
      const errors = Promise.all(all.map((method) => failureOf(ask(scene, method))));
      await scene.clock.sleep(1);
      controller.abort();
      for (const error of await errors) expect([error.code, error.known]).toEqual(['interrupted', 'unsent']);
      expect(scene.clock.now()).toBe(1);
    }
  });

  test('hundreds may wait for one signal, and the platform sees no leak in that', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const scene = fakeExchange([refuse(503), refuse(429), fine], { signal: new AbortController().signal });
    await Promise.all(Array.from({ length: 200 }, () => ask(scene, 'GET')));
    process.off('warning', onWarning);
    expect(warnings).toEqual([]);
  });

  test('a signal takes back reads that are under way, and lets writes come to their end', async () => {
    const controller = new AbortController();
    const scene = fakeExchange(
      async (request) => {
        await scene.clock.sleep(1000, request.signal);
        if (request.signal?.aborted === true) throw Object.assign(new Error('aborted'), { name: 'AbortError' });
        return play(fine, request);
      },
      { signal: controller.signal },
    );
    const read = failureOf(ask(scene, 'GET'));
    const write = ask(scene, 'POST');
    await scene.clock.sleep(1);
    controller.abort();
    expect((await read).code).toBe('interrupted');
    expect(await write).toEqual(ITEM);
    const late = await failureOf(ask(scene, 'POST'));
    expect([late.code, late.known]).toEqual(['interrupted', 'unsent']);
  });
});

describe('a service that is not well', () => {
  test('is not written to after five failures in a row on different resources', async () => {
    const scene = fakeExchange([...Array.from({ length: 5 }, () => refuse(502)), fine]);
    for (let i = 0; i < 5; i++) expect(mayHaveHappened(await failureOf(ask(scene, 'POST')))).toBe(true);
    const error = await failureOf(ask(scene, 'POST'));
    expect([error.code, error.known]).toEqual(['service-unhealthy', 'unsent']);
    expect(scene.asked).toHaveLength(5);
    // Reads go on, so that outcomes can be found; that they succeed says nothing about writes.
    await ask(scene, 'GET');
    expect((await failureOf(ask(scene, 'POST'))).code).toBe('service-unhealthy');
  });

  test.each<readonly [string, readonly Method[], number]>([
    ['the same resource again and again', Array<Method>(8).fill('PATCH'), 8],
    ['with a success in between', ['POST', 'POST', 'POST', 'POST', 'DELETE', 'POST', 'POST'], 7],
  ])('%s is no reason', async (_, methods, sent) => {
    const scene = fakeExchange((request) => play(request.method === 'DELETE' ? fine : fault('ECONNRESET'), request));
    for (const method of methods) await ask(scene, method).catch(() => undefined);
    expect(scene.asked).toHaveLength(sent);
  });

  test('a short outage while reading does not stop the writes after it', async () => {
    const scene = fakeExchange((request) => play(scene.clock.now() < 3000 ? refuse(503) : fine, request));
    await Promise.all(Array.from({ length: 12 }, (_, i) => scene.reader.get(`/things/x_${i}`).catch(() => undefined)));
    await ask(scene, 'POST');
  });
});

test('every attempt has its line, without values, and every further try is told', async () => {
  const events: Parameters<NonNullable<ClientState['onRetry']>>[0][] = [];
  const next = 'https://api.example.test/v1/things?before_id=secret-value&limit=2';
  const scene = fakeExchange(
    [
      refuse(500),
      fault('ECONNRESET'),
      refuse(429),
      reply(200, { things: [], next_page_uri: next }),
      reply(200, { things: [ITEM], next_page_uri: null }),
    ],
    { onRetry: (event) => events.push(event) },
    { pageSize: 2 },
  );
  await ask(scene, 'LIST');
  expect(scene.trace).toEqual([
    'GET /v1/things?limit 500 0 ms; again in 250 ms',
    'GET /v1/things?limit failed (lost) 0 ms; again in 500 ms',
    'GET /v1/things?limit 429 0 ms; all requests pause for 1500 ms',
    'GET /v1/things?limit 200 0 ms',
    'GET /v1/things?before_id&limit 200 0 ms',
  ]);
  expect(events).toEqual([
    { method: 'GET', path: '/v1/things?limit', why: '500', waitMs: 250 },
    { method: 'GET', path: '/v1/things?limit', why: 'api-connection-lost', waitMs: 500 },
    { method: 'GET', path: '/v1/things?limit', why: '429', waitMs: 1500 },
  ]);
});
