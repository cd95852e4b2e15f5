// A service that keeps values in a form of its own (ADR-0043): every spelling is applied once, then the plan is empty and drift
// finds nothing; another value is still a change. The values are typed by hand, one row for every field with a form.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { managedKinds } from '../../../src/catalog/lookup.ts';
import { allFields } from '../../../src/catalog/walk.ts';
import type { Field } from '../../../src/catalog/field.ts';
import { load, startWorld, type World } from '../../support/world.ts';

const ROUTE = { match_type: 'path_prefix', match: '/' };
const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample';
const oauth = (provider: string, inside: JsonObject) => ({ oauth: { provider: { [provider]: inside } } });
const PROVIDERS = ['github', 'facebook', 'microsoft', 'google', 'linkedin', 'gitlab', 'twitch', 'amazon'];
const oidc = (issuer: string) => ({ oidc: { issuer, client_id: 'shop', client_secret: 'a secret of ours' } });

/** A block, the same block in another spelling, and a block with another value. */
interface Row {
  readonly kind: string;
  readonly field: string;
  readonly written: JsonObject;
  readonly same: JsonObject;
  readonly other: JsonObject;
}

/** Kinds whose only requirement is in the row. */
const DESCRIBED: Readonly<Record<string, JsonObject>> = {
  api_key: {},
  ssh_credential: { public_key: KEY },
  agent_ingress: { domain: 'described.example' },
  tls_edge: {},
  https_edge: {},
  https_edge_route: ROUTE,
  reserved_addr: {},
  failover_backend: {},
  event_destination: { target: { kinesis: { stream_arn: 'arn:s', auth: { role: { role_arn: 'arn:r' } } } } },
  event_subscription: { sources: [{ type: 'ip_policy_created.v0' }] },
};

