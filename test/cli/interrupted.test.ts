// A run that is to end, by a signal or at its deadline, begins no step, and finishes those that are under way.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import type { Emulator } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { folder } from '../support/cli.ts';
import { instantClock } from '../support/applying.ts';
import type { Person } from '../support/host.ts';
import { run } from '../support/host.ts';
import { network, networkClock } from '../support/quick-network.ts';

const KEY = 'version: 1\nstack: shop\napi_keys:\n  ci: {}\n';
const FILE = join('tokens', 'api_keys.ci.token');

let emulator: Emulator;
afterEach(() => emulator.close());

/** The network; `before` is called before a creation of a key is sent, `after` once it is answered. */
function around({ before, after }: { before?: () => void; after?: () => void | Promise<void> }): Exchange {
  const isCreation = ({ method, url }: Parameters<Exchange>[0]) => method === 'POST' && url.pathname === '/api_keys';
  return async (asked) => {
    if (isCreation(asked)) before?.();
    const answer = await network(asked);
    if (isCreation(asked)) await after?.();
    return answer;
  };
}

function machine(manifest: string) {
  const cwd = folder({ 'edgeform.yaml': manifest });
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const apply = (person: Partial<Person> = {}, ...more: string[]) =>
    run(['apply', '--auto-approve', '--token-dir', 'tokens', ...more], { cwd, env, ...person });
  return { cwd, apply };
}

const writes = () => emulator.requests.flatMap(({ method, path }) => (method === 'GET' ? [] : [`${method} ${path}`]));
const markers = () => emulator.objects('keys').map(({ metadata }) => String(metadata));

test.each([
  ['a signal', []],
  ['the deadline', ['--deadline', '100']],
])('after %s a step that was begun is finished, and none is begun', async (by, more) => {
  emulator = await startEmulator();
  const { apply } = machine(`${KEY}reserved_addrs:\n  a: {}\n  b: {}\n`);
  const signal = new AbortController();
  const clock = instantClock();
  const end = () => (by === 'a signal' ? signal.abort() : void clock.sleep(100_000));
  const ports = { clock, exchange: around({ before: end }) };
  const { code, stdout } = await apply({ signal, ports }, '--concurrency', '1', ...more);
  const [key] = emulator.objects('keys');
  expect(writes()).toEqual(['POST /api_keys', `PATCH /api_keys/${String(key?.['id'])}`]);
  expect(markers()).toEqual([expect.not.stringContaining('pending')]);
  expect(stdout).toContain('1 done, 2 not attempted');
  expect(stdout).toContain(FILE);
  expect(code).toBe(by === 'a signal' ? 130 : 3);
});

test.each([
  ['before it is created', /^before POST/],
  ['once it was created', /^after POST/],
  ['while it is looked for', /^before GET .* after PATCH/],
])('a key that another machine created, too, is deleted after a signal %s', async (_, moment) => {
  emulator = await startEmulator();
  const [first, second] = [machine(KEY), machine(KEY)];
  const signal = new AbortController();
  let other: ReturnType<typeof first.apply> | undefined;
  let created = (): void => undefined;
  const isThere = new Promise<void>((resolve) => (created = resolve));
  let go = (): void => undefined;
  const later = new Promise<void>((resolve) => (go = resolve));
  // The other machine creates its key after this one has planned, and before this one creates its own.
  let last = '';
  const exchange: Exchange = async (asked) => {
    const { method, url } = asked;
    const at = `${method} ${url.pathname} after ${last}`;
    if (method !== 'GET') last = method;
    if (method === 'POST') {
      other = first.apply({ ports: { clock: networkClock, exchange: around({ after: () => (created(), later) }) } });
      await isThere;
    }
    if (moment.test(`before ${at}`)) signal.abort();
    const answer = await network(asked);
    if (moment.test(`after ${at}`)) signal.abort();
    if (method === 'POST') go();
    return answer;
  };
  const ended = await second.apply({ signal, ports: { clock: networkClock, exchange } });
  expect((await other)?.code).toBe(0);
  expect(ended.code).toBe(130);
  expect(ended.stdout).toContain('Some objects were created twice.');
  expect(ended.stderr).toContain('was deleted again');
  expect(ended.stdout).not.toContain(FILE);
  expect(emulator.objects('keys')).toHaveLength(1);
  expect(markers()).toEqual([expect.not.stringContaining('pending')]);
  expect([first, second].map(({ cwd }) => existsSync(join(cwd, FILE)))).toEqual([true, false]);
});
