// What the calls of a forge's API do when the answer is late, broken, or not what was asked for.

import type { ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
// @ts-expect-error A script without types.
import { createClient } from '../../.github/actions/lib/rest.mjs';

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

async function ask(method: string, once: boolean, answers: readonly Respond[]) {
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
