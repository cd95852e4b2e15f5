// Tokens that are shown once: stored, lost, and made anew; never two keys of one address, never a key that nobody holds.

import { journalOf } from '../../src/journal/place.ts';
import { existsSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import type { Emulator, Fault } from '../../src/emulator/http/server.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { FileError } from '../../src/platform/file-error.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { folder } from '../support/cli.ts';
import { run as runIn } from '../support/host.ts';

const KEY = 'version: 1\nstack: shop\napi_keys:\n  ci: { description: for the pipeline }\n';

const network = createExchange({ maxBytes: 1 << 24 });
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

test('a key whose token could not be stored was created, and so the run is partly done', async () => {
  await start(KEY);
  const full = (path: string): never => {
    throw new FileError(path, 'ENOSPC');
  };
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const args = ['apply', '--auto-approve', '--token-dir', 'tokens', '--format', 'json'];
  const { code, stdout } = await runIn(args, { cwd, env, ports: { files: { ...nodeFiles, createPrivate: full } } });
  expect([code, JSON.parse(stdout)]).toMatchObject([3, { exit_code: 3, result: 'partial' }]);
  expect(emulator.objects('keys')).toHaveLength(1);
  expect((await apply()).code).toBe(0);
  expect(emulator.objects('keys')).toHaveLength(1);
});

test('a stored token works, and its key stays', async () => {
  await start(KEY);
  expect((await apply()).code).toBe(0);
  expect(await works(token())).toBe(true);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

/** The answer to the first creation is lost, or says nothing but the object's id. */
function without(isLost: boolean): Exchange {
  let isFirst = true;
  return async (asked) => {
    const response = await network(asked);
    if (asked.method !== 'POST' || !isFirst) return response;
    isFirst = false;
    if (isLost) throw Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'read' });
    const { id } = JSON.parse(String(response.bytes)) as { readonly id: string };
    return { ...response, bytes: Buffer.from(JSON.stringify({ id })) };
  };
}

test.each([
  ['the answer to the creation is lost', true],
  ['the answer has no token', false],
])('%s: the key is made anew, and only the new one is left', async (_, isLost) => {
  await start(KEY);
  const env = { EDGEFORM_BASE_URL: emulator.url, EDGEFORM_API_KEY: emulator.apiKey };
  const args = ['apply', '--auto-approve', '--token-dir', 'tokens'];
  const first = await runIn(args, { cwd, env, ports: { exchange: without(isLost) } });
  expect(first.code).not.toBe(0);
  expect(existsSync(join(cwd, 'tokens', 'api_keys.ci.token'))).toBe(false);
  const [lost] = emulator.objects('keys');
  const plan = await run('plan');
  expect(plan.stdout).toContain('its token was never stored');
  expect(plan.stdout).toContain('its token was never stored');
  const drift = await run('drift');
  expect(drift.stdout).not.toContain('manifest change');
  expect(drift.stdout).toContain('Pending, from the manifest or an earlier run:');

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
  expect((await apply('--allow-loss', 'api_keys.ci')).code).toBe(0);
  expect(token()).not.toBe(old);
  expect([await works(old), await works(token())]).toEqual([false, true]);
  expect(statSync(join(cwd, 'tokens', 'api_keys.ci.token')).mode & 0o777).toBe(0o600);
});

/** An apply that ends between the creation, whose token is stored, and the request that says so in the marker. */
async function refusedMarker(): Promise<string> {
  await start(KEY, [
    { match: { method: 'PATCH', path: '^/api_keys/', nth: 1 }, action: 'status', status: 400, effect: false },
  ]);
  expect((await apply()).code).not.toBe(0);
  expect(await works(token())).toBe(true);
  return token();
}

describe('a key whose token was stored, and whose marker could not be written, stays', () => {
  test.each<[string, () => void, readonly string[]]>([
    ['by the journal and the file', () => undefined, []],
    ['by the journal alone', () => rmSync(join(cwd, 'tokens'), { recursive: true }), []],
    ['by the file alone', () => undefined, ['--journal', 'other.jsonl']],
  ])('%s', async (_, forget, more) => {
    const held = await refusedMarker();
    const [key] = emulator.objects('keys');
    forget();
    const before = emulator.requests.length;
    const second = await apply(...more);
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('is stored')]);
    const sent = emulator.requests.slice(before).filter(({ method }) => method !== 'GET');
    expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual([`PATCH /api_keys/${String(key?.['id'])}`]);
    expect(await works(held)).toBe(true);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('and `plan` says so, by the journal, which may be elsewhere, or by the directory that it is told', async () => {
    await refusedMarker();
    expect((await run('plan')).stdout).toContain('its token is stored');
    renameSync(join(cwd, journalOf(new URL(emulator.url), 'shop')), join(cwd, 'moved.jsonl'));
    expect((await run('plan', '--journal', 'moved.jsonl')).stdout).toContain('its token is stored');
    expect((await run('plan', '--token-dir', 'tokens')).stdout).toContain('its token is stored');
    expect((await run('plan')).stdout).toContain('it is not known whether its token was stored');
  });

  test.each<[string, readonly string[]]>([
    ['the marker, in a run that knows nothing else', []],
    ['a journal that knows nothing of it', ['--journal', 'other.jsonl']],
  ])('%s, is no reason to replace it without consent', async (_, more) => {
    const held = await refusedMarker();
    rmSync(join(cwd, 'tokens'), { recursive: true });
    rmSync(join(cwd, '.edgeform'), { recursive: true });
    const refused = await apply(...more);
    expect([refused.code, await works(held)]).toEqual([5, true]);
    expect(refused.stdout + refused.stderr).toContain('--allow-loss api_keys.ci');
    expect((await apply('--allow-loss', 'api_keys.ci')).code).toBe(0);
  });

  test('also when it has a new name, and when protection is what differs', async () => {
    await refusedMarker();
    const renamed = KEY.replace('ci: {', 'pipeline: { lifecycle: { prevent_destroy: true },');
    writeFileSync(join(cwd, 'edgeform.yaml'), `${renamed}moved: [{ from: api_keys.ci, to: api_keys.pipeline }]\n`);
    expect((await apply()).code).toBe(0);
    expect(emulator.objects('keys')).toHaveLength(1);
    expect(await works(token())).toBe(true);
  });
});

test('a key that may be the one in the file is replaced only with consent', async () => {
  // The new key exists, and its token does not reach the file, which still has the old one.
  const lost = { match: { method: 'POST', path: '^/api_keys$', nth: 2 }, action: 'dropAfter' } as const;
  await start(KEY.replace('}', ', owner_id: usr_one }'), [lost]);
  expect((await apply()).code).toBe(0);
  const old = token();
  writeFileSync(join(cwd, 'edgeform.yaml'), KEY.replace('}', ', owner_id: usr_two }'));
  expect((await apply('--allow-loss', 'api_keys.ci')).code).not.toBe(0);
  expect(token()).toBe(old);
  const refused = await apply();
  expect([refused.code, refused.stderr + refused.stdout]).toEqual([5, expect.stringContaining('not known whether')]);
  expect(await works(old)).toBe(true);
  expect((await apply('--allow-loss', 'api_keys.ci')).code).toBe(0);
  expect(emulator.objects('keys')).toHaveLength(1);
  expect([token() === old, await works(token())]).toEqual([false, true]);
});

test('a token is never written over the file of another, and plan says so before', async () => {
  await start(KEY);
  expect((await apply()).code).toBe(0);
  const old = token();
  expect((await run('destroy', '--auto-approve')).code).toBe(0);
  const why = 'already exists, and only replacing a key overwrites its token file';
  const planned = await run('plan', '--token-dir', 'tokens', '--out', 'p.json');
  expect([planned.code, told(planned)]).toEqual([0, expect.stringContaining(`api_keys.ci.token" ${why}`)]);
  const again = await apply();
  expect(again.code).toBe(4);
  expect(told(again)).toContain(`api_keys.ci.token" ${why}`);
  expect(token()).toBe(old);
  expect(emulator.objects('keys')).toEqual([]);
  rmSync(join(cwd, 'tokens'), { recursive: true });
  // Once the file is moved away, the plan that was saved is carried out.
  const applied = await run('apply', 'p.json', '--auto-approve', '--token-dir', 'tokens');
  expect([applied.code, told(applied)]).toEqual([0, expect.not.stringContaining('already exists')]);
});

const told = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  (stdout + stderr).replace(/\s+/g, ' ');

test('plan says that apply needs a directory for tokens; who names one for the saved plan hears no more of it', async () => {
  await start(KEY);
  const needed = 'api_keys.ci: the token is returned only once, and there is no place to store it';
  const fix = 'name a directory with --token-dir DIR';
  expect(told(await run('apply', '--auto-approve'))).toContain(needed);
  const planned = await run('plan', '--out', 'p.json');
  expect([planned.code, told(planned)]).toEqual([
    0,
    expect.stringContaining(`${needed} [missing-setting] = fix: ${fix}`),
  ]);
  expect(told(await run('plan', '--token-dir', 'tokens'))).not.toContain('no place');
  const refused = await run('apply', 'p.json', '--auto-approve');
  expect([refused.code, told(refused)]).toEqual([4, expect.stringContaining(needed)]);
  const applied = await run('apply', 'p.json', '--auto-approve', '--token-dir', 'tokens');
  expect([applied.code, told(applied)]).toEqual([0, expect.not.stringContaining('no place')]);
  expect(told(await run('plan'))).not.toContain('no place');
});

test.each<[string, string, () => void]>([
  ['a file', 'tokens', () => writeFileSync(join(cwd, 'tokens'), '')],
  ['below a file', 'file/tokens', () => writeFileSync(join(cwd, 'file'), '')],
  ['below a device', '/dev/null/tokens', () => undefined],
  ['a link', 'tokens', () => symlinkSync('.', join(cwd, 'tokens'))],
  ['a link to nothing', 'tokens', () => symlinkSync('real', join(cwd, 'tokens'))],
])('apply looks at the directory for tokens before it writes anything: %s', async (_, name, make) => {
  await start(KEY);
  make();
  const applied = await run('apply', '--auto-approve', '--token-dir', name);
  expect([applied.code, told(applied)]).toEqual([74, expect.stringMatching(/"[^"]*tokens" could not be written: /)]);
  expect(emulator.objects('keys')).toEqual([]);
});

test('plan makes no directory for tokens', async () => {
  await start(KEY);
  expect((await run('plan', '--token-dir', 'new/tokens')).code).toBe(0);
  expect(existsSync(join(cwd, 'new'))).toBe(false);
});

test.each([
  { command: ['destroy'], path: 'tokens/api_keys.ci.token' },
  { command: ['fleet', 'destroy'], path: 'tokens/shop/api_keys.ci.token' },
])('$command names the token files of the keys that it deleted', async ({ command, path }) => {
  await start(KEY);
  writeFileSync(join(cwd, 'edgeform.fleet.yaml'), 'version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n');
  const yes = ['--auto-approve', '--token-dir', 'tokens'];
  expect((await run(...command.slice(0, -1), 'apply', ...yes)).code).toBe(0);
  expect(existsSync(join(cwd, path))).toBe(true);
  const { code, stderr, stdout } = await run(...command, ...yes);
  expect(code).toBe(0);
  expect(`${stderr}${stdout}`.replaceAll(/\s+/g, ' ')).toContain('still has the token of this key, which was deleted');
});
