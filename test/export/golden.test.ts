// One account as people have them, and the manifest that comes of it, to the byte. Run with UPDATE_GOLDEN=1 to rewrite.

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { isList } from '../../src/core/json.ts';
import type { Value, ValueObject } from '../../src/core/value.ts';
import { isValueObject } from '../../src/core/value.ts';
import type { Scenario } from './scenario.ts';
import { exported, loadExport, pending, startScenario, textOf, valuesFor } from './scenario.ts';

const GOLDEN = new URL('golden/account.yaml', import.meta.url);
const marker = (stack: string, address: string) => JSON.stringify({ edgeform: { v: 1, stack, address, applied: {} } });

const SEED: JsonObject = {
  keys: [{ id: 'ak_1', description: 'CI: deploy', owner_id: 'usr_1', metadata: '{"team":"ops"}' }],
  ssh_credentials: [
    {
      id: 'sshcr_1',
      public_key: 'ssh-ed25519 AAAA ops@example.com',
      acl: ['bind:b.example.com', 'bind:a.example.com'],
    },
  ],
  ingresses: [{ id: 'agin_1', domain: 'connect.example.com' }],
  reserved_addrs: [{ id: 'ra_1', description: 'Database', region: 'eu', addr: '1.tcp.eu.example.test:20001' }],
  backends: [{ id: 'bkdfo_1', description: 'App', backends: ['bkdhr_b', 'bkdhr_a'] }],
  tls_edges: [
    {
      id: 'edgtls_1',
      description: 'costs ${5}\nper month\n',
      hostports: ['1.tcp.eu.example.test:20001', 'db.example.com:5432'],
      backend: { backend: { id: 'bkdfo_1' } },
      tls_termination: { terminate_at: 'edge', min_version: '1.2' },
      mutual_tls: { enabled: false, certificate_authorities: [{ id: 'ca_1' }] },
    },
    { id: 'edgtls_2', hostports: ['shop.example.com:8443'], metadata: marker('shop', 'tls_edges.alt') },
  ],
  https_edges: [
    {
      id: 'edghts_1',
      hostports: ['www.example.com:443'],
      routes: [
        {
          id: 'edghtsrt_1',
          match_type: 'path_prefix',
          match: '/',
          backend: { backend: { id: 'bkdfo_1' } },
          compression: {},
        },
        {
          id: 'edghtsrt_2',
          match_type: 'exact_path',
          match: '/admin/users',
          oauth: {
            provider: { github: { client_id: 'abc', client_secret: 'probe-gh', teams: ['acme/ops'] } },
            maximum_duration: 3600,
          },
          response_headers: { add: { 'X-Frame-Options': 'DENY' }, remove: ['Server'] },
        },
        {
          id: 'edghtsrt_3',
          match_type: 'exact_path',
          match: '/shop',
          metadata: marker('shop', 'https_edges.www.routes.shop'),
        },
      ],
    },
  ],
  event_destinations: [
    {
      id: 'ed_1',
      description: 'audit',
      target: {
        kinesis: {
          stream_arn: 'arn:aws:kinesis:eu:1:stream/a',
          auth: { creds: { aws_access_key_id: 'AKIA1', aws_secret_access_key: 'probe-aws' } },
        },
      },
    },
  ],
  event_subscriptions: [
    {
      id: 'esb_1',
      sources: [{ type: 'ip_policy_created.v0' }, { type: 'api_key_created.v0' }],
      destinations: [{ id: 'ed_1' }],
    },
  ],
};

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario({ seed: SEED });
});
afterAll(() => scenario.close());

const SECRETS = { client_secret: 'probe-gh', aws_secret_access_key: 'probe-aws' };

test('the manifest of an account', async () => {
  const text = textOf(exported(await scenario.snapshot(), { of: 'all' }));
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text);
  expect(text).toBe(readFileSync(GOLDEN, 'utf8'));
  expect(text).not.toContain('probe');
});

/** Everything whose order has no meaning, the other way round. */
function reversed(value: Value, name = ''): Value {
  if (isList(value)) return name === 'backends' ? value : value.map((item) => reversed(item)).reverse();
  if (!isValueObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item, key)]),
  );
}

test('objects, keys and sets in another order give the same bytes', async () => {
  const snapshot = await scenario.snapshot();
  const resources = snapshot.resources.map((live) => ({ ...live, spec: reversed(live.spec) as ValueObject })).reverse();
  const expected = exported(snapshot, { of: 'all' }).files;
  expect(exported({ ...snapshot, resources }, { of: 'all' }).files).toEqual(expected);
});

test('adopting everything leaves what others own alone', async () => {
  const made = exported(await scenario.snapshot(), { of: 'all' });
  const manifest = loadExport(made, valuesFor(made, SECRETS));
  const firstWords = async () => pending(await scenario.plan(manifest)).map((line) => line.split(' ')[0]);
  // A route in an edge that is adopted has the marker of another stack.
  expect(await firstWords()).toEqual([...Array<string>(11).fill('adopt'), 'foreign-child']);
  await scenario.apply(manifest);
  expect(await firstWords()).toEqual(['foreign-child']);
  expect(scenario.emulator.objects('tls_edges').map(({ metadata }) => metadata)).toContain(
    marker('shop', 'tls_edges.alt'),
  );
});
