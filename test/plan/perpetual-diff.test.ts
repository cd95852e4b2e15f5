// Answers in every awkward shape that a service of this form may give: after an apply none of them may look like a change,
// and beside each of them a real change must still be seen. Bodies are typed by hand, not derived from the code under test.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Answers, Body } from '../support/answers.ts';
import { load } from '../support/world.ts';
import { changesIn, metadataOf, objectsIn, planAgainst } from '../support/answers.ts';

const API = 'https://api.example.test';
const ref = (path: string, id: string) => ({ id, uri: `${API}/${path}/${id}` });

/** Usual answers, by manifest key; `routes` stands for a route inside an HTTPS edge. */
const usual = {
  api_keys: {
    id: 'ak_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/api_keys/ak_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    description: '',
    created_at: '2024-03-01T10:00:00Z',
    token: null,
    owner_id: 'usr_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
  },
  ssh_credentials: {
    id: 'sshcr_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/ssh_credentials/sshcr_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    description: '',
    public_key: 'ssh-ed25519 AAAA',
    acl: [],
    owner_id: 'usr_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
  },
  agent_ingresses: {
    id: 'agin_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/agent_ingresses/agin_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    description: '',
    domain: 'connect.example.com',
    ns_targets: ['ns1.example.test', 'ns2.example.test'],
    region_domains: ['us.connect.example.com'],
    created_at: '2024-03-01T10:00:00Z',
  },
  tls_edges: {
    id: 'edgtls_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/edges/tls/edgtls_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    description: '',
    created_at: '2024-03-01T10:00:00Z',
    hostports: [],
    backend: null,
    ip_restriction: null,
    mutual_tls: null,
    tls_termination: null,
  },
  https_edges: {
    id: 'edghts_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/edges/https/edghts_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    description: '',
    created_at: '2024-03-01T10:00:00Z',
    hostports: [],
    mutual_tls: null,
    tls_termination: null,
    routes: [],
  },
  routes: {
    edge_id: 'edghts_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    id: 'edghtsrt_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/edges/https/edghts_2Xk9hL5m4cQe7uWn8rYx3kVn5dE/routes/edghtsrt_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    match_type: 'path_prefix',
    match: '/',
    description: '',
    backend: null,
    ip_restriction: null,
    circuit_breaker: null,
    compression: null,
    request_headers: null,
    response_headers: null,
    webhook_verification: null,
    oauth: null,
    saml: null,
    oidc: null,
    websocket_tcp_converter: null,
  },
  reserved_addrs: {
    id: 'ra_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/reserved_addrs/ra_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    description: '',
    addr: '1.tcp.example.test:20001',
    region: 'us',
    endpoint_configuration: null,
  },
  failover_backends: {
    id: 'bkdfo_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/backends/failover/bkdfo_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    description: '',
    backends: [],
  },
  event_destinations: {
    id: 'ed_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/event_destinations/ed_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    description: '',
    format: 'json',
    target: {
      firehose: null,
      kinesis: { auth: { role: { role_arn: 'arn:role' }, creds: null }, stream_arn: 'arn:stream' },
      cloudwatch_logs: null,
      datadog: null,
    },
  },
  event_subscriptions: {
    id: 'esb_2Xk9hL5m4cQe7uWn8rYx3kVn5dE',
    uri: `${API}/event_subscriptions/esb_2Xk9hL5m4cQe7uWn8rYx3kVn5dE`,
    created_at: '2024-03-01T10:00:00Z',
    description: '',
    sources: [],
    destinations: [],
  },
} satisfies Readonly<Record<string, Body>>;
type Key = keyof typeof usual;

const ROUTE = { match_type: 'path_prefix', match: '/' };
const KINESIS = { target: { kinesis: { stream_arn: 'arn:stream', auth: { role: { role_arn: 'arn:role' } } } } };

const addressOf = (of: Key) => (of === 'routes' ? 'https_edges.e.routes.x' : `${of}.x`);

function manifestOf(of: Key, spec: JsonObject): JsonObject {
  const head = { version: 1, stack: 'shop' };
  if (of !== 'routes') return { ...head, [of]: { x: spec } };
  return { ...head, https_edges: { e: { routes: { x: { ...ROUTE, ...spec } } } } };
}

/** What the service answers once `spec` was applied: the usual body with what `shape` changes in it. */
async function answered(of: Key, spec: JsonObject, shape: Body): Promise<Answers> {
  const texts = await metadataOf(manifestOf(of, spec));
  const body = { ...usual[of], metadata: texts.get(addressOf(of)), ...shape };
  // Destinations that subscriptions name by id exist, but belong to nobody.
  const others = ['ed_1', 'ed_2'].map((id) => ({ ...usual.event_destinations, id }));
  if (of === 'event_subscriptions') return { event_destinations: others, [of]: [body] };
  if (of !== 'routes') return { [of]: [body] };
  const edge = { ...usual.https_edges, metadata: texts.get('https_edges.e') };
  return { https_edges: [{ ...edge, routes: [body as JsonObject] }] };
}

