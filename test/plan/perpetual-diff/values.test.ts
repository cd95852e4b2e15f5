// Texts, numbers, spellings and TLS settings in every shape that an answer may give them.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { load } from '../../support/world.ts';
import { changesIn, metadataOf, planAgainst } from '../../support/answers.ts';
import { KINESIS, manifestOf, outcome, ref, trap, usual } from '../../support/usual-answers.ts';

describe('texts', () => {
  trap('a description that was never set', {
    of: 'tls_edges',
    spec: {},
    shapes: { absent: { description: undefined }, null: { description: null }, empty: { description: '' } },
    but: {
      'somebody wrote one': { shape: { description: 'theirs' }, seen: ['update description: drift'] },
      'the manifest gives one': { wanted: { description: 'ours' }, seen: ['update description: config'] },
    },
  });

  trap('a description with blanks at its ends', {
    of: 'failover_backends',
    spec: { description: '  two before, a line end after \n' },
    shapes: {
      'byte for byte': { description: '  two before, a line end after \n' },
      'without them': { description: 'two before, a line end after' },
    },
    but: {
      'blanks inside it': {
        shape: { description: 'two  before, a line end after' },
        seen: ['update description: drift'],
      },
      'the manifest has others inside it': {
        wanted: { description: 'two before, a line\nend after' },
        seen: ['update description: config'],
      },
    },
  });

  trap('a description in one of two Unicode forms', {
    of: 'failover_backends',
    spec: { description: 'caf\u0065\u0301' },
    shapes: { 'byte for byte': { description: 'caf\u0065\u0301' } },
    but: {
      'composed by somebody': { shape: { description: 'caf\u00e9' }, seen: ['update description: drift'] },
      'composed in the manifest': { wanted: { description: 'caf\u00e9' }, seen: ['update description: config'] },
    },
  });

  test.each([
    ['keys in another order and blanks', '{ "b" : 1,\n  "a": [ 1.0, 2e0 ] }'],
    ['the same key twice', '{"a":1,"a":2}'],
    ['escapes', '{"a":"\\u00e9\\/"}'],
    ['an empty object', '{}'],
    ['an empty object with blanks', '{ }'],
    ['a list', '[1, 2]'],
    ['text that ends a line', 'team: web\n'],
    ['text in two lines, with carriage returns', 'a\r\nb\r\n'],
  ])('the user’s own metadata is kept byte for byte: %s', async (_, metadata) => {
    expect(await outcome('tls_edges', { metadata }, {})).toEqual([]);
    const other = metadata.includes(' ') ? metadata.replace(' ', '') : `${metadata} `;
    expect(await outcome('tls_edges', { metadata }, {}, { metadata: other })).toEqual(['update metadata: config']);
    const texts = await metadataOf(manifestOf('tls_edges', { metadata: other }));
    expect(await outcome('tls_edges', { metadata }, { metadata: texts.get('tls_edges.x') })).toEqual([
      expect.stringMatching(/^update metadata: /),
    ]);
  });

  test('metadata that was never set is absent, null or empty; all three mean the same', async () => {
    const manifest = manifestOf('tls_edges', { lifecycle: { adopt: usual.tls_edges.id } });
    const plans = await Promise.all(
      [undefined, null, ''].map((metadata) => planAgainst(manifest, { tls_edges: [{ ...usual.tls_edges, metadata }] })),
    );
    expect(changesIn(plans[0]!)).toEqual(['adopt tls_edges.x']);
    expect(plans[1]).toEqual(plans[0]);
    expect(plans[2]).toEqual(plans[0]);
    const other = await planAgainst(manifest, { tls_edges: [{ ...usual.tls_edges, metadata: 'theirs' }] });
    expect(changesIn(other)).toEqual(['adopt tls_edges.x metadata: unknown']);
  });
});

