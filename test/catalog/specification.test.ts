// The catalogue against tables typed by hand from the specification, so that both cannot be wrong in the same way.

import { describe, expect, test } from 'vitest';
import { formatAddress, parseAddress, splitReference } from '../../src/catalog/address.ts';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { kinds } from '../../src/catalog/kinds/index.ts';
import { findKind, kindByIdPrefix, kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import { documented } from '../../src/catalog/provenance.ts';

// §4: resource, path, list key, id prefix (§2). '-' is an operation that the specification does not have.
test.each([
  ['api_key', '/api_keys', 'keys', 'ak_'],
  ['ssh_credential', '/ssh_credentials', 'ssh_credentials', 'sshcr_'],
  ['agent_ingress', '/agent_ingresses', 'ingresses', 'agin_'],
  ['tls_edge', '/edges/tls', 'tls_edges', 'edgtls_'],
  ['https_edge', '/edges/https', 'https_edges', 'edghts_'],
  ['reserved_addr', '/reserved_addrs', 'reserved_addrs', 'ra_'],
  ['failover_backend', '/backends/failover', 'backends', 'bkdfo_'],
  ['event_destination', '/event_destinations', 'event_destinations', 'ed_'],
  ['event_subscription', '/event_subscriptions', 'event_subscriptions', 'esb_'],
])('%s has the operations of §4', (name, path, key, prefix) => {
  const { operations, idPrefix } = kindByName(name);
  expect(operations.create).toMatchObject({ method: 'POST', path });
  expect(operations.list).toMatchObject({ method: 'GET', path, key });
  expect(operations.get).toMatchObject({ method: 'GET', path: `${path}/{id}` });
  expect(operations.update).toMatchObject({ method: 'PATCH', path: `${path}/{id}` });
  expect(operations.delete).toMatchObject({ method: 'DELETE', path: `${path}/{id}` });
  expect(idPrefix).toBe(prefix);
});

test('application sessions can be read and deleted only', () => {
  const { operations, unmanaged } = kindByName('application_session');
  expect(Object.keys(operations).sort()).toEqual(['delete', 'get', 'list']);
  expect(operations.list).toMatchObject({ path: '/app/sessions', key: 'application_sessions' });
  expect(unmanaged).toBe(true);
});

test('every operation is one of §4, or belongs to a capability of ADR-0004', () => {
  const operations = kinds.flatMap((kind) => Object.values(kind.operations));
  const assumed = operations.filter((operation) => operation.capability !== undefined);
  expect(assumed.map(({ method, path, capability }) => `${capability} ${method} ${path}`).sort()).toEqual([
    'https-edge-list GET /edges/https',
    'routes DELETE /edges/https/{parent_id}/routes/{id}',
    'routes GET /edges/https/{parent_id}/routes/{id}',
    'routes PATCH /edges/https/{parent_id}/routes/{id}',
    'routes POST /edges/https/{parent_id}/routes',
  ]);
  for (const { source } of operations.filter((operation) => operation.capability === undefined))
    expect(source).toEqual(documented('§4'));
});

test('a DELETE below an object removes a module of an edge or a route, by its name', () => {
  const removals = kinds.flatMap((kind) =>
    Object.entries(kind.fields).flatMap(([name, { remove, module }]) =>
      remove === undefined ? [] : [[kind.operations.get.path, remove, module === true && remove === name]],
    ),
  );
  expect([...new Set(removals.map(([path]) => path))].sort()).toEqual([
    '/edges/https/{id}',
    '/edges/https/{parent_id}/routes/{id}',
    '/edges/tls/{id}',
  ]);
  expect(removals.filter(([, , isModule]) => isModule !== true)).toEqual([]);
});

// §4: fields of create bodies and of update bodies.
const MODULES = 'backend ip_restriction mutual_tls tls_termination';
const ROUTE_MODULES =
  'backend ip_restriction circuit_breaker compression request_headers response_headers webhook_verification oauth saml oidc websocket_tcp_converter';
test.each([
  ['api_key', 'description metadata owner_id', 'description metadata'],
  ['ssh_credential', 'description metadata acl public_key owner_id', 'description metadata acl'],
  ['agent_ingress', 'description metadata domain', 'description metadata'],
  ['tls_edge', `description metadata hostports ${MODULES}`, `description metadata hostports ${MODULES}`],
  [
    'https_edge',
    'description metadata hostports mutual_tls tls_termination',
    'description metadata hostports mutual_tls tls_termination',
  ],
  [
    'https_edge_route',
    `description metadata match_type match ${ROUTE_MODULES}`,
    `description metadata match_type match ${ROUTE_MODULES}`,
  ],
  ['reserved_addr', 'description metadata region', 'description metadata endpoint_configuration_id'],
  ['failover_backend', 'description metadata backends', 'description metadata backends'],
  ['event_destination', 'metadata description format target', 'metadata description format target'],
  [
    'event_subscription',
    'metadata description sources destination_ids',
    'metadata description sources destination_ids',
  ],
])('%s takes the request fields of §4', (name, create, update) => {
  const { fields } = kindByName(name);
  const accepted = (when: 'create' | 'update') =>
    Object.keys(fields).filter((field) => [undefined, 'always', when].includes(fields[field]?.write));
  expect(accepted('create').sort()).toEqual(create.split(' ').sort());
  expect(accepted('update').sort()).toEqual(update.split(' ').sort());
});

function fieldAt(kind: string, path: string): Field | undefined {
  let fields: Fields = kindByName(kind).fields;
  let field: Field | undefined;
  for (const name of path.split('.')) {
    field = fields[name];
    const inner = field?.type === 'list' ? field.items : field;
    fields = inner?.type === 'object' ? inner.fields : {};
  }
  return field;
}

// §2 and §8: limits, closed sets and response names.
test.each<readonly [string, string, object]>([
  ['tls_edge', 'description', { maxBytes: 255 }],
  ['tls_edge', 'metadata', { maxBytes: 4096 }],
  ['event_subscription', 'description', { maxChars: 255 }],
  ['event_subscription', 'metadata', { maxChars: 4096 }],
  ['https_edge_route', 'circuit_breaker.num_buckets', { type: 'integer', max: 128 }],
  ['https_edge_route', 'circuit_breaker.error_threshold_percentage', { type: 'number', min: 0, max: 1 }],
  ['https_edge_route', 'match_type', { values: ['exact_path', 'path_prefix'] }],
  ['tls_edge', 'tls_termination.terminate_at', { values: ['edge', 'upstream'] }],
  ['https_edge', 'tls_termination.terminate_at', { write: 'never' }],
  [
    'reserved_addr',
    'region',
    { values: ['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'], default: { value: 'us' }, write: 'create' },
  ],
  [
    'reserved_addr',
    'endpoint_configuration_id',
    { write: 'update', response: { name: 'endpoint_configuration', shape: 'ref' } },
  ],
  ['tls_edge', 'backend.backend_id', { response: { name: 'backend', shape: 'ref' } }],
  ['tls_edge', 'ip_restriction.ip_policy_ids', { response: { name: 'ip_policies', shape: 'refs' } }],
  [
    'tls_edge',
    'mutual_tls.certificate_authority_ids',
    { response: { name: 'certificate_authorities', shape: 'refs' } },
  ],
  ['event_subscription', 'destination_ids', { response: { name: 'destinations', shape: 'refs' } }],
  ['failover_backend', 'backends', { order: 'kept', alwaysSend: true }],
  ['api_key', 'token', { write: 'never', read: 'once', sensitive: true }],
  ['ssh_credential', 'public_key', { write: 'create', required: true }],
  ['agent_ingress', 'domain', { write: 'create', required: true }],
  ['event_destination', 'target', { exactlyOne: true, fixedChoice: true }],
  ['event_destination', 'target.kinesis.auth', { exactlyOne: true }],
  ['event_destination', 'target.kinesis.auth.creds.aws_secret_access_key', { sensitive: true }],
  ['https_edge_route', 'webhook_verification.secret', { sensitive: true }],
  ['https_edge_route', 'oauth.provider.github.client_secret', { sensitive: true }],
  ['https_edge_route', 'oidc.client_secret', { sensitive: true }],
])('%s.%s is as §2 and §8 say', (kind, path, expected) => {
  expect(fieldAt(kind, path)).toMatchObject(expected);
});

test('OAuth has the eight providers of §2, and teams only on GitHub', () => {
  const provider = fieldAt('https_edge_route', 'oauth.provider');
  const fields = provider?.type === 'object' ? provider.fields : {};
  expect(Object.keys(fields)).toEqual([
    'github',
    'facebook',
    'microsoft',
    'google',
    'linkedin',
    'gitlab',
    'twitch',
    'amazon',
  ]);
  const common = ['client_id', 'client_secret', 'scopes', 'email_addresses', 'email_domains'];
  for (const [name, one] of Object.entries(fields)) {
    const own = one.type === 'object' ? Object.keys(one.fields) : [];
    expect(own, name).toEqual(name === 'github' ? [...common, 'teams', 'organizations'] : common);
  }
});

describe('every kind', () => {
  const all = (fields: Fields, above: string): (readonly [string, Field])[] =>
    Object.entries(fields).flatMap(([name, field]) => [
      [`${above}.${name}`, field] as const,
      ...(field.type === 'object' ? all(field.fields, `${above}.${name}`) : []),
    ]);
  test.each(kinds.flatMap((kind) => all(kind.fields, kind.name)))('%s has words and a source', (_, field) => {
    expect(field.doc.length).toBeGreaterThan(2);
    expect(JSON.stringify(field.source)).toMatch(/§\d|ADR-\d{4}/);
    if (field.module) {
      expect(field.remove).toBeDefined();
      expect(field.type === 'object' && 'enabled' in field.fields).toBe(true);
    }
  });

  test('has a manifest key, name and id prefix of its own', () => {
    for (const key of ['name', 'manifestKey', 'idPrefix'] as const)
      expect(new Set(kinds.map((kind) => kind[key])).size).toBe(kinds.length);
    for (const kind of kinds) expect(kindByIdPrefix(`${kind.idPrefix}2abc`)?.name).toBe(kind.name);
  });
});

describe('addresses', () => {
  test.each([
    ['tls_edges.db', 'tls_edge', 'db', undefined],
    ['https_edges.shop.routes.api', 'https_edge_route', 'api', 'https_edges.shop'],
  ])('%s is parsed and formatted back', (text, kind, name, parent) => {
    const parsed = parseAddress(text);
    expect([parsed?.kind.name, parsed?.name, parsed?.parent]).toEqual([kind, name, parent]);
    expect(formatAddress(kindByName(kind), name, parent)).toBe(text);
  });
  test.each([
    '',
    'tls_edges',
    'tls_edges.',
    'tls_edge.db',
    'tls_edges.9',
    'tls_edges.a.b',
    'routes.api',
    'https_edges.shop.routes',
    'application_sessions.a',
  ])('%s is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
  test('the longest address counts in a reference', () => {
    expect(splitReference('https_edges.shop.routes.api.saml.entity_id')).toMatchObject({
      address: 'https_edges.shop.routes.api',
      attr: 'saml.entity_id',
    });
    expect(splitReference('https_edges.shop.id')).toMatchObject({ address: 'https_edges.shop', attr: 'id' });
  });
  test('managed kinds are found by name', () => {
    for (const kind of managedKinds) expect(findKind(kind.name)).toBe(kind);
  });
});