const ROWS: readonly Row[] = [
  ...Object.entries(DESCRIBED).map(([kind, block]) => ({
    kind,
    field: 'description',
    written: { ...block, description: ' for people\nin lines\n' },
    same: { ...block, description: 'for people\nin lines' },
    other: { ...block, description: 'for people' },
  })),
  ...['tls_edge', 'https_edge'].map((kind) => ({
    kind,
    field: 'hostports',
    written: { hostports: ['Z.example:443', 'MÜNCHEN.example.:443', '*.Example.com:443', '[2001:DB8:0::1]:443'] },
    same: { hostports: ['*.example.com:443', 'xn--mnchen-3ya.example:443', 'z.example.:443', '[2001:db8::1]:443'] },
    other: { hostports: ['muenchen.example:443'] },
  })),
  {
    kind: 'agent_ingress',
    field: 'domain',
    written: { domain: 'Agents.MÜNCHEN.example.' },
    same: { domain: 'agents.xn--mnchen-3ya.example' },
    other: { domain: 'agents.muenchen.example' },
  },
  {
    kind: 'ssh_credential',
    field: 'public_key',
    written: { public_key: `${KEY} ops@example.com\n` },
    same: { public_key: `${KEY}  another comment` },
    other: { public_key: `${KEY}x ops@example.com` },
  },
  {
    kind: 'ssh_credential',
    field: 'public_key',
    written: { public_key: '-----BEGIN PUBLIC KEY-----\nMIIBCgKC\n-----END PUBLIC KEY-----' },
    same: { public_key: '-----BEGIN PUBLIC KEY-----\nMIIB\nCgKC\n-----END PUBLIC KEY-----\n' },
    other: { public_key: '-----BEGIN PUBLIC KEY-----\nMIIBCgKD\n-----END PUBLIC KEY-----\n' },
  },
  {
    kind: 'ssh_credential',
    field: 'acl',
    written: { public_key: KEY, acl: ['bind:*.MÜNCHEN.example', 'bind:Db.example.:5432', 'bind:Team=Web', '*'] },
    same: { public_key: KEY, acl: ['*', 'bind:db.example:5432', 'bind:*.xn--mnchen-3ya.example', 'bind:Team=Web'] },
    other: { public_key: KEY, acl: ['*', 'bind:db.example:5432', 'bind:*.münchen.example', 'bind:team=web'] },
  },
  {
    kind: 'https_edge_route',
    field: 'match',
    written: { ...ROUTE, match: 'MÜNCHEN.example./Api' },
    same: { ...ROUTE, match: 'xn--mnchen-3ya.example/Api' },
    other: { ...ROUTE, match: 'xn--mnchen-3ya.example/api' },
  },
  {
    kind: 'https_edge_route',
    field: 'circuit_breaker.error_threshold_percentage',
    written: { ...ROUTE, circuit_breaker: { error_threshold_percentage: 0.3 } },
    same: { ...ROUTE, circuit_breaker: { error_threshold_percentage: 0.300000001 } },
    other: { ...ROUTE, circuit_breaker: { error_threshold_percentage: 0.30001 } },
  },
  ...['request_headers', 'response_headers'].map((name) => ({
    kind: 'https_edge_route',
    field: `${name}.remove`,
    written: { ...ROUTE, [name]: { remove: ['Server', 'X-B', 'server'] } },
    same: { ...ROUTE, [name]: { remove: ['x-b', 'server'] } },
    other: { ...ROUTE, [name]: { remove: ['X-B'] } },
  })),
  {
    kind: 'https_edge_route',
    field: 'webhook_verification.provider',
    written: { ...ROUTE, webhook_verification: { provider: 'GitHub', secret: 'a secret of ours' } },
    same: { ...ROUTE, webhook_verification: { provider: 'github', secret: 'a secret of ours' } },
    other: { ...ROUTE, webhook_verification: { provider: 'gitlab', secret: 'a secret of ours' } },
  },
  ...PROVIDERS.flatMap((name) => [
    {
      kind: 'https_edge_route',
      field: `oauth.provider.${name}.email_addresses`,
      written: { ...ROUTE, ...oauth(name, { email_addresses: ['Ops@Example.COM', 'a@münchen.example'] }) },
      same: { ...ROUTE, ...oauth(name, { email_addresses: ['a@xn--mnchen-3ya.example', 'ops@example.com'] }) },
      other: { ...ROUTE, ...oauth(name, { email_addresses: ['ops@example.com'] }) },
    },
    {
      kind: 'https_edge_route',
      field: `oauth.provider.${name}.email_domains`,
      written: { ...ROUTE, ...oauth(name, { email_domains: ['Example.COM.', 'MÜNCHEN.example'] }) },
      same: { ...ROUTE, ...oauth(name, { email_domains: ['xn--mnchen-3ya.example', 'example.com'] }) },
      other: { ...ROUTE, ...oauth(name, { email_domains: ['example.com', 'example.org'] }) },
    },
  ]),
  {
    kind: 'https_edge_route',
    field: 'oidc.issuer',
    written: { ...ROUTE, ...oidc('HTTPS://Accounts.Example.com/Realm') },
    same: { ...ROUTE, ...oidc('https://accounts.example.com/Realm') },
    other: { ...ROUTE, ...oidc('https://accounts.example.com/realm') },
  },
  {
    kind: 'https_edge_route',
    field: 'saml.idp_metadata',
    written: { ...ROUTE, saml: { idp_metadata: '<EntityDescriptor/>\n' } },
    same: { ...ROUTE, saml: { idp_metadata: '<EntityDescriptor/>' } },
    other: { ...ROUTE, saml: { idp_metadata: '<EntityDescriptor />' } },
  },
  {
    kind: 'event_destination',
    field: 'format',
    written: { ...DESCRIBED['event_destination'], format: 'JSON' },
    same: { ...DESCRIBED['event_destination'], format: 'json' },
    other: { target: { firehose: { delivery_stream_arn: 'arn:d', auth: { role: { role_arn: 'arn:r' } } } } },
  },
];

let world: World;
beforeAll(async () => {
  world = await startWorld({ normalizes: true });
});
afterAll(() => world.close());

const EMPTY = { version: 1, stack: 'forms' };

function manifestOf(kind: string, block: JsonObject): JsonObject {
  if (kind === 'https_edge_route') return { ...EMPTY, https_edges: { e: { routes: { x: block } } } };
  const key = managedKinds.find(({ name }) => name === kind)?.manifestKey ?? '';
  return { ...EMPTY, [key]: { x: block } };
}

const ALLOWED = { allowLoss: ['agent_ingresses.x', 'api_keys.x', 'reserved_addrs.x'] };

/** What a plan would do, in words. */
async function pending(manifest: JsonObject): Promise<string[]> {
  const plan = await world.plan(manifest, ALLOWED);
  expect(plan.diagnostics).toEqual([]);
  return plan.steps.flatMap(({ action, changes }) => changes.map(({ path, cause }) => `${action} ${path}: ${cause}`));
}

