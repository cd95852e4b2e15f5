// Tokens that are shown once: stored, lost, and made anew; never two keys of one address, never a key that nobody holds.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Emulator, Fault } from '../../src/emulator/server.ts';
import { startEmulator } from '../../src/emulator/server.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const KEY = 'version: 1\nstack: shop\napi_keys:\n  ci: { description: for the pipeline }\n';

let emulator: Emulator;
let cwd: string;
afterEach(() => emulator.close());

async function start(manifest: string, faults: readonly Fault[] = []): Promise<void> {
  emulator = await startEmulator({ faults });
  cwd = folder({ 'edgeform.yaml': manifest });
}
const run = (...args: string[]) =>
  runIn(args, { cwd, env: { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey } });
const apply = (...more: string[]) => run('apply', '--auto-approve', '--token-dir', 'tokens', ...more);
const token = () => readFileSync(join(cwd, 'tokens', 'api_keys.ci.token'), 'utf8').trim();
const works = async (key: string) => {
  const headers = { authorization: `Bearer ${key}`, 'service-version': '2' };
  return (await fetch(`${emulator.url}/api_keys`, { headers })).status === 200;
};

test('a stored token works, and its key stays', async () => {
  await start(KEY);
  expect((await apply()).code).toBe(0);
  expect(await works(token())).toBe(true);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test.each<[string, Fault]>([
  [
    'the answer to the creation is lost',
    { match: { method: 'POST', path: '^/api_keys$', nth: 1 }, action: 'dropAfter' },
  ],
  [
    'the answer has no token',
    {
      match: { method: 'POST', path: '^/api_keys$', nth: 1 },
      action: 'status',
      status: 201,
      effect: true,
      body: { id: 'ak_x' },
    },
  ],
])('%s: the key is made anew, and only the new one is left', async (_, fault) => {
  await start(KEY, [fault]);
  const first = await apply();
  expect(first.code).not.toBe(0);
  expect(existsSync(join(cwd, 'tokens', 'api_keys.ci.token'))).toBe(false);
  const [lost] = emulator.objects('keys');
  const plan = await run('plan');
  expect(plan.stdout).toContain('its token was never stored');
  expect(plan.stdout).toContain('nobody has its token');

  const second = await apply();
  expect(second.code, second.stdout + second.stderr).toBe(0);
  expect(emulator.objects('keys').map((key) => key['id'])).not.toContain(lost?.['id']);
  expect(emulator.objects('keys')).toHaveLength(1);
  expect(await works(token())).toBe(true);
  expect(first.stdout + first.stderr + second.stdout + second.stderr).not.toContain(token());
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('a key whose token was stored is replaced only with consent, and the file then has the new token', async () => {
  await start(KEY.replace('}', ', owner_id: usr_one }'));
  expect((await apply()).code).toBe(0);
  const old = token();
  writeFileSync(join(cwd, 'edgeform.yaml'), KEY.replace('}', ', owner_id: usr_two }'));
  expect((await apply()).code).toBe(5);
  expect(await works(old)).toBe(true);
  expect((await apply('--allow-replace', 'api_keys.ci')).code).toBe(0);
  expect(token()).not.toBe(old);
  expect([await works(old), await works(token())]).toEqual([false, true]);
  expect(statSync(join(cwd, 'tokens', 'api_keys.ci.token')).mode & 0o777).toBe(0o600);
});

test('a token is never written over the file of another', async () => {
  await start(KEY);
  expect((await apply()).code).toBe(0);
  const old = token();
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  const again = await apply();
  expect(again.code).toBe(4);
  expect(again.stderr).toContain('api_keys.ci.token');
  expect(token()).toBe(old);
  expect(emulator.objects('keys')).toEqual([]);
});