describe('spelling and switches', () => {
  trap('the format as JSON or json', {
    of: 'event_destinations',
    spec: { format: 'JSON', ...KINESIS },
    shapes: { json: { format: 'json' }, JSON: { format: 'JSON' } },
    but: { 'another format': { shape: { format: 'avro' }, seen: ['update format: drift'] } },
  });

  trap('the format left out', {
    of: 'event_destinations',
    spec: KINESIS,
    shapes: {
      json: { format: 'json' },
      JSON: { format: 'JSON' },
      absent: { format: undefined },
      null: { format: null },
    },
    but: { 'another format': { shape: { format: 'avro' }, seen: ['update format: drift'] } },
  });

  trap('`enabled: true` that only the service says', {
    of: 'routes',
    spec: { compression: {}, backend: { backend_id: 'bkdhr_1' } },
    shapes: {
      said: {
        compression: { enabled: true },
        backend: { enabled: true, backend: ref('backends/http_response', 'bkdhr_1') },
      },
      'not said': { compression: {}, backend: { backend: ref('backends/http_response', 'bkdhr_1') } },
      null: {
        compression: { enabled: null },
        backend: { enabled: null, backend: ref('backends/http_response', 'bkdhr_1') },
      },
    },
    but: {
      'somebody switched one off': {
        shape: {
          compression: { enabled: false },
          backend: { enabled: true, backend: ref('backends/http_response', 'bkdhr_1') },
        },
        seen: ['update compression.enabled: drift'],
      },
      'the manifest switches one off': {
        wanted: { compression: { enabled: false }, backend: { backend_id: 'bkdhr_1' } },
        seen: ['update compression.enabled: config'],
      },
    },
  });

  trap('a webhook provider in capitals', {
    of: 'routes',
    spec: { webhook_verification: { provider: 'twilio', secret: 'first' } },
    shapes: { capitals: { webhook_verification: { enabled: true, provider: 'TWILIO', secret: 'first' } } },
    but: {
      'another provider': {
        shape: { webhook_verification: { enabled: true, provider: 'SLACK', secret: 'first' } },
        seen: ['update webhook_verification.provider: drift'],
      },
    },
  });

  trap('an ingress domain in lower case', {
    of: 'agent_ingresses',
    spec: { domain: 'Connect.Example.COM' },
    shapes: {
      'lower case': { domain: 'connect.example.com' },
      'with a final dot': { domain: 'connect.example.com.' },
      'an address without a host': {
        domain: 'connect.example.com',
        uri: '/agent_ingresses/agin_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
      },
      'more regions': {
        domain: 'connect.example.com',
        region_domains: ['us.connect.example.com', 'eu.connect.example.com'],
      },
      'no regions yet': { domain: 'connect.example.com', region_domains: null, ns_targets: [] },
      'a certificate policy of the service': {
        domain: 'connect.example.com',
        certificate_management_policy: { authority: 'letsencrypt', private_key_type: 'ecdsa' },
        certificate_management_status: { renews_at: '2024-05-01T10:00:00Z', provisioning_job: null },
      },
      'a certificate policy that is null': {
        domain: 'connect.example.com',
        certificate_management_policy: null,
        certificate_management_status: null,
      },
    },
    but: {
      'another domain': {
        wanted: { domain: 'other.example.com' },
        seen: ['refused irreplaceable', 'replace create domain: config', 'replace delete'],
      },
    },
  });
});

test.each(['connect.example.com', 'connect.example.com.', 'localhost', 'x'])('%s is an ingress domain', (domain) => {
  expect(() => load(manifestOf('agent_ingresses', { domain }))).not.toThrow();
});

test.each(['.', 'connect.example.com..', '$DOMAIN'])('%s is none', (domain) => {
  expect(() => load(manifestOf('agent_ingresses', { domain }))).toThrow('wrong-value');
});

