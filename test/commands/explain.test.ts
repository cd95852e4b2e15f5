// explain: paths into kinds inside others, and limits.

import { expect, test } from 'vitest';
import { run } from '../support/host.ts';

const explain = (path: string) => run(['explain', path], { cwd: '/', env: {} });

test.each([
  [
    'https_edges.routes.oauth.provider',
    [
      /^https_edges\.routes\.oauth\.provider: object \(required\)$/m,
      /exactly one of its fields/,
      /^ {2}github +object/m,
    ],
  ],
  ['routes.oauth.provider', [/^https_edges\.routes\.oauth\.provider: object/]],
  ['https_edges', [/^ {2}routes +map of NAME to /m, /^ {2}lifecycle +object\./m]],
  ['https_edges.routes', [/^https_edges\.routes: /, /^ {2}match_type /m]],
  ['reserved_addrs.endpoint_configuration_id', [/limit: an id that begins with ec_/]],
  ['tls_edges.description', [/limit: at most 255 bytes/]],
  ['event_subscriptions.description', [/limit: at most 255 characters/]],
  ['https_edges.routes.circuit_breaker.num_buckets', [/limit: at least 0/, /limit: at most 128/]],
  ['tls_edges.tls_termination.min_version', [/limit: a version such as "1\.2"/]],
  ['tls_edges.backend.backend_id', [/limit: \$\{failover_backends\.NAME\.id\}, or an id that begins with bkd/]],
] as const)('%s', async (path, patterns) => {
  const { code, stdout } = await explain(path);
  expect(code).toBe(0);
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
});

test('a wrong name inside a kind inside another is a usage error with the nearest right one', async () => {
  for (const [path, near] of [
    ['https_edges.route', 'routes'],
    ['https_edges.routes.oaut.provider', 'oauth'],
    ['https_edges.routes.oauth.provder', 'provider'],
  ] as const) {
    const { code, stderr } = await explain(path);
    expect(code, path).toBe(64);
    expect(stderr).toContain(`did you mean "${near}"?`);
  }
});

test.each([
  ['fleet', [/^fleet: object$/m, /^ {2}stacks +list of object \(required\)\./m]],
  ['fleet.stacks', [/^ {2}each +string\./m]],
  ['fleet.stacks[].api_key_env', [/EDGEFORM_FLEET_CREDENTIALS/, /example: "PARTNER_API_KEY"/]],
] as const)('%s of the fleet file', async (path, patterns) => {
  const { code, stdout } = await explain(path);
  expect(code).toBe(0);
  for (const pattern of patterns) expect(stdout).toMatch(pattern);
});