/** The plan for `wanted` (when left out: what was applied), without the address. */
async function outcome(of: Key, spec: JsonObject, shape: Body, wanted: JsonObject = spec): Promise<string[]> {
  const plan = await planAgainst(manifestOf(of, wanted), await answered(of, spec, shape));
  return changesIn(plan).map((line) => line.replace(` ${addressOf(of)}`, ''));
}

interface Trap {
  readonly of: Key;
  /** What the manifest says and what was applied. */
  readonly spec: JsonObject;
  /** Shapes of the answer that all mean what was applied, by name. */
  readonly shapes: Readonly<Record<string, Body>>;
  /** Real differences: another answer, another manifest, or both, and the changes that must be seen. */
  readonly but: Readonly<
    Record<string, { readonly shape?: Body; readonly wanted?: JsonObject; readonly seen: string[] }>
  >;
}

function trap(name: string, { of, spec, shapes, but }: Trap): void {
  const [first = {}] = Object.values(shapes);
  describe(name, () => {
    test.each(Object.entries(shapes))('no change: %s', async (_, shape) => {
      expect(await outcome(of, spec, shape)).toEqual([]);
    });
    test.each(Object.entries(but))('seen: %s', async (_, { shape, wanted, seen }) => {
      expect(await outcome(of, spec, shape ?? first, wanted)).toEqual(seen);
    });
  });
}

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

  trap('a description set to nothing', {
    of: 'event_subscriptions',
    spec: { description: '' },
    shapes: { absent: { description: undefined }, null: { description: null }, empty: { description: '' } },
    but: { 'somebody wrote one': { shape: { description: ' ' }, seen: ['update description: drift'] } },
  });

  trap('a description with blanks at its ends', {
    of: 'failover_backends',
    spec: { description: '  two before, a line end after \n' },
    shapes: { 'byte for byte': { description: '  two before, a line end after \n' } },
    but: {
      'the service cut the blanks': {
        shape: { description: 'two before, a line end after' },
        seen: ['update description: drift'],
      },
      'the manifest cut them': {
        wanted: { description: 'two before, a line end after' },
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

describe('lists and maps', () => {
  trap('no hostports', {
    of: 'tls_edges',
    spec: { hostports: [] },
    shapes: { null: { hostports: null }, absent: { hostports: undefined }, empty: { hostports: [] } },
    but: {
      'somebody added one': { shape: { hostports: ['a.example.com:443'] }, seen: ['update hostports: drift'] },
      'the manifest has one': { wanted: { hostports: ['a.example.com:443'] }, seen: ['update hostports: config'] },
    },
  });

  trap('hostports that the manifest leaves out', {
    of: 'https_edges',
    spec: {},
    shapes: { null: { hostports: null }, absent: { hostports: undefined }, empty: { hostports: [] } },
    but: { 'somebody added one': { shape: { hostports: ['a.example.com:443'] }, seen: ['update hostports: drift'] } },
  });

  trap('hostports in another order and in lower case', {
    of: 'tls_edges',
    spec: { hostports: ['B.Example.com:443', 'a.example.com:443'] },
    shapes: {
      'as sent': { hostports: ['B.Example.com:443', 'a.example.com:443'] },
      'lower case': { hostports: ['b.example.com:443', 'a.example.com:443'] },
      'another order': { hostports: ['a.example.com:443', 'b.example.com:443'] },
    },
    but: {
      'another port': {
        shape: { hostports: ['b.example.com:444', 'a.example.com:443'] },
        seen: ['update hostports: drift'],
      },
      'one is missing': { shape: { hostports: ['b.example.com:443'] }, seen: ['update hostports: drift'] },
      'the manifest drops one': { wanted: { hostports: ['a.example.com:443'] }, seen: ['update hostports: config'] },
    },
  });

  trap('no routes', {
    of: 'https_edges',
    spec: {},
    shapes: { null: { routes: null }, absent: { routes: undefined }, empty: { routes: [] } },
    but: {
      'the manifest has one': {
        wanted: { routes: { r: ROUTE } },
        seen: ['create.routes.r match_type: config', 'create.routes.r match: config'],
      },
    },
  });

  trap('no children of a failover backend', {
    of: 'failover_backends',
    spec: { backends: [] },
    shapes: { empty: { backends: [] }, null: { backends: null }, absent: { backends: undefined } },
    but: { 'somebody added one': { shape: { backends: ['bkdhr_1'] }, seen: ['update backends: drift'] } },
  });

  trap('children of a failover backend keep their order', {
    of: 'failover_backends',
    spec: { backends: ['bkdhr_2', 'bkdhr_1'] },
    shapes: { 'as sent': { backends: ['bkdhr_2', 'bkdhr_1'] } },
    but: {
      'somebody turned them round': { shape: { backends: ['bkdhr_1', 'bkdhr_2'] }, seen: ['update backends: drift'] },
      'the manifest turned them round': {
        wanted: { backends: ['bkdhr_1', 'bkdhr_2'] },
        seen: ['update backends: config'],
      },
    },
  });

  trap('no ACL', {
    of: 'ssh_credentials',
    spec: { public_key: 'ssh-ed25519 AAAA' },
    shapes: { empty: { acl: [] }, null: { acl: null }, absent: { acl: undefined } },
    but: { 'somebody limited it': { shape: { acl: ['bind:a.example.com'] }, seen: ['update acl: drift'] } },
  });

  trap('sources and destinations in another order', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'b.v0' }, { type: 'a.v0' }], destination_ids: ['ed_2', 'ed_1'] },
    shapes: {
      'another order': {
        sources: [
          { type: 'a.v0', uri: `${API}/a` },
          { type: 'b.v0', uri: `${API}/b` },
        ],
        destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_2')],
      },
    },
    but: {
      'another source': {
        shape: {
          sources: [{ type: 'a.v0' }, { type: 'c.v0' }],
          destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_2')],
        },
        seen: ['update sources: drift'],
      },
      'the manifest drops a destination': {
        wanted: { sources: [{ type: 'b.v0' }, { type: 'a.v0' }], destination_ids: ['ed_2'] },
        seen: ['update destination_ids: config'],
      },
    },
  });

  trap('entries that are given twice in a list without an order', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'a.v0' }, { type: 'a.v0' }], destination_ids: ['ed_1', 'ed_1'] },
    shapes: {
      once: { sources: [{ type: 'a.v0' }], destinations: [ref('event_destinations', 'ed_1')] },
      'once and twice': {
        sources: [{ type: 'a.v0' }, { type: 'a.v0', uri: 'x' }],
        destinations: [ref('event_destinations', 'ed_1')],
      },
    },
    but: {
      'another beside it': {
        shape: {
          sources: [{ type: 'a.v0' }, { type: 'b.v0' }],
          destinations: [ref('event_destinations', 'ed_1'), ref('event_destinations', 'ed_1')],
        },
        seen: ['update sources: drift'],
      },
    },
  });

  trap('header names that differ in case only, to be removed', {
    of: 'routes',
    spec: { request_headers: { remove: ['Server', 'server'] } },
    shapes: { once: { request_headers: { enabled: true, add: {}, remove: ['server'] } } },
    but: {
      'nothing removed any more': {
        shape: { request_headers: { enabled: true, add: {}, remove: [] } },
        seen: ['update request_headers.remove: drift'],
      },
    },
  });

  trap('children given twice in a list with an order', {
    of: 'failover_backends',
    spec: { backends: ['bkdhr_1', 'bkdhr_2', 'bkdhr_1'] },
    shapes: { 'as sent': { backends: ['bkdhr_1', 'bkdhr_2', 'bkdhr_1'] } },
    but: { once: { shape: { backends: ['bkdhr_1', 'bkdhr_2'] }, seen: ['update backends: drift'] } },
  });

  trap('sources with an address of the service and with fields that the manifest cannot give', {
    of: 'event_subscriptions',
    spec: { sources: [{ type: 'a.v0' }] },
    shapes: {
      'with an address': { sources: [{ type: 'a.v0', uri: `${API}/event_subscriptions/esb_1/sources/a.v0` }] },
      'with fields': { sources: [{ type: 'a.v0', uri: `${API}/x`, fields: ['object', 'principal'], filter: null }] },
      'destinations null': { sources: [{ type: 'a.v0' }], destinations: null },
    },
    but: {
      'another type': { shape: { sources: [{ type: 'a.v1', uri: `${API}/x` }] }, seen: ['update sources: drift'] },
    },
  });

  trap('header names in lower case, in `add` and in `remove`', {
    of: 'routes',
    spec: { response_headers: { add: { 'X-Frame-Options': 'DENY' }, remove: ['Server', 'X-Powered-By'] } },
    shapes: {
      'lower case': {
        response_headers: { enabled: true, add: { 'x-frame-options': 'DENY' }, remove: ['server', 'x-powered-by'] },
      },
      'another order': {
        response_headers: { enabled: true, add: { 'x-frame-options': 'DENY' }, remove: ['x-powered-by', 'server'] },
      },
    },
    but: {
      'a value in another case': {
        shape: { response_headers: { add: { 'x-frame-options': 'deny' }, remove: ['server', 'x-powered-by'] } },
        seen: ['update response_headers.add: drift'],
      },
      'a header more': {
        shape: {
          response_headers: { add: { 'x-frame-options': 'DENY', 'x-b': '' }, remove: ['server', 'x-powered-by'] },
        },
        seen: ['update response_headers.add: drift'],
      },
      'a removed header less': {
        wanted: { response_headers: { add: { 'X-Frame-Options': 'DENY' }, remove: ['Server'] } },
        seen: ['update response_headers.remove: config'],
      },
    },
  });

  trap('header modules with nothing in them', {
    of: 'routes',
    spec: { request_headers: { enabled: true } },
    shapes: {
      null: { request_headers: { enabled: true, add: null, remove: null } },
      empty: { request_headers: { enabled: true, add: {}, remove: [] } },
      absent: { request_headers: { enabled: true } },
    },
    but: {
      'somebody added a header': {
        shape: { request_headers: { enabled: true, add: { 'x-a': '' }, remove: [] } },
        seen: ['update request_headers.add: drift'],
      },
    },
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

test('an ingress domain with a final dot is a mistake in the manifest: the service would answer it without', () => {
  expect(() => load(manifestOf('agent_ingresses', { domain: 'connect.example.com.' }))).toThrow('final dot');
  expect(() => load(manifestOf('agent_ingresses', { domain: '.' }))).toThrow('final dot');
  for (const domain of ['connect.example.com', 'localhost', 'x']) load(manifestOf('agent_ingresses', { domain }));
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

describe('references', () => {
  const policy = (id: string) => ref('ip_policies', id);
  trap('IP policies as one Ref or as a list', {
    of: 'tls_edges',
    spec: { ip_restriction: { ip_policy_ids: ['ipp_1'] } },
    shapes: {
      'one Ref': { ip_restriction: { enabled: true, ip_policies: policy('ipp_1') } },
      'a list': { ip_restriction: { enabled: true, ip_policies: [policy('ipp_1')] } },
      'Refs without an address': { ip_restriction: { enabled: true, ip_policies: [{ id: 'ipp_1', uri: '' }] } },
    },
    but: {
      'another policy, as one Ref': {
        shape: { ip_restriction: { enabled: true, ip_policies: policy('ipp_2') } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
      'a policy more': {
        shape: { ip_restriction: { enabled: true, ip_policies: [policy('ipp_1'), policy('ipp_2')] } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
      'the last policy is gone: null': {
        shape: { ip_restriction: { enabled: true, ip_policies: null } },
        seen: ['update ip_restriction.ip_policy_ids: drift'],
      },
    },
  });

  trap('several certificate authorities', {
    of: 'https_edges',
    spec: { mutual_tls: { certificate_authority_ids: ['ca_2', 'ca_1'] } },
    shapes: {
      'another order': {
        mutual_tls: {
          enabled: true,
          certificate_authorities: [ref('certificate_authorities', 'ca_1'), ref('certificate_authorities', 'ca_2')],
        },
      },
    },
    but: {
      'one left': {
        shape: { mutual_tls: { enabled: true, certificate_authorities: ref('certificate_authorities', 'ca_1') } },
        seen: ['update mutual_tls.certificate_authority_ids: drift'],
      },
    },
  });

  trap('no IP policies and no certificate authorities', {
    of: 'tls_edges',
    spec: { ip_restriction: { ip_policy_ids: [] }, mutual_tls: {} },
    shapes: {
      null: {
        ip_restriction: { enabled: true, ip_policies: null },
        mutual_tls: { enabled: true, certificate_authorities: null },
      },
      empty: {
        ip_restriction: { enabled: true, ip_policies: [] },
        mutual_tls: { enabled: true, certificate_authorities: [] },
      },
      absent: { ip_restriction: { enabled: true }, mutual_tls: { enabled: true } },
    },
    but: {
      'somebody added an authority': {
        shape: {
          ip_restriction: { enabled: true, ip_policies: [] },
          mutual_tls: { enabled: true, certificate_authorities: [ref('certificate_authorities', 'ca_1')] },
        },
        seen: ['update mutual_tls.certificate_authority_ids: drift'],
      },
    },
  });

  trap('a backend whose address is of another kind', {
    of: 'tls_edges',
    spec: { backend: { backend_id: 'bkdhr_1' } },
    shapes: {
      'a Ref': { backend: { enabled: true, backend: { id: 'bkdhr_1', uri: `${API}/backends/http_response/bkdhr_1` } } },
      'a Ref with more in it': { backend: { enabled: true, backend: { id: 'bkdhr_1', uri: null, kind: 'http' } } },
    },
    but: {
      'another backend': {
        shape: { backend: { enabled: true, backend: ref('backends/weighted', 'bkdwd_1') } },
        seen: ['update backend.backend_id: drift'],
      },
      'no backend any more': {
        shape: { backend: { enabled: true, backend: null } },
        seen: ['update backend.backend_id: drift'],
      },
    },
  });

  trap('an endpoint configuration', {
    of: 'reserved_addrs',
    spec: { endpoint_configuration_id: 'ec_1' },
    shapes: { 'a Ref': { endpoint_configuration: ref('endpoint_configurations', 'ec_1') } },
    but: {
      detached: { shape: { endpoint_configuration: null }, seen: ['update endpoint_configuration_id: drift'] },
      'another one': {
        shape: { endpoint_configuration: ref('endpoint_configurations', 'ec_2') },
        seen: ['update endpoint_configuration_id: drift'],
      },
    },
  });
});

describe('secrets that the service masks', () => {
  const creds = (key: Json | undefined) => ({
    target: {
      firehose: null,
      kinesis: {
        auth: {
          role: null,
          creds: { aws_access_key_id: 'AKIA1', ...(key !== undefined && { aws_secret_access_key: key }) },
        },
        stream_arn: 'arn:stream',
      },
      cloudwatch_logs: null,
      s3: null,
      datadog: null,
    },
  });
  const given = (key: string, id = 'AKIA1') => ({
    target: {
      kinesis: {
        auth: { creds: { aws_access_key_id: id, aws_secret_access_key: key } },
        stream_arn: 'arn:stream',
      },
    },
  });
  const path = 'target.kinesis.auth.creds.aws_secret_access_key';
  const masks = { null: null, empty: '', missing: undefined, stars: '****', 'one star': '*' };

  for (const [name, mask] of Object.entries(masks)) {
    trap(`a secret access key that comes back as ${name}`, {
      of: 'event_destinations',
      spec: given('first'),
      shapes: { masked: creds(mask) },
      but: {
        'the manifest has another': { wanted: given('second'), seen: [`update ${path}: config`] },
        'somebody changed the key id': {
          shape: JSON.parse(JSON.stringify(creds(mask)).replace('AKIA1', 'AKIA2')) as Body,
          seen: ['update target.kinesis.auth.creds.aws_access_key_id: drift'],
        },
        'the manifest has another key id': {
          wanted: given('first', 'AKIA2'),
          seen: ['update target.kinesis.auth.creds.aws_access_key_id: config'],
        },
      },
    });

    trap(`an API key of Datadog that comes back as ${name}`, {
      of: 'event_destinations',
      spec: { target: { datadog: { api_key: 'first', ddsite: 'eu' } } },
      shapes: {
        masked: {
          target: {
            kinesis: null,
            datadog: { ...(mask !== undefined && { api_key: mask }), ddsite: 'eu', ddtags: '', service: '' },
          },
        },
      },
      but: {
        'the manifest has another': {
          wanted: { target: { datadog: { api_key: 'second', ddsite: 'eu' } } },
          seen: ['update target.datadog.api_key: config'],
        },
        'the manifest has none any more': {
          wanted: { target: { datadog: { ddsite: 'eu' } } },
          seen: ['update target.datadog.api_key: config'],
        },
      },
    });
  }

  trap('the token of an API key', {
    of: 'api_keys',
    spec: { description: 'deploy' },
    shapes: {
      null: { description: 'deploy', token: null },
      absent: { description: 'deploy', token: undefined },
      empty: { description: 'deploy', token: '' },
    },
    but: { 'another description': { shape: { description: 'x', token: null }, seen: ['update description: drift'] } },
  });
});

describe('secrets that come back as they are', () => {
  const webhook = (secret: string) => ({ webhook_verification: { provider: 'github', secret } });
  trap('a webhook secret', {
    of: 'routes',
    spec: webhook('first'),
    shapes: { echoed: { webhook_verification: { enabled: true, provider: 'github', secret: 'first' } } },
    but: {
      'changed in the manifest': { wanted: webhook('second'), seen: ['update webhook_verification.secret: config'] },
      'changed outside': {
        shape: { webhook_verification: { enabled: true, provider: 'github', secret: 'second' } },
        seen: ['update webhook_verification.secret: drift'],
      },
      'changed in both places': {
        shape: { webhook_verification: { enabled: true, provider: 'github', secret: 'second' } },
        wanted: webhook('third'),
        seen: ['update webhook_verification.secret: both'],
      },
    },
  });

  trap('a webhook without a secret', {
    of: 'routes',
    spec: { webhook_verification: { provider: 'sns' } },
    shapes: {
      empty: { webhook_verification: { enabled: true, provider: 'sns', secret: '' } },
      null: { webhook_verification: { enabled: true, provider: 'sns', secret: null } },
      absent: { webhook_verification: { enabled: true, provider: 'sns' } },
    },
    but: {
      'somebody set one': {
        shape: { webhook_verification: { enabled: true, provider: 'sns', secret: 'first' } },
        seen: ['update webhook_verification.secret: drift'],
      },
    },
  });

  const NONE = {
    facebook: null,
    microsoft: null,
    google: null,
    linkedin: null,
    gitlab: null,
    twitch: null,
    amazon: null,
  };
  const oauth = (github: JsonObject, more: JsonObject = {}) => ({
    oauth: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: 'edge.',
      inactivity_timeout: 0,
      maximum_duration: 0,
      auth_check_interval: 0,
      provider: { ...NONE, github },
      ...more,
    },
  });
  trap('an OAuth client secret', {
    of: 'routes',
    spec: { oauth: { provider: { github: { client_id: 'id', client_secret: 'first' } } } },
    shapes: { echoed: oauth({ client_id: 'id', client_secret: 'first' }) },
    but: {
      'changed in the manifest': {
        wanted: { oauth: { provider: { github: { client_id: 'id', client_secret: 'second' } } } },
        seen: ['update oauth.provider.github.client_secret: config'],
      },
      'changed outside': {
        shape: oauth({ client_id: 'id', client_secret: 'second' }),
        seen: ['update oauth.provider.github.client_secret: drift'],
      },
    },
  });

  trap('an OAuth provider among seven that are null, with what the service fills in', {
    of: 'routes',
    spec: { oauth: { provider: { github: { organizations: ['acme'] } } } },
    shapes: {
      'lists empty, texts empty': oauth({
        client_id: '',
        client_secret: '',
        scopes: [],
        email_addresses: [],
        email_domains: [],
        teams: [],
        organizations: ['acme'],
      }),
      'lists null, texts null': oauth({
        client_id: null,
        client_secret: null,
        scopes: null,
        email_addresses: null,
        email_domains: null,
        teams: null,
        organizations: ['acme'],
      }),
      'only what was given': { oauth: { provider: { github: { organizations: ['acme'] } } } },
      'another cookie prefix': oauth({ organizations: ['acme'] }, { cookie_prefix: 'other.', maximum_duration: 3600 }),
    },
    but: {
      'another organization': {
        shape: oauth({ organizations: ['other'] }),
        seen: ['update oauth.provider.github.organizations: drift'],
      },
      'another provider': {
        shape: {
          oauth: { enabled: true, provider: { ...NONE, github: null, gitlab: { email_domains: ['x.example'] } } },
        },
        seen: ['update oauth.provider.github: drift', 'update oauth.provider.gitlab: drift'],
      },
      'the manifest asks for a cookie prefix': {
        wanted: { oauth: { cookie_prefix: 'shop.', provider: { github: { organizations: ['acme'] } } } },
        seen: ['update oauth.cookie_prefix: config'],
      },
      'somebody lets OPTIONS pass': {
        shape: oauth({ organizations: ['acme'] }, { options_passthrough: true }),
        seen: ['update oauth.options_passthrough: drift'],
      },
    },
  });

  const OIDC = { issuer: 'https://accounts.example.com', client_id: 'shop', client_secret: 'first' };
  const oidc = (more: JsonObject) => ({
    oidc: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      ...OIDC,
      scopes: [],
      ...more,
    },
  });
  trap('an OIDC client secret, and a cookie prefix that is empty', {
    of: 'routes',
    spec: { oidc: OIDC },
    shapes: {
      'as it is': oidc({}),
      'scopes null': oidc({ scopes: null }),
      'prefix null': oidc({ cookie_prefix: null }),
    },
    but: {
      'changed in the manifest': {
        wanted: { oidc: { ...OIDC, client_secret: 'second' } },
        seen: ['update oidc.client_secret: config'],
      },
      'changed outside': { shape: oidc({ client_secret: 'second' }), seen: ['update oidc.client_secret: drift'] },
      'scopes outside': { shape: oidc({ scopes: ['openid'] }), seen: ['update oidc.scopes: drift'] },
    },
  });

  const saml = (more: JsonObject) => ({
    saml: {
      enabled: true,
      options_passthrough: false,
      cookie_prefix: '',
      inactivity_timeout: 0,
      maximum_duration: 0,
      idp_metadata_url: '',
      idp_metadata: '<EntityDescriptor/>\n',
      force_authn: false,
      allow_idp_initiated: true,
      authorized_groups: [],
      entity_id: 'https://idp.example.test/saml/edghtsrt_1',
      assertion_consumer_service_url: 'https://idp.example.test/saml/edghtsrt_1/acs',
      single_logout_url: 'https://idp.example.test/saml/edghtsrt_1/slo',
      request_signing_certificate_pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
      metadata_url: 'https://idp.example.test/saml/edghtsrt_1',
      nameid_format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      ...more,
    },
  });
  trap('SAML with addresses, switches and a format of the service', {
    of: 'routes',
    spec: { saml: { idp_metadata: '<EntityDescriptor/>\n' } },
    shapes: {
      'as recorded': saml({}),
      'groups null': saml({ authorized_groups: null }),
      'no start by the provider': saml({ allow_idp_initiated: false }),
      'other addresses': saml({
        entity_id: 'https://other.example.test/',
        metadata_url: 'https://other.example.test/',
      }),
    },
    but: {
      'other metadata of the provider': {
        shape: saml({ idp_metadata: '<EntityDescriptor/>' }),
        seen: ['update saml.idp_metadata: drift'],
      },
      'a switch that the manifest gives': {
        wanted: { saml: { idp_metadata: '<EntityDescriptor/>\n', allow_idp_initiated: false } },
        seen: ['update saml.allow_idp_initiated: config'],
      },
      'groups outside': { shape: saml({ authorized_groups: ['ops'] }), seen: ['update saml.authorized_groups: drift'] },
    },
  });
});

describe('what the catalogue does not know', () => {
  const extras = {
    policy: null,
    traffic_policy: { enabled: true, value: '{"inbound":[]}' },
    user_agent_filter: { enabled: true, allow: [], deny: ['bot'] },
    endpoint: null,
  };
  trap('fields of newer services', {
    of: 'routes',
    spec: { backend: { backend_id: 'bkdhr_1' }, compression: {} },
    shapes: {
      'beside the modules': {
        ...extras,
        backend: { enabled: true, backend: ref('backends/static', 'bkdhr_1') },
        compression: { enabled: true },
      },
      'inside the modules': {
        backend: { enabled: true, backend: { ...ref('backends/static', 'bkdhr_1'), ...extras }, ...extras },
        compression: { enabled: true, algorithms: ['gzip'] },
      },
    },
    but: {
      'another backend among them': {
        shape: { ...extras, backend: { enabled: true, backend: ref('x', 'bkdhr_2') }, compression: { enabled: true } },
        seen: ['update backend.backend_id: drift'],
      },
    },
  });

  test('none of them is ever sent back, in whatever step', async () => {
    const spec = { backend: { backend_id: 'bkdhr_1' }, compression: {}, saml: { idp_metadata: '<a/>' } };
    const shape = {
      ...extras,
      backend: { enabled: true, backend: { id: 'bkdhr_1', uri: 'x', zone: 'y' }, zone: 'y' },
      compression: { enabled: true, zone: 'y' },
      saml: { enabled: true, idp_metadata: '<a/>', idp_metadata_url: '', entity_id: 'https://x', zone: 'y' },
    };
    const answers = await answered('routes', spec, shape);
    const wanted: JsonObject[] = [
      { ...spec, backend: { backend_id: 'bkdhr_2' }, compression: { enabled: false } },
      { ...spec, saml: { idp_metadata: '<b/>' }, lifecycle: { ignore_changes: ['backend', 'compression.enabled'] } },
      { lifecycle: { ignore_changes: ['saml.idp_metadata'] } },
    ];
    for (const capabilities of [new Set(['routes', 'module-delete'] as const), new Set(['routes'] as const)]) {
      for (const one of wanted) {
        const plan = await planAgainst(manifestOf('routes', one), answers, { capabilities });
        expect(plan.steps).not.toEqual([]);
        const names = bodiesOf(plan).flatMap((body) => objectsIn(body).flatMap(Object.keys));
        expect(names.filter((name) => /zone|policy|user_agent|_url$|entity_id|^uri$|^id$/.test(name))).toEqual([]);
      }
    }
  });

  trap('a target with every kind in it, all but one null', {
    of: 'event_destinations',
    spec: KINESIS,
    shapes: {
      null: {
        target: {
          debug: null,
          azure_logs_ingestion: null,
          s3: null,
          datadog: null,
          cloudwatch_logs: null,
          firehose: null,
          kinesis: { auth: { role: { role_arn: 'arn:role' }, creds: null }, stream_arn: 'arn:stream' },
        },
      },
      'only the one': { target: { kinesis: { auth: { role: { role_arn: 'arn:role' } }, stream_arn: 'arn:stream' } } },
    },
    but: {
      'another stream': {
        shape: {
          target: { kinesis: { auth: { role: { role_arn: 'arn:role' }, creds: null }, stream_arn: 'arn:other' } },
        },
        seen: ['update target.kinesis.stream_arn: drift'],
      },
      'another kind of target': {
        shape: {
          target: {
            kinesis: null,
            firehose: { auth: { role: { role_arn: 'arn:role' }, creds: null }, delivery_stream_arn: 'arn:stream' },
          },
        },
        seen: ['replace create target.kinesis: drift', 'replace create target.firehose: drift', 'replace delete'],
      },
      'access keys in place of the role': {
        shape: {
          target: {
            kinesis: {
              auth: { role: null, creds: { aws_access_key_id: 'AKIA1', aws_secret_access_key: '' } },
              stream_arn: 'arn:stream',
            },
          },
        },
        seen: ['update target.kinesis.auth.role: drift', 'update target.kinesis.auth.creds: drift'],
      },
    },
  });

  trap('a target whose fields are not shown, with what the service fills in', {
    of: 'event_destinations',
    spec: { target: { s3: { bucket_arn: 'arn:bucket', auth: { role: { role_arn: 'arn:role' } }, own: 'kept' } } },
    shapes: {
      filled: {
        target: {
          kinesis: null,
          s3: {
            auth: { role: { role_arn: 'arn:role' }, creds: null },
            bucket_arn: 'arn:bucket',
            object_prefix: '',
            compression: false,
            max_file_size: 0,
            max_file_age: null,
            own: 'kept',
            of_the_service: { a: 1 },
          },
        },
      },
    },
    but: {
      'an own field': {
        shape: {
          target: { s3: { auth: { role: { role_arn: 'arn:role' } }, bucket_arn: 'arn:bucket', own: 'lost' } },
        },
        seen: ['update target.s3.own: drift'],
      },
    },
  });
});

const bodiesOf = (plan: Plan): JsonObject[] =>
  plan.steps.flatMap((step) => step.requests.flatMap(({ body }) => (body === undefined ? [] : [body])));

describe('what updates carry', () => {
  /** The bodies of the updates that lead from `spec`, as the service shows it, to `wanted`; the marker aside. */
  async function sent(of: Key, spec: JsonObject, shape: Body, wanted: JsonObject): Promise<JsonObject[]> {
    const plan = await planAgainst(manifestOf(of, wanted), await answered(of, spec, shape));
    expect(changesIn(plan)).not.toEqual([]);
    return bodiesOf(plan).map(({ metadata: _, ...body }) => body);
  }

  test('an update of a failover backend carries its children, also when only the description changes', async () => {
    const backends = ['bkdhr_2', 'bkdhr_1'];
    expect(
      await sent(
        'failover_backends',
        { backends, description: 'a' },
        { backends, description: 'a' },
        { backends, description: 'b' },
      ),
    ).toEqual([{ backends, description: 'b' }]);
    expect(await sent('failover_backends', { backends }, { backends }, { backends, metadata: 'mine' })).toEqual([
      { backends },
    ]);
    expect(await sent('failover_backends', {}, { backends: null }, { description: 'b' })).toEqual([
      { backends: [], description: 'b' },
    ]);
  });

  test('children under `ignore_changes` are sent as they are in the service', async () => {
    const backends = ['bkdhr_1'];
    const lifecycle = { ignore_changes: ['backends'] };
    const wanted = { backends, description: 'b', lifecycle };
    expect(await sent('failover_backends', { backends }, { backends: ['bkdhr_2'] }, wanted)).toEqual([
      { backends: ['bkdhr_2'], description: 'b' },
    ]);
  });

  test('other lists stay out of an update that does not change them', async () => {
    const hostports = ['a.example.com:443'];
    expect(await sent('tls_edges', { hostports }, { hostports }, { hostports, description: 'b' })).toEqual([
      { description: 'b' },
    ]);
  });

  test('an emptied list is sent as []', async () => {
    const full = { hostports: ['a.example.com:443'] };
    for (const wanted of [{}, { hostports: [] }]) {
      expect(await sent('tls_edges', full, full, wanted)).toEqual([{ hostports: [] }]);
      expect(await sent('https_edges', full, full, wanted)).toEqual([{ hostports: [] }]);
    }
    const key = { public_key: 'ssh-ed25519 AAAA' };
    const acl = ['bind:a.example.com'];
    for (const wanted of [key, { ...key, acl: [] }]) {
      expect(await sent('ssh_credentials', { ...key, acl }, { acl }, wanted)).toEqual([{ acl: [] }]);
    }
    const backends = ['bkdhr_1'];
    for (const wanted of [{}, { backends: [] }]) {
      expect(await sent('failover_backends', { backends }, { backends }, wanted)).toEqual([{ backends: [] }]);
    }
    const both = { sources: [{ type: 'a.v0' }], destination_ids: ['ed_1'] };
    const shown = { sources: [{ type: 'a.v0', uri: 'x' }], destinations: [ref('event_destinations', 'ed_1')] };
    expect(await sent('event_subscriptions', both, shown, {})).toEqual([{ sources: [], destination_ids: [] }]);
  });

  test('a cleared description is sent as ""', async () => {
    for (const of of ['api_keys', 'tls_edges', 'https_edges', 'reserved_addrs', 'routes'] as const) {
      for (const wanted of [{}, { description: '' }]) {
        expect(await sent(of, { description: 'a' }, { description: 'a' }, wanted)).toEqual([{ description: '' }]);
      }
    }
  });

  test('cleared metadata of the user leaves the marker alone in it', async () => {
    const plan = await planAgainst(manifestOf('tls_edges', {}), await answered('tls_edges', { metadata: 'mine' }, {}));
    expect(changesIn(plan)).toEqual(['update tls_edges.x metadata: config']);
    expect(bodiesOf(plan).map((body) => Object.keys(JSON.parse(String(body['metadata'])) as JsonObject))).toEqual([
      ['edgeform'],
    ]);
  });

  test('a module is sent whole, and is never sent as null', async () => {
    const spec = { tls_termination: { min_version: '1.2' }, mutual_tls: { certificate_authority_ids: ['ca_1'] } };
    const shape = {
      tls_termination: { enabled: true, terminate_at: 'edge', min_version: '1.2' },
      mutual_tls: { enabled: true, certificate_authorities: [ref('certificate_authorities', 'ca_1')] },
    };
    const changed = { ...spec, tls_termination: { min_version: '1.3' } };
    expect(await sent('https_edges', spec, shape, changed)).toEqual([{ tls_termination: { min_version: '1.3' } }]);
    for (const capabilities of [new Set(['routes', 'module-delete'] as const), new Set(['routes'] as const)]) {
      const answers = await answered('https_edges', spec, shape);
      const plan = await planAgainst(manifestOf('https_edges', { description: 'b' }), answers, { capabilities });
      const values = bodiesOf(plan).flatMap((body) => objectsIn(body).flatMap((object) => Object.values(object)));
      expect(values).not.toContain(null);
      expect(changesIn(plan)).toHaveLength(3);
    }
  });

  test('a module that was switched off in place of being removed is as good as gone', async () => {
    const answers = await answered('routes', {}, { compression: { enabled: false } });
    expect(changesIn(await planAgainst(manifestOf('routes', {}), answers))).toEqual([]);
    const plan = await planAgainst(manifestOf('routes', { compression: {} }), answers);
    expect(bodiesOf(plan)).toMatchObject([{ compression: {} }]);
  });

  test('and when the manifest has it again, only the manifest changed', async () => {
    const answers = await answered('routes', {}, { compression: { enabled: false } });
    const plan = await planAgainst(manifestOf('routes', { compression: {} }), answers);
    expect(plan.steps[0]?.changes).toMatchObject([{ path: 'compression.enabled', cause: 'config' }]);
  });
});

describe('what is no shape of the same value', () => {
  test.each([
    ['tls_edges', { hostports: {} }, 'hostports is not'],
    ['ssh_credentials', { acl: '' }, 'acl is not'],
    ['tls_edges', { backend: [] }, 'backend is not'],
    ['tls_edges', { ip_restriction: { ip_policies: ['ipp_1'] } }, 'ip_restriction.ip_policies.0 is not'],
    ['tls_edges', { mutual_tls: { enabled: 'true' } }, 'mutual_tls.enabled is not'],
    ['https_edges', { routes: {} }, 'routes is not'],
    ['reserved_addrs', { endpoint_configuration: 'ec_1' }, 'endpoint_configuration is not'],
  ] as const)('%s with %j is an error that names the place, not an empty value', async (of, shape, place) => {
    const spec = of === 'ssh_credentials' ? { public_key: 'ssh-ed25519 AAAA' } : {};
    await expect(outcome(of, spec, shape)).rejects.toThrow(place);
  });
});
