// What the calls of a forge's API do when the answer is late, broken, or not what was asked for.

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
// @ts-expect-error A script without types.
import { createClient } from '../../.github/actions/lib/forges/rest.mjs';
// @ts-expect-error A script without types.
import { refusals } from '../../.github/actions/lib/forges/github.mjs';

interface Client {
  request(method: string, path: string, body?: object, options?: { readonly once: boolean }): Promise<unknown>;
}
type Respond = (response: ServerResponse) => void;

const ends =
  (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Respond =>
  (response) => {
    response.writeHead(status, headers).end(text);
  };
const breaksOff: Respond = (response) => {
  response.writeHead(200, { 'content-length': '500' }).write('{"id":');
  setTimeout(() => response.destroy(), 20);
};

async function ask(method: string, once: boolean, answers: readonly Respond[], more: object = {}) {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    (answers[asked - 1] ?? ends(200, '{"id":1}'))(response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
  const client = (createClient as (options: object) => Client)({
    base,
    headers: {},
    hints: { 403: 'RIGHTS' },
    delay: 1,
    ...more,
  });
  const said = await client
    .request(method, 'x', {}, { once })
    .catch((error: unknown) => (error as Error).message.replace(base, 'BASE'));
  server.closeAllConnections();
  server.close();
  return [said, asked];
}

const DONE = { id: 1 };
test.each<readonly [string, string, boolean, readonly Respond[], unknown, number]>([
  ['too many requests', 'POST', true, [ends(429, '')], DONE, 2],
  ['too many requests, as GitHub says it', 'POST', true, [ends(403, '', { 'x-ratelimit-remaining': '0' })], DONE, 2],
  ['a right that is missing', 'POST', true, [ends(403, 'no')], expect.stringContaining('(RIGHTS)'), 1],
  ['an answer that breaks off', 'PATCH', false, [breaksOff], DONE, 2],
  ['an answer with a byte order mark', 'PATCH', false, [ends(200, '\ufeff{"id":1}')], DONE, 1],
  [
    'an answer that breaks off, to what must be sent once',
    'POST',
    true,
    [breaksOff],
    expect.stringMatching(/no answer/),
    1,
  ],
  [
    'a page for people',
    'PATCH',
    false,
    [ends(200, '<html>')],
    expect.stringMatching(/^PATCH BASE\/x: 200: not JSON: <html> \(is/),
    1,
  ],
  ['an error of the server, to what must be sent once', 'POST', true, [ends(502, '')], expect.stringMatching(/502/), 1],
])('%s', async (_name, method, once, answers, said, asked) => {
  expect(await ask(method, once, answers)).toEqual([said, asked]);
});

describe('a limit of requests', () => {
  const after = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds);
  const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();
  const used = (seconds: number) => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': after(seconds) });

  /** What was waited, in seconds of 1 ms, and how it ended. Timers of Node itself are longer. */
  async function waits(status: number, headers: Readonly<Record<string, string>>, text = '') {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const [said, asked] = await ask('POST', true, [ends(status, text, headers)]);
    const waited = timers.mock.calls.flatMap(([, ms = 0]) => (ms <= 130 ? [ms] : []));
    timers.mockRestore();
    return { said, asked, seconds: Math.max(...waited) };
  }

  test.each<readonly [string, number, Readonly<Record<string, string>>, string]>([
    ['in seconds', 429, { 'retry-after': '90' }, ''],
    ['in seconds, as GitHub says it', 403, { 'retry-after': '90' }, ''],
    ['as a date', 429, { 'retry-after': later(90) }, ''],
    ['by when it ends', 429, used(90), ''],
    ['by when it ends, as GitHub says it', 403, used(90), ''],
    ['by when it ends, as GitLab says it', 429, { 'ratelimit-remaining': '0', 'ratelimit-reset': after(90) }, ''],
    ['by when it ends, on a machine whose clock is wrong', 403, { ...used(990), date: later(900) }, ''],
    ['in seconds and by when it ends', 403, { ...used(3000), 'retry-after': '90' }, ''],
    ['in words', 403, {}, 'You have exceeded a secondary rate limit'],
  ])('that is told %s is waited for', async (_, status, headers, text) => {
    const { said, asked, seconds } = await waits(status, headers, text);
    expect([said, asked]).toEqual([DONE, 2]);
    expect(seconds).toBeGreaterThan(50);
  });

  test.each<readonly [string, number, Readonly<Record<string, string>>]>([
    ['is over already', 403, used(-5)],
    ['is told without an end', 429, { 'x-ratelimit-remaining': '0' }],
    ['has an end that is none', 429, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }],
    ['is told in a form that is none', 429, { 'retry-after': 'soon' }],
    ['is not used up', 429, { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': after(90) }],
    ['ends at once', 429, { 'retry-after': '0' }],
  ])('that %s is not waited for', async (_, status, headers) => {
    const { said, asked, seconds } = await waits(status, headers);
    expect([said, asked]).toEqual([DONE, 2]);
    expect(seconds).toBe(1);
  });

  test.each<readonly [string, number, Readonly<Record<string, string>>, string]>([
    ['for long', 429, { 'retry-after': '121' }, '3 minutes'],
    ['for an hour', 403, used(3600), '60 minutes'],
    ['until a date', 503, { 'retry-after': later(600) }, '10 minutes'],
    ['for ever', 429, { 'retry-after': '9'.repeat(400) }, 'a long time'],
  ])('that lasts %s fails at once, and says when to run the job again', async (_, status, headers, wait) => {
    const answers = Array.from({ length: 9 }, () => ends(status, 'no more', headers));
    const [said, asked] = await ask('PATCH', false, answers);
    expect([said, asked]).toEqual([expect.stringContaining(`(run the job again in ${wait}`), 1]);
    expect(said).toContain(`: ${status}: no more (`);
    expect(said).not.toContain('RIGHTS');
  });
});

describe('GraphQL answers with status 200', () => {
  const answer = (type: string, message: string) => JSON.stringify({ data: null, errors: [{ type, message }] });
  test.each([
    ['RATE_LIMITED', 'API rate limit exceeded', { 'x-ratelimit-remaining': '0' }],
    ['RATE_LIMIT', 'too many', { 'retry-after': '1' }],
    ['x', 'You have exceeded a secondary rate limit', { 'retry-after': '1' }],
  ])('to too many requests: %s %s', async (type, message, headers) => {
    const answers = [ends(200, answer(type, message), headers)];
    expect(await ask('POST', true, answers, { refusals })).toEqual([DONE, 2]);
    const [said, asked] = await ask('POST', true, [ends(200, answer(type, message), { 'retry-after': '600' })], {
      refusals,
    });
    expect([said, asked]).toEqual([expect.stringContaining('(run the job again in 10 minutes'), 1]);
  });

  test.each([answer('NOT_FOUND', 'no such node'), '{"data":{"body":"rate limit"}}', 'null', '[]', '{"errors":"x"}'])(
    'to what is no limit: %s',
    async (text) => {
      expect((await ask('POST', true, [ends(200, text)], { refusals }))[1]).toBe(1);
    },
  );
});
