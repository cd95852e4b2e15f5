// Answers in every awkward shape that a service of this form may give: after an apply none of them may look like a change,
// and beside each of them a real change must still be seen. Bodies are typed by hand, not derived from the code under test.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Answers, Body } from './answers.ts';
import { changesIn, metadataOf, planAgainst } from './answers.ts';

export const API = 'https://api.example.test';
export const ref = (path: string, id: string) => ({ id, uri: `${API}/${path}/${id}` });

/** Usual answers, by manifest key; `routes` stands for a route inside an HTTPS edge. */
export const usual = {
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
export type Key = keyof typeof usual;

export const ROUTE = { match_type: 'path_prefix', match: '/' };
export const KINESIS = { target: { kinesis: { stream_arn: 'arn:stream', auth: { role: { role_arn: 'arn:role' } } } } };

const addressOf = (of: Key) => (of === 'routes' ? 'https_edges.e.routes.x' : `${of}.x`);

export function manifestOf(of: Key, spec: JsonObject): JsonObject {
  const head = { version: 1, stack: 'shop' };
  if (of !== 'routes') return { ...head, [of]: { x: spec } };
  return { ...head, https_edges: { e: { routes: { x: { ...ROUTE, ...spec } } } } };
}

/** What the service answers once `spec` was applied: the usual body with what `shape` changes in it. */
export async function answered(of: Key, spec: JsonObject, shape: Body): Promise<Answers> {
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
export async function outcome(of: Key, spec: JsonObject, shape: Body, wanted: JsonObject = spec): Promise<string[]> {
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

export function trap(name: string, { of, spec, shapes, but }: Trap): void {
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
