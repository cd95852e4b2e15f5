// Reading is complete or it is an error: pages that lie, links that lead away, and answers about something else.

import { knownSecrets } from '../../src/core/secrets/known.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { describe, expect, test } from 'vitest';
import { BugError } from '../../src/core/diagnostic.ts';
import { BASE_URL, failureOf, KEY, raw, refuse, reply, fakeExchange } from '../support/fake-exchange.ts';
import type { FakeExchange } from '../support/fake-exchange.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const THINGS = `${BASE_URL}/things`;
const read = (scene: FakeExchange) => scene.reader.list('/things', 'things');
const ids = (list: readonly { readonly [name: string]: unknown }[]) => list.map(({ id }) => id);
const item = (id: string) => ({ id });

test('a list that is null is empty', async () => {
  const scene = fakeExchange([reply(200, { things: null, next_page_uri: null })]);
  expect((await read(scene)).items).toEqual([]);
});

describe('an answer that is no list is an error, never an empty list', () => {
  test.each<readonly [string, unknown, string]>([
    ['nothing but braces', {}, 'no list under "things"'],
    ['no list key', { next_page_uri: null }, 'no list under "things"'],
    ['another list key', { items: [], next_page_uri: null }, 'no list under "things"'],
    ['object for a list', { things: {}, next_page_uri: null }, 'no list under "things"'],
    ['text for a list', { things: '[]', next_page_uri: null }, 'no list under "things"'],
    ['array at the top', [item('t_1')], 'not an object'],
    ['empty array at the top', [], 'not an object'],
    ['null', null, 'not an object'],
    ['text', 'things', 'not an object'],
    ['number', 0, 'not an object'],
    ['item without id', { things: [item('t_1'), { name: 'x' }] }, 'things.1 is not an object with an id'],
    ['item with an empty id', { things: [item('')] }, 'things.0 is not an object with an id'],
    ['item with a number for an id', { things: [{ id: 7 }] }, 'things.0 is not an object with an id'],
    ['item that is null', { things: [null] }, 'things.0 is not an object with an id'],
    ['item that is a list', { things: [[]] }, 'things.0 is not an object with an id'],
    ['item that is text', { things: ['t_1'] }, 'things.0 is not an object with an id'],
    ['an id twice', { things: [item('t_1'), item('t_2'), item('t_1')] }, 'things.2 appears twice on the page'],
    ['no word of a next page', { things: [] }, 'the page has no next_page_uri'],
    ['next page that is a number', { things: [], next_page_uri: 2 }, 'next_page_uri'],
    ['next page that is an object', { things: [], next_page_uri: {} }, 'next_page_uri'],
    ['next page that is false', { things: [], next_page_uri: false }, 'next_page_uri'],
    ['next page that is empty text', { things: [], next_page_uri: '' }, 'loop'],
  ])('%s', async (_, body, why) => {
    const scene = fakeExchange([reply(200, body)]);
    const error = await failureOf(read(scene));
    expect([error.code, error.known]).toEqual(['api-not-understood', 'unusable']);
    expect(error.message).toContain(why);
    expect(scene.asked).toHaveLength(1);
  });

  test.each<readonly [string, string]>([
    ['the list key in a prototype', '{"__proto__":{"things":[]}}'],
    ['an id in a prototype', '{"things":[{"__proto__":{"id":"t_1"}}]}'],
    ['an id by name of a prototype', '{"things":[{"constructor":{"id":"t_1"}}]}'],
  ])('%s', async (_, text) => {
    expect((await failureOf(read(fakeExchange([raw(200, text, JSON_TYPE)])))).code).toBe('api-not-understood');
  });

  test('names of prototypes are data like any other, and change nothing', async () => {
    const text =
      '{"things":[{"id":"t_1","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}],"next_page_uri":null}';
    const { items } = await read(fakeExchange([raw(200, text, JSON_TYPE)]));
    expect(ids(items)).toEqual(['t_1']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
    expect(text).toContain(JSON.stringify(items));
  });
});

test.each([
  ['a byte order mark', raw(200, '\ufeff{"things":[{"id":"t_1"}],"next_page_uri":null}', JSON_TYPE)],
  [
    'a charset',
    raw(200, '{"things":[{"id":"t_1"}],"next_page_uri":null}', { 'content-type': 'application/json; charset="UTF-8"' }),
  ],
  [
    'a charset after others',
    raw(200, '{"things":[{"id":"t_1"}],"next_page_uri":null}', {
      'content-type': 'application/json;v=1; charset= utf-8',
    }),
  ],
  [
    'another JSON type',
    raw(200, '{"things":[{"id":"t_1"}],"next_page_uri":null}', { 'content-type': 'application/problem+json' }),
  ],
  [
    '64 levels',
    raw(200, `{"things":[{"id":"t_1","x":${'['.repeat(61)}${']'.repeat(61)}}],"next_page_uri":null}`, JSON_TYPE),
  ],
  ['unknown members', reply(200, { things: [{ id: 't_1', new: { a: [1] } }], more: 1, next_page_uri: null })],
])('%s is no problem', async (_, answer) => {
  expect(ids((await read(fakeExchange([answer]))).items)).toEqual(['t_1']);
});

test('65 levels are one too many', async () => {
  const answer = raw(200, `{"things":[{"id":"t_1","x":${'['.repeat(62)}${']'.repeat(62)}}]}`, JSON_TYPE);
  expect((await failureOf(read(fakeExchange([answer])))).message).toContain('deeper than 64');
});

describe('a next page that is not followed', () => {
  test.each([
    'https://evil.test/v1/things',
    'https://evil.test/v1/things?before_id=t_1',
    '//evil.test/v1/things',
    '///evil.test/v1/things',
    'http://api.example.test/v1/things',
    'https://api.example.test:8443/v1/things',
    'https://api.example.test:80/v1/things',
    'https://api.example.test.evil.test/v1/things',
    'https://api.example.test./v1/things',
    'https://evil-api.example.test/v1/things',
    'https://example.test/v1/things',
    'https://api.example.test@evil.test/v1/things',
    'https://user@api.example.test/v1/things',
    'https://user:pass@api.example.test/v1/things',
    'https://:pass@api.example.test/v1/things',
    'https://api.example.test\\@evil.test/v1/things',
    '\\\\evil.test\\v1\\things',
    '/\\evil.test/v1/things',
    'https://аpi.example.test/v1/things',
    'https://xn--pi-7kc.example.test/v1/things',
    'https://api.example.test/v1/others',
    'https://api.example.test/v1/things/t_1',
    'https://api.example.test/v1/things/',
    'https://api.example.test/v1/things/../others',
    'https://api.example.test/v1/things/%2e%2e/others',
    'https://api.example.test/v1/%74hings2',
    'https://api.example.test/V1/things',
    'https://api.example.test/v1/v1/things',
    'https://api.example.test/',
    '/things',
    'others',
    '../others',
    'javascript:alert(1)',
    'data:application/json,{"things":[]}',
    'file:///etc/passwd',
    'ftp://api.example.test/v1/things',
    'ws://api.example.test/v1/things',
    'blob:https://api.example.test/v1/things',
    'http://169.254.169.254/v1/things',
    'http://[::1]/v1/things',
    'https://2130706433/v1/things',
    ' https://evil.test/v1/things',
    'https://api.example.test/v1/things\n?x',
    'https://',
    '%68ttps://evil.test/',
  ])('%j', async (next) => {
    const scene = fakeExchange([
      reply(200, { things: [], next_page_uri: next }),
      reply(200, { things: [], next_page_uri: null }),
    ]);
    const error = await failureOf(read(scene));
    expect(error.code).toBe('api-not-understood');
    expect(scene.asked.map(({ url }) => url.href)).toEqual([THINGS]);
    expect(error.message).not.toContain('before_id');
    expect(error.message).not.toContain('pass');
    expect(error.message).not.toContain(KEY);
  });

  test.each([
    'https://api.example.test/v1/things?before_id=t_1',
    'HTTPS://API.EXAMPLE.TEST/v1/things?before_id=t_1',
    'https://api.example.test:443/v1/things?before_id=t_1',
    '/v1/things?before_id=t_1',
    '?before_id=t_1',
    'things?before_id=t_1',
  ])('but %j is', async (next) => {
    const scene = fakeExchange([
      reply(200, { things: [], next_page_uri: next }),
      reply(200, { things: [item('t_2')], next_page_uri: null }),
    ]);
    expect(ids((await read(scene)).items)).toEqual(['t_2']);
    expect(scene.asked.map(({ url }) => url.href)).toEqual([THINGS, `${THINGS}?before_id=t_1`]);
    for (const { headers } of scene.asked) expect(headers['authorization']).toBe(`Bearer ${KEY}`);
  });
});

describe('pages', () => {
  const page = (things: readonly string[], next?: string) =>
    reply(200, { things: things.map(item), next_page_uri: next === undefined ? null : `${THINGS}?${next}` });

  test('an empty page with a successor is not the end', async () => {
    const scene = fakeExchange([page([], 'a'), page(['t_1'], 'b'), page([], 'c'), page([], 'd'), page(['t_2'])]);
    const { items, requests, shifted } = await read(scene);
    expect([ids(items), requests, shifted]).toEqual([['t_1', 't_2'], 5, false]);
  });

  test('the same page again is a loop', async () => {
    const scene = fakeExchange([page(['t_1'], '')]);
    expect((await failureOf(read(scene))).message).toContain('loop');
  });

  test('A, B, A is a loop', async () => {
    const scene = fakeExchange([page(['t_1'], 'a'), page(['t_2'], 'b'), page(['t_3'], 'a')]);
    expect((await failureOf(read(scene))).message).toContain('loop');
    expect(scene.asked).toHaveLength(3);
  });

  test('new links to the same objects are told from a list', async () => {
    let count = 0;
    const scene = fakeExchange(() => Promise.resolve(page(['t_1', 't_2'], `page=${count++}`)));
    expect((await failureOf(read(scene))).message).toContain('repeats');
    expect(scene.asked.length).toBeLessThan(5);
  });

  test('a million pages are too many', async () => {
    let count = 0;
    const scene = fakeExchange(() => Promise.resolve(page([], `page=${count++}`)));
    expect((await failureOf(read(scene))).message).toContain('more than 10000 pages');
    expect(scene.asked).toHaveLength(10_000);
  });

  test('an object on two pages is kept once, as it was later, and the list is marked', async () => {
    const second = reply(200, { things: [{ id: 't_2', name: 'new' }, item('t_3')], next_page_uri: null });
    const scene = fakeExchange([
      reply(200, { things: [item('t_1'), item('t_2')], next_page_uri: `${THINGS}?a` }),
      second,
    ]);
    const { items, shifted } = await read(scene);
    expect(items).toEqual([{ id: 't_1' }, { id: 't_2', name: 'new' }, { id: 't_3' }]);
    expect(shifted).toBe(true);
  });

  test.each([401, 403, 404, 400, 501])('%i on a later page is no end of the list', async (status) => {
    const scene = fakeExchange([page(['t_1'], 'a'), refuse(status)]);
    expect((await failureOf(read(scene))).status).toBe(status);
  });

  test('a page that breaks off is read again, and only that page', async () => {
    const scene = fakeExchange([page(['t_1'], 'a'), raw(200, '{"things":[{"id"', JSON_TYPE), page(['t_2'])]);
    expect(ids((await read(scene)).items)).toEqual(['t_1', 't_2']);
    expect(scene.asked.map(({ url }) => url.search)).toEqual(['', '?a', '?a']);
  });
});

describe('one object', () => {
  test.each<readonly [string, unknown]>([
    ['another object', item('t_2')],
    ['an id that only begins alike', item('t_12')],
    ['no id', { name: 't_1' }],
    ['a number', { id: 1 }],
    ['a list', [item('t_1')]],
    ['a list answer', { things: [item('t_1')] }],
    ['null', null],
    ['an id in a prototype', JSON.parse('{"__proto__":{"id":"t_1"}}')],
  ])('%s is not what was asked for', async (_, body) => {
    const error = await failureOf(fakeExchange([reply(200, body)]).reader.get('/things/t_1'));
    expect([error.code, error.known]).toEqual(['api-not-understood', 'unusable']);
  });

  test('of a parent is known by the last id', async () => {
    expect(await fakeExchange([reply(200, item('r_1'))]).reader.get('/things/t_1/parts/r_1')).toEqual({ id: 'r_1' });
  });

  test.each([
    '/things/t%201',
    '/things/../keys/t_1',
    '/things/t_1?x=1',
    '/things//t_1',
    '/things/',
    't_1',
    '//a.test/t',
  ])('at %s is never asked for: a parser of URLs may read that differently', async (path) => {
    const { reader, writer, asked } = fakeExchange([reply(200, item('t_1'))]);
    await expect(async () => reader.get(path)).rejects.toThrow(BugError);
    await expect(async () => reader.list(path, 'things')).rejects.toThrow(BugError);
    await expect(async () => writer.write({ method: 'DELETE', path })).rejects.toThrow(BugError);
    expect(asked).toEqual([]);
  });

  test.each<readonly [string, ReturnType<typeof raw>]>([
    ['HTML', raw(404, '<p>', { 'content-type': 'text/html' })],
    ['nothing', raw(404, '', JSON_TYPE)],
    ['other JSON', reply(404, { message: 'no Route matched with those values' })],
    ['a list', reply(404, [])],
    ['an answer too large', { status: 404, headers: JSON_TYPE, bytes: undefined }],
    ['an empty 204', raw(204, '')],
  ])('is not gone because of %s', async (_, answer) => {
    expect((await failureOf(fakeExchange([answer]).reader.get('/things/t_1'))).code).toBe('api-not-understood');
  });

  test('is gone when the service says so in its own form', async () => {
    expect(await fakeExchange([refuse(404)]).reader.get('/things/t_1')).toBeUndefined();
  });
});

test('what the service says is cut before it is told, and only what is secret is masked', async () => {
  const hostport = 'edge.example.com:443';
  const secret = new Secret('hunter2-hunter2');
  const msg = `bad ${KEY}\u001b[31m ${secret.reveal()}, ${hostport} is already in use ${'x'.repeat(500)}`;
  const scene = fakeExchange([reply(400, { status_code: 400, error_code: 'E', msg })]);
  const body = { secret: secret.reveal(), hostports: [hostport] };
  const error = await failureOf(scene.writer.write({ method: 'POST', path: '/things', body }));
  expect(error.message).toContain(`E: bad (sensitive) [31m (sensitive), ${hostport} is already in use xxx`);
  expect(error.message.length).toBeLessThan(500);
  expect(JSON.stringify([error, scene.trace])).not.toContain(KEY);
});

describe('a secret that the service repeats where a parser writes it anew', () => {
  const SECRET = 'S3cr3tValue42X';
  const wide = SECRET.replace(/./g, (one) => String.fromCodePoint((one.codePointAt(0) ?? 0) + 0xfee0));
  const moved = (location: string) => raw(302, '', { location });
  const next = (uri: string) => reply(200, { things: [], next_page_uri: uri });
  const half = `${'x'.repeat(88)}${KEY}`;

  test.each<readonly [string, readonly ReturnType<typeof raw>[]]>([
    ['the host of a redirect', [moved(`https://${SECRET}.evil.test/`)]],
    ['the host of a redirect without a scheme', [moved(`//${SECRET}.evil.test/`)]],
    ['the host of a redirect, with a tab', [moved(`https://S3cr3t\tValue42X.evil.test/`)]],
    ['the host of a redirect, in wide letters', [moved(`https://${wide}.evil.test/`)]],
    ['the host of a redirect, where it is cut', [moved(`https://${half}.evil.test/`)]],
    ['the host of a next page', [next(`https://${SECRET}.evil.test/v1/things`)]],
    ['the host of a next page, in wide letters', [next(`https://${wide}.evil.test/v1/things`)]],
    ['a name in the query of a next page', [next(`?${half}=1`), refuse(500)]],
    ['a media type', [raw(200, '', { 'content-type': `application/${SECRET}` })]],
    ['a media type of an error', [raw(404, '{}', { 'content-type': `application/${SECRET}+json` })]],
  ])('is not in the message: %s', async (_, steps) => {
    new Secret(SECRET);
    const scene = fakeExchange(steps);
    const { message } = await failureOf(read(scene));
    expect(knownSecrets.mask([message, ...scene.trace].join('\n')).normalize('NFKC')).not.toMatch(/s3cr|cana/i);
  });
});

test('a secret that is a word of the protocol changes nothing of how answers are read', async () => {
  for (const word of ['json', 'application', 'things', 'https', 'next', 'before_id']) new Secret(word);
  const scene = fakeExchange([
    reply(200, { things: [], next_page_uri: `${THINGS}?before_id=t_1` }),
    reply(200, { things: [item('t_2')], next_page_uri: null }),
  ]);
  expect(ids((await read(scene)).items)).toEqual(['t_2']);
});

test('a gateway that turns away in another form is described', async () => {
  const scene = fakeExchange([reply(429, { message: 'hunter2-echo' })], { deadlineMs: 5_000 });
  const { message } = await failureOf(scene.reader.get('/things/t_1'));
  expect(message).toContain('429');
  expect(message).not.toContain('hunter2');
});
