// What a plan shows of an object that it deletes.

import { describe, expect, test } from 'vitest';
import { knownSecrets } from '../../../src/core/secrets/known.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { describeDeleted } from '../../../src/plan/decide/deleted-object.ts';
import { live } from '../sample.ts';

const MASK = { sensitive: true };
/** In order, too. */
const valuesOf = (object: ReturnType<typeof live>) => Object.entries(describeDeleted(object).values);

describe('the values of what is deleted', () => {
  test('of an edge: its hostports first, no defaults, and the user’s own metadata', () => {
    const spec = {
      description: 'the shop',
      metadata: '{"team":"a"}',
      hostports: ['b.test:443', 'a.test:443'],
      mutual_tls: { enabled: true, certificate_authority_ids: ['ca_1'] },
    };
    expect(valuesOf(live('edghts_1', 'shop:https_edges.e', { spec }))).toEqual([
      ['hostports', ['a.test:443', 'b.test:443']],
      ['description', 'the shop'],
      ['metadata', '{"team":"a"}'],
      ['mutual_tls', { certificate_authority_ids: ['ca_1'] }],
    ]);
  });

  test('of an address: the one that clients know, first', () => {
    const computed = {
      id: 'ra_1',
      uri: 'https://s.test/ra_1',
      created_at: '2030-01-01T00:00:00Z',
      addr: '1.tcp.test:1',
    };
    const spec = { description: 'database', region: 'eu' };
    expect(valuesOf(live('ra_1', 'shop:reserved_addrs.a', { spec, computed }))).toEqual([
      ['addr', '1.tcp.test:1'],
      ['description', 'database'],
      ['region', 'eu'],
    ]);
  });

  test('of a route: what it matches first, without the id of its edge', () => {
    const spec = { match_type: 'exact_path', match: '/api', description: '', compression: { enabled: true } };
    const route = live('edghtsrt_1', 'shop:https_edges.e.routes.r', { spec, computed: { edge_id: 'edghts_1' } });
    expect(valuesOf(route)).toEqual([
      ['match_type', 'exact_path'],
      ['match', '/api'],
      ['compression', {}],
    ]);
  });

  test('of a key: its owner, which only its creation could choose', () => {
    const spec = { description: 'for CI', owner_id: 'usr_1' };
    expect(valuesOf(live('ak_1', 'shop:api_keys.a', { spec }))).toEqual([
      ['description', 'for CI'],
      ['owner_id', 'usr_1'],
    ]);
  });

  test('without a secret: read, not readable, repeated, or in what the service assigned', () => {
    knownSecrets.add('hush-hush-deleted');
    const route = live('edghtsrt_1', 'shop:https_edges.e.routes.r', {
      spec: {
        match: '/hush-hush-deleted',
        webhook_verification: { provider: 'github', secret: new Secret('plain', { origin: 'x' }) },
        oauth: { provider: { github: { client_id: 'abc' } } },
      },
      writeOnly: ['oauth.provider.github.client_secret'],
    });
    expect(valuesOf(route)).toEqual([
      ['match', MASK],
      ['webhook_verification', { provider: 'github', secret: MASK }],
      ['oauth', { provider: { github: { client_id: 'abc', client_secret: MASK } } }],
    ]);
    const ingress = live('agin_1', 'shop:agent_ingresses.a', {
      spec: { domain: new Secret('Quiet.test', { origin: 'x' }) },
      computed: { ns_targets: ['ns1.test'], region_domains: ['us.quiet.test'] },
    });
    expect(valuesOf(ingress)).toEqual([
      ['domain', MASK],
      ['ns_targets', ['ns1.test']],
      ['region_domains', [MASK]],
    ]);
  });

  test('with `${` as text', () => {
    const spec = { hostports: [], description: '${var.x}' };
    expect(valuesOf(live('edgtls_1', 'shop:tls_edges.a', { spec }))).toEqual([['description', '$${var.x}']]);
  });
});

test('an object without an address has its id as its name', () => {
  expect(describeDeleted(live('edgtls_1')).address).toBe('edgtls_1');
});
