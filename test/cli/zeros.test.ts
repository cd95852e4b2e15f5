// The verbs against services that leave zeros out of their answers: what was written is there, and nobody changed it.

import { beforeEach, expect, test } from 'vitest';
import { usePlace } from '../support/place.ts';

const MANIFEST = `version: 1
stack: shop
tls_edges:
  db: { description: "", hostports: [] }
event_destinations:
  logs:
    target: { s3: { bucket_arn: "arn:aws:s3:::logs", compression: false, auth: { role: { role_arn: "arn:aws:iam::1:role/r" } } } }
https_edges:
  shop:
    routes:
      api:
        match_type: path_prefix
        match: /
        circuit_breaker: { volume_threshold: 0, error_threshold_percentage: 0 }
        oauth:
          cookie_prefix: ""
          inactivity_timeout: 0
          provider: { google: { email_domains: [example.com] } }
`;
const place = usePlace({ 'edgeform.yaml': MANIFEST });
const { run } = place;
const idOf = (list: string) => String(place.emulator.objects(list)[0]?.['id']);

beforeEach(() => place.restart({ omitsZeros: true }));

test('a zero that the service leaves out is there: applied once, and no drift', async () => {
  const { code, stderr } = await run('apply', '--auto-approve');
  expect(code, stderr).toBe(0);
  const sent = place.emulator.requests.find(({ method, path }) => method === 'POST' && path.includes('destinations'));
  expect(JSON.stringify(sent?.body)).toContain('"compression":false');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
});

test('another value is drift, and a zero in the manifest replaces what is there', async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  const [edge] = place.emulator.objects('https_edges');
  const [route] = (edge?.['routes'] ?? []) as unknown as readonly { id: string; circuit_breaker: object }[];
  if (route === undefined) throw new Error('unreachable');
  place.emulator.mutate('routes', route.id, { circuit_breaker: { ...route.circuit_breaker, volume_threshold: 7 } });
  expect(await run('drift')).toMatchObject({ code: 2, stdout: expect.stringContaining('volume_threshold') });
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  expect((await run('drift')).code).toBe(0);
});

test('a change of the manifest from zero is one of the manifest', async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.write(
    MANIFEST.replace('volume_threshold: 0', 'volume_threshold: 9').replace('compression: false', 'compression: true'),
  );
  const { stdout } = await run('plan');
  expect(stdout).toContain('volume_threshold: 9');
  expect(stdout).not.toContain('changed outside');
  expect((await run('drift')).code).toBe(0);
});

test('a field that is left out of the answer, and that the manifest does not have as zero, is missing', async () => {
  place.write(MANIFEST.replace('description: ""', 'description: there'));
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.mutate('tls_edges', idOf('tls_edges'), { description: '' });
  expect((await run('drift')).code).toBe(2);
});
