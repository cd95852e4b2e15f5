// The verbs against a service that keeps values in a form of its own: applied once, then nothing to do and no drift.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop
variables: { host: { default: MÜNCHEN.example. } }
ssh_credentials:
  deploy: { public_key: "\${file:deploy.pub}", acl: ["bind:*.Example.COM"] }
agent_ingresses:
  agents: { domain: "Agents.\${var.host}" }
tls_edges:
  db:
    description: |
      for people
    hostports: ["\${var.host}:443", B.example:443]
https_edges:
  shop:
    routes:
      api:
        match_type: path_prefix
        match: /
        circuit_breaker: { error_threshold_percentage: 0.3 }
        oauth: { provider: { google: { email_domains: [Example.COM] } } }
`;

const place = usePlace({ 'edgeform.yaml': MANIFEST });

beforeEach(async () => {
  await place.restart({ normalizes: true });
  writeFileSync(join(place.cwd, 'deploy.pub'), 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample ops@example.com\n');
});

test('apply ends with 0, the plan is empty, drift finds nothing, and another spelling changes nothing', async () => {
  const applied = await place.run('apply', '--auto-approve');
  expect([applied.code, applied.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  const sent = place.emulator.requests.find(({ method, path }) => method === 'POST' && path === '/edges/tls');
  expect(sent?.body).toMatchObject({ hostports: ['xn--mnchen-3ya.example:443', 'b.example:443'] });
  place.emulator.requests.length = 0;

  expect((await place.run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await place.run('drift')).code).toBe(0);
  place.write(MANIFEST.replaceAll('MÜNCHEN.example.', 'xn--mnchen-3ya.example').replace('Example.COM', 'example.com'));
  expect((await place.run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await place.run('drift')).code).toBe(0);
  expect(place.writes()).toEqual([]);

  const id = String(place.emulator.objects('tls_edges')[0]?.['id']);
  place.emulator.mutate('tls_edges', id, { hostports: ['b.example:443'] });
  expect((await place.run('drift')).code).toBe(2);
});