describe('numbers', () => {
  trap('numbers that the service chose', {
    of: 'routes',
    spec: { circuit_breaker: { error_threshold_percentage: 0.2 } },
    shapes: {
      chosen: {
        circuit_breaker: {
          enabled: true,
          tripped_duration: 10,
          rolling_window: 10,
          num_buckets: 10,
          volume_threshold: 20,
          error_threshold_percentage: 0.2,
        },
      },
      'none chosen': {
        circuit_breaker: { enabled: true, tripped_duration: null, num_buckets: 0, error_threshold_percentage: 0.2 },
      },
    },
    but: {
      'the number that was given': {
        shape: { circuit_breaker: { enabled: true, num_buckets: 10, error_threshold_percentage: 0.3 } },
        seen: ['update circuit_breaker.error_threshold_percentage: drift'],
      },
      'a number that the manifest now gives': {
        wanted: { circuit_breaker: { error_threshold_percentage: 0.2, num_buckets: 12 } },
        seen: ['update circuit_breaker.num_buckets: config'],
      },
    },
  });

  test('1, 1.0 and 1e0 are one number, in the answer and in the manifest', async () => {
    const yaml = (value: string) => `
version: 1
stack: shop
https_edges:
  e:
    routes:
      x: { match_type: path_prefix, match: /, circuit_breaker: { error_threshold_percentage: ${value} } }
`;
    const texts = await metadataOf(yaml('1'));
    const plan = (inManifest: string, inAnswer: string) => {
      const breaker = JSON.parse(`{ "enabled": true, "error_threshold_percentage": ${inAnswer} }`) as JsonObject;
      const route = {
        ...usual.routes,
        metadata: texts.get('https_edges.e.routes.x') ?? null,
        circuit_breaker: breaker,
      };
      const edge = { ...usual.https_edges, metadata: texts.get('https_edges.e'), routes: [route] };
      return planAgainst(yaml(inManifest), { https_edges: [edge] });
    };
    for (const same of ['1', '1.0', '1e0']) {
      expect(changesIn(await plan(same, '1.0'))).toEqual([]);
      expect(changesIn(await plan('1', same))).toEqual([]);
    }
    expect(changesIn(await plan('1.0', '0.99'))).toEqual([
      'update https_edges.e.routes.x circuit_breaker.error_threshold_percentage: drift',
    ]);
  });
});

describe('TLS', () => {
  trap('`terminate_at: edge`, which HTTPS edges report and cannot be told', {
    of: 'https_edges',
    spec: { tls_termination: { min_version: '1.2' } },
    shapes: {
      edge: { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' } },
      absent: { tls_termination: { enabled: true, min_version: '1.2' } },
    },
    but: {
      'another version': {
        shape: { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.3' } },
        seen: ['update tls_termination.min_version: drift'],
      },
    },
  });

  trap('`min_version: null` under upstream termination', {
    of: 'tls_edges',
    spec: { tls_termination: { terminate_at: 'upstream' } },
    shapes: {
      null: { tls_termination: { enabled: true, terminate_at: 'upstream', min_version: null } },
      absent: { tls_termination: { enabled: true, terminate_at: 'upstream' } },
      empty: { tls_termination: { enabled: true, terminate_at: 'upstream', min_version: '' } },
    },
    but: {
      'termination at the edge': {
        shape: { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' } },
        seen: ['update tls_termination.terminate_at: drift'],
      },
    },
  });

  trap('what the service chose for a termination left to it', {
    of: 'tls_edges',
    spec: { tls_termination: {} },
    shapes: {
      edge: { tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' } },
      upstream: { tls_termination: { enabled: true, terminate_at: 'upstream', min_version: null } },
    },
    but: {
      'switched off': {
        shape: { tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.2' } },
        seen: ['update tls_termination.enabled: drift'],
      },
      'the module is gone': { shape: { tls_termination: null }, seen: ['update tls_termination: drift'] },
    },
  });
});

describe('what is no shape of the same value', () => {
  test.each([
    ['tls_edges', { hostports: {} }, 'hostports is '],
    ['ssh_credentials', { acl: '' }, 'acl is '],
    ['tls_edges', { backend: [] }, 'backend is '],
    ['tls_edges', { ip_restriction: { ip_policies: ['ipp_1'] } }, 'ip_restriction.ip_policies.0 is '],
    ['tls_edges', { mutual_tls: { enabled: 'true' } }, 'mutual_tls.enabled is '],
    ['https_edges', { routes: {} }, 'routes is '],
    ['reserved_addrs', { endpoint_configuration: 'ec_1' }, 'endpoint_configuration is '],
  ] as const)('%s with %j is an error that names the place, not an empty value', async (of, shape, place) => {
    const spec = of === 'ssh_credentials' ? { public_key: 'ssh-ed25519 AAAA' } : {};
    await expect(outcome(of, spec, shape)).rejects.toThrow(place);
  });
});
