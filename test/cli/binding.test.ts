// A journal belongs to a stack and a service from the first write on: a mistyped address takes nothing from the right one.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseBaseUrl } from '../../src/service/settings.ts';
import { Failure } from '../../src/core/failure.ts';
import { checkOrigin } from '../../src/reconcile/saved-plan.ts';
import { startEmulator } from '../../src/emulator/http/server.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';
import { load } from '../support/world.ts';

const JOURNAL = '.edgeform/shop.journal.jsonl';
const MANIFEST = 'version: 1\nstack: shop\nreserved_addrs: { a: {} }\n';
/** The port of nothing. */
const NOWHERE = 'http://127.0.0.1:9';

const place = usePlace({ 'edgeform.yaml': MANIFEST });

const runAt = (url: string, ...args: string[]) =>
  runIn(args, { cwd: place.cwd, env: { EDGEFORM_BASE_URL: url, EDGEFORM_API_KEY: place.emulator.apiKey } });
const apply = (url: string, ...args: string[]) => runAt(url, 'apply', '--auto-approve', ...args);
const services = () => {
  const { value } = parseJournal(readFileSync(join(place.cwd, JOURNAL), 'utf8'));
  return value?.flatMap((entry) => (entry.type === 'begin' ? [entry.service] : []));
};

test('a run that could not read the service binds nothing', async () => {
  expect((await apply(NOWHERE)).code).toBe(1);
  expect((await apply(place.emulator.url)).code).toBe(0);
  expect(services()).toEqual([`${NOWHERE}/`, `${place.emulator.url}/`]);
});

test('nor does what --resolve says of a service that could not be read', async () => {
  expect((await apply(NOWHERE, '--resolve', 'reserved_addrs.a=absent')).code).toBe(1);
  expect((await apply(place.emulator.url)).code).toBe(0);
});

test('nor a service that refuses the key', async () => {
  const other = await startEmulator({ apiKey: 'another-key-0123456789' });
  expect((await apply(other.url)).code).toBe(1);
  await other.close();
  expect((await apply(place.emulator.url)).code).toBe(0);
});

test('after the first write another service is refused, before anything is asked of it', async () => {
  expect((await apply(place.emulator.url)).code).toBe(0);
  const other = await startEmulator({ apiKey: place.emulator.apiKey });
  expect(await apply(other.url)).toMatchObject({ code: 1, stderr: expect.stringContaining('journal-mismatch') });
  expect(other.requests).toEqual([]);
  // A command that only reads goes on without it.
  for (const command of ['plan', 'drift']) {
    const { stdout } = await runAt(other.url, command, '--format', 'json');
    const message = expect.stringContaining(`at "${place.emulator.url}/", so it was not used`);
    expect(JSON.parse(stdout)).toMatchObject({
      diagnostics: [{ code: 'journal-mismatch', severity: 'warning', message }],
    });
  }
  expect((await runAt(other.url, 'plan')).code).toBe(0);
  await other.close();
  expect((await apply(place.emulator.url)).code).toBe(0);
});

test('a damaged journal stops what plans to write, in every format, and is told by drift', async () => {
  expect((await apply(place.emulator.url)).code).toBe(0);
  const path = join(place.cwd, JOURNAL);
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
  expect(readFileSync(join(place.cwd, JOURNAL), 'utf8')).toContain(`"type":"resolved","address":"reserved_addrs.a"`);
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
    const plan = { stack: 'shop', service: made, manifest_digest: manifest.digest } as Plan;
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
