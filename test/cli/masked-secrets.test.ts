// A service that hides secrets in its own words: the mask is never sent in place of the secret, and a plan that sends the
// manifest's secret again, although `ignore_changes` names it, says so.

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { createExchange } from '../../src/service/http/undici-exchange.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { run as runIn } from '../support/host.ts';
import { usePlace } from '../support/place.ts';

const SECRET = 'Zq7secretPartXy';
const network = createExchange({ maxBytes: 1 << 20 });
const ROUTE = 'https_edges.site.routes.r';

const place = usePlace({}, { EDGEFORM_VAR_sec: SECRET });

/** The service, with the mask in place of the secret in each answer. */
const hiding =
  (mask: string, sent: string[]): Exchange =>
  async (asked) => {
    if (typeof asked.body === 'string') sent.push(asked.body);
    const answer = await network(asked);
    const text = Buffer.from(answer.bytes ?? []).toString('utf8');
    return { ...answer, bytes: Buffer.from(text.replaceAll(JSON.stringify(SECRET), JSON.stringify(mask))) };
  };

function manifest(minutes: number, ignored = '', match = '/r'): void {
  const oidc = `{ issuer: "https://i.test", client_id: c, client_secret: "\${var.sec}", maximum_duration: ${minutes} }`;
  const route = `{ match_type: path_prefix, match: ${match}, oidc: ${oidc}, lifecycle: { ignore_changes: [${ignored}] } }`;
  writeFileSync(
    join(place.cwd, 'edgeform.yaml'),
    `version: 1\nstack: shop\nvariables: { sec: { sensitive: true } }\nhttps_edges: { site: { hostports: ["w.test:443"], routes: { r: ${route} } } }\n`,
  );
}

function machine(mask: string) {
  const sent: string[] = [];
  const ports = { exchange: hiding(mask, sent) };
  return { sent, run: (...args: string[]) => runIn([...args, '--settle', '1'], { ...place, ports }) };
}

const digests = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((name) =>
  (['hex', 'base64'] as const).map((form) => createHash(name).update(SECRET).digest(form)),
);

describe.each(['', '<redacted>', '****abcd', ...digests.slice(-2)])('with a service that shows %j', (mask) => {
  test.each(['oidc.client_secret', 'oidc.client_id', ''])(
    'the secret stays what it is, ignoring %j',
    async (ignored) => {
      const { sent, run } = machine(mask);
      manifest(10);
      expect((await run('apply', '--auto-approve')).code).toBe(0);
      manifest(20, ignored);
      expect((await run('apply', '--auto-approve')).code).toBe(0);
      const secrets = sent.flatMap((body) => /"client_secret":("[^"]*")/.exec(body)?.[1] ?? []);
      expect(secrets).toEqual([JSON.stringify(SECRET), JSON.stringify(SECRET)]);
    },
  );
});

test.each([`sha256:${'ab12cd34'.repeat(8)}`, ...digests])(
  'a service that shows %j in place of the secret has it',
  async (shown) => {
    const { sent, run } = machine(shown);
    for (const minutes of [10, 20]) {
      manifest(minutes);
      expect((await run('apply', '--auto-approve')).code).toBe(0);
      const before = sent.length;
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
      expect((await run('drift')).code).toBe(0);
      expect(sent).toHaveLength(before);
    }
    expect(sent.join()).not.toContain(JSON.stringify(shown));
  },
);

test('what no rule takes for a mask, and is there after the secret was sent, is named with the way out', async () => {
  const { run } = machine('v1:b64d');
  manifest(10);
  const { code, stdout, stderr } = await run('apply', '--auto-approve');
  expect([code, (stdout + stderr).replace(/\s+/g, ' ')]).toEqual([
    3,
    expect.stringMatching(/returns oidc\.client_secret in another form, add oidc to `ignore_changes`/),
  ]);
  manifest(10, 'oidc');
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
});

describe('a secret that is ignored and not shown', () => {
  const warned = async (mask = '<redacted>') => {
    const { stdout } = await machine(mask).run('plan', '--format', 'json');
    return (JSON.parse(stdout) as Plan).diagnostics;
  };

  test('is named by the plan that sends it again', async () => {
    const { run } = machine('<redacted>');
    manifest(10);
    await run('apply', '--auto-approve');
    manifest(20, 'oidc.client_secret');
    expect(await warned()).toEqual([
      { code: 'secret-sent-again', severity: 'warning', address: ROUTE, message: expect.stringContaining('oidc') },
    ]);
    const { code, stdout, stderr } = await run('plan');
    expect(code).toBe(0);
    expect(stdout + stderr).toMatch(
      /warning: `ignore_changes` keeps oidc\.client_secret of https_edges\.site\.routes\.r as it is.*\[secret-sent-again\]/s,
    );
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test('is not named where it is not sent, not ignored, or shown', async () => {
    const { run } = machine('<redacted>');
    manifest(10);
    await run('apply', '--auto-approve');
    manifest(10, 'oidc.client_secret');
    expect(await warned()).toEqual([]);
    manifest(20);
    expect(await warned()).toEqual([]);
    manifest(20, 'oidc.client_secret');
    expect(await warned(SECRET)).toEqual([]);
  });
});

describe('a secret that is ignored and shown as something else', () => {
  const codes = async (mask: string) => {
    const { stdout } = await machine(mask).run('plan', '--format', 'json');
    return (JSON.parse(stdout) as Plan).diagnostics.map(({ code }) => code);
  };

  test('is named by the plan that sends it back, because it may be a mask that no rule knows', async () => {
    manifest(10);
    await machine(SECRET).run('apply', '--auto-approve');
    manifest(20, 'oidc.client_secret');
    expect(await codes('v1:b64d')).toEqual(['secret-sent-back']);
    const { stdout, stderr } = await machine('v1:b64d').run('plan');
    expect(stdout + stderr).toMatch(/oidc\.client_secret.*\[secret-sent-back\]/s);
    expect(await codes(SECRET)).toEqual([]);
  });

  test('is not named when it is the one that was applied, or when nothing is sent', async () => {
    const { run } = machine(SECRET);
    manifest(10);
    await run('apply', '--auto-approve');
    const next = { EDGEFORM_VAR_sec: 'Zq7otherSecretXy' };
    manifest(20, 'oidc.client_secret');
    const { stdout } = await runIn(['plan', '--format', 'json'], {
      cwd: place.cwd,
      env: { EDGEFORM_BASE_URL: place.emulator.url, EDGEFORM_API_KEY: place.emulator.apiKey, ...next },
    });
    expect((JSON.parse(stdout) as Plan).diagnostics).toEqual([]);
    manifest(10, 'oidc.client_secret');
    expect(await codes('v1:b64d')).toEqual([]);
  });
});