describe.each(ROWS)('$kind.$field', ({ kind, field, written, same, other }) => {
  test('is applied once, in every spelling, and another value is a change of the manifest', async () => {
    const { plan, results } = await world.apply(manifestOf(kind, written), ALLOWED);
    expect([plan.steps.length > 0, results.filter(({ status }) => status !== 'done')]).toEqual([true, []]);
    expect(await pending(manifestOf(kind, written))).toEqual([]);
    expect(await pending(manifestOf(kind, same))).toEqual([]);
    const [top = ''] = field.split('.');
    const changes = await pending(manifestOf(kind, other));
    expect(
      changes.filter((line) => line.includes(kind === 'event_destination' && top === 'format' ? '' : top)),
    ).not.toEqual([]);
    expect(changes.filter((line) => !line.endsWith(': config'))).toEqual([]);
    await world.apply(EMPTY);
  });
});

test('every field with a form has a row', () => {
  const hasForm = (field: Field): boolean =>
    field.type === 'list' ? hasForm(field.items) : 'form' in field && field.write !== 'never';
  const formed = managedKinds.flatMap(({ name, fields }) =>
    allFields(fields).flatMap(({ path, field }) => (hasForm(field) ? [`${name}.${path}`] : [])),
  );
  expect(ROWS.map(({ kind, field }) => `${kind}.${field}`)).toEqual(expect.arrayContaining(formed));
});

describe('what is sent, shown and unique', () => {
  const hostports = ['MÜNCHEN.example.:443', 'b.example:443'];

  test('hosts are sent in ASCII, and the plan shows them as they are written', async () => {
    const plan = await world.plan({ ...EMPTY, tls_edges: { x: { hostports } } });
    expect(plan.steps[0]?.requests[0]?.body).toMatchObject({
      hostports: ['xn--mnchen-3ya.example:443', 'b.example:443'],
    });
    expect(plan.steps[0]?.changes).toMatchObject([{ path: 'hostports', after: hostports }]);
  });

  test('an update shows the spelling of the manifest on both sides', async () => {
    await world.apply({ ...EMPTY, tls_edges: { x: { hostports } } });
    const plan = await world.plan({
      ...EMPTY,
      tls_edges: { x: { hostports: ['München.example:443', 'C.example:443'] } },
    });
    expect(plan.steps[0]?.changes).toMatchObject([
      { before: ['b.example:443', 'München.example:443'], after: ['C.example:443', 'München.example:443'] },
    ]);
    await world.apply(EMPTY);
  });

  test('a hostport moves between edges in two spellings: released before it is claimed', async () => {
    const edges = (x: string[], y: string[]) => ({ ...EMPTY, tls_edges: { x: { hostports: x }, y: { hostports: y } } });
    await world.apply(edges(['MÜNCHEN.example:443'], []));
    const { plan, results } = await world.apply(edges([], ['xn--mnchen-3ya.example.:443']));
    expect(plan.steps.map(({ address }) => address)).toEqual(['tls_edges.x', 'tls_edges.y']);
    expect(results.map(({ status }) => status)).toEqual(['done', 'done']);
    await world.apply(EMPTY);
  });

  test.each([
    [
      'hostports',
      { tls_edges: { x: { hostports: ['münchen.example:443'] }, y: { hostports: ['xn--mnchen-3ya.example.:443'] } } },
    ],
    ['domain', { agent_ingresses: { x: { domain: 'a.example' }, y: { domain: 'A.example.' } } }],
    ['public_key', { ssh_credentials: { x: { public_key: KEY }, y: { public_key: `${KEY} ops` } } }],
    [
      'match',
      {
        https_edges: {
          e: { routes: { x: { ...ROUTE, match: 'A.example/b' }, y: { ...ROUTE, match: 'a.example./b' } } },
        },
      },
    ],
  ])('%s: one value in two spellings is a duplicate', (_, blocks) => {
    expect(() => load({ ...EMPTY, ...blocks })).toThrow('not-unique');
  });

  test.each([
    ['hostports', { tls_edges: { x: { hostports: ['www.$DOMAIN:443'] } } }, 'www.$DOMAIN:443'],
    ['hostports', { tls_edges: { x: { hostports: ['a..b:443'] } } }, 'a..b:443'],
    ['domain', { agent_ingresses: { x: { domain: '$DOMAIN' } } }, '$DOMAIN'],
    ['acl', { ssh_credentials: { x: { public_key: KEY, acl: ['bind:*.$DOMAIN'] } } }, 'bind:*.$DOMAIN'],
    ['match', { https_edges: { e: { routes: { x: { ...ROUTE, match: '$DOMAIN/a' } } } } }, '$DOMAIN/a'],
  ])('%s: a text that is no host is an error that shows it', (_, blocks, shown) => {
    const problem = () => load({ ...EMPTY, ...blocks });
    expect(problem).toThrow('wrong-value');
    expect(problem).toThrow(shown);
  });
});
