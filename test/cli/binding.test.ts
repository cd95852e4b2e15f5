// A journal belongs to a stack and a service from the first write on: a mistyped address takes nothing from the right one.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { Failure } from '../../src/core/failure.ts';
import { checkOrigin } from '../../src/reconcile/saved-plan.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { serviceFolder } from '../../src/journal/place.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { load } from '../support/world.ts';

const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { a: {} }\n';
/** The port of nothing. */
const NOWHERE = 'http://127.0.0.1:9';

const place = usePlace({ 'edgeform.yaml': MANIFEST });

const runAt = (url: string, ...args: string[]) =>
  runIn(args, { cwd: place.cwd, env: { EDGEFORM_BASE_URL: url, EDGEFORM_API_KEY: place.emulator.apiKey } });
const apply = (url: string, ...args: string[]) => runAt(url, 'apply', '--auto-approve', ...args);
/** A journal that the user names, whatever the service. */
const SHARED = ['--journal', 'shared.jsonl'] as const;
const applyShared = (url: string, ...args: string[]) => apply(url, ...SHARED, ...args);
const services = ([, file]: typeof SHARED) => {
  const { value } = parseJournal(readFileSync(join(place.cwd, file), 'utf8'));
  return value?.flatMap((entry) => (entry.type === 'begin' ? [entry.service] : []));
};

test('a run that could not read the service binds nothing', async () => {
  expect((await applyShared(NOWHERE)).code).toBe(1);
  expect((await applyShared(place.emulator.url)).code).toBe(0);
  expect(services(SHARED)).toEqual([`${NOWHERE}/`, `${place.emulator.url}/`]);
});

test('nor does what --resolve says of a service that could not be read', async () => {
  expect((await applyShared(NOWHERE, '--resolve', 'reserved_addrs.a=absent')).code).toBe(1);
  expect((await applyShared(place.emulator.url)).code).toBe(0);
});

test('nor a service that refuses the key', async () => {
  const other = await startEmulator({ apiKey: 'another-key-0123456789' });
  expect((await applyShared(other.url)).code).toBe(1);
  await other.close();
  expect((await applyShared(place.emulator.url)).code).toBe(0);
});

test('after the first write another service is refused, before anything is asked of it', async () => {
  expect((await applyShared(place.emulator.url)).code).toBe(0);
  const other = await startEmulator({ apiKey: place.emulator.apiKey });
  expect(await applyShared(other.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('journal-mismatch') });
  expect(other.requests).toEqual([]);
  // A command that only reads goes on without it.
  for (const command of ['plan', 'drift']) {
    const { stdout } = await runAt(other.url, command, '--format', 'json', ...SHARED);
    const message = expect.stringContaining(`at "${place.emulator.url}/", so it was not used`);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ code: 'journal-mismatch', severity: 'warning', message }],
    });
  }
  expect((await runAt(other.url, 'plan', ...SHARED)).code).toBe(0);
  await other.close();
  expect((await applyShared(place.emulator.url)).code).toBe(0);
});

test('one folder serves several services, each with a journal of its own, also one with two names', async () => {
  const other = await startEmulator({ apiKey: place.emulator.apiKey });
  const name = place.emulator.url.replace('127.0.0.1', 'localhost');
  for (const url of [place.emulator.url, other.url]) {
    expect((await apply(url)).code).toBe(0);
    expect((await runAt(url, 'plan', '--detailed-exitcode')).code).toBe(0);
  }
  // The objects are known by their markers, whatever the name of the service.
  expect((await apply(name)).code).toBe(0);
  expect([place.emulator, other].map((one) => one.objects('reserved_addrs').length)).toEqual([1, 1]);
  const folders = [place.emulator.url, other.url, name].map((url) => serviceFolder(new URL(url)));
  expect(readdirSync(join(place.cwd, '.edgeform')).sort()).toEqual(folders.sort());
  await other.close();
});

test('a damaged journal stops what plans to write, in every format, and is told by drift', async () => {
  expect((await apply(place.emulator.url)).code).toBe(0);
  const path = place.journal();
  const text = readFileSync(path, 'utf8');
  const damaged = text.replace('"done"', '"dome"');
  writeFileSync(path, damaged);
  const url = place.emulator.url;
  for (const format of ['text', 'json', 'markdown', 'html', 'github']) {
    const { code, stdout, stderr } = await runAt(url, 'plan', '--format', format, '--out', join(place.cwd, 'p.json'));
    expect([code, stdout + stderr]).toEqual([1, expect.stringMatching(/does\s+not\s+have\s+its\s+checksum/)]);
    expect(stdout + stderr).not.toContain('To apply exactly this plan');
  }
  const { code, stdout } = await runAt(url, 'drift', '--format', 'json');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { diagnostics: [{ code: 'journal-damaged', severity: 'warning' }] },
  ]);
  const output = await runAt(url, 'output', 'reserved_addrs.a.id');
  expect(output).toMatchObject({ code: 0, stderr: expect.stringMatching(/warning[\s\S]*journal-damaged/) });
  expect((await apply(url)).code).toBe(1);
  expect(readFileSync(path, 'utf8')).toBe(damaged);
  writeFileSync(path, text);
  expect((await apply(url)).code).toBe(0);
});

test('what --resolve says is noted once the service was read', async () => {
  await apply(place.emulator.url);
  const id = String(place.emulator.objects('reserved_addrs')[0]?.['id']);
  expect((await apply(place.emulator.url, '--resolve', `reserved_addrs.a=${id}`)).code).toBe(0);
  expect(readFileSync(place.journal(), 'utf8')).toContain(`"type":"resolved","address":"reserved_addrs.a"`);
});

describe('a slash at the end of the address makes no other service', () => {
  test.each([
    ['https://a.test/v1', 'https://a.test/v1/'],
    ['https://a.test/v1/', 'https://a.test/v1'],
    ['https://a.test/v1//', 'https://A.test:443/v1'],
    ['https://a.test', 'https://a.test/'],
  ])('a plan made at %s is one of %s', (made, now) => {
    const manifest = load({ version: 1, stack: 'shop' });
    const service = parseBaseUrl(now).value?.href ?? '';
    const plan = { stack: 'shop', service: made, manifest_digest: manifest.digest, steps: [] as Plan['steps'] } as Plan;
    expect(() => {
      checkOrigin(plan, manifest, service);
    }).not.toThrow();
    expect(() => {
      checkOrigin(plan, manifest, `${service}x`);
    }).toThrow(Failure);
  });

  test('nor is it kept', () => {
    expect(['/v1', '/v1/', '/v1//'].map((path) => parseBaseUrl(`https://a.test${path}`).value?.href)).toEqual(
      Array(3).fill('https://a.test/v1'),
    );
  });
});
