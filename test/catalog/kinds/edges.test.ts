// What can be declared of edges, their routes, and backends (§2, §4, §7, §8).

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { hostports } from '../../../src/catalog/fields/common.ts';
import { kind as failoverBackend } from '../../../src/catalog/kinds/failover-backend.ts';
import { kind as httpsEdge } from '../../../src/catalog/kinds/https-edge.ts';
import { kind as route } from '../../../src/catalog/kinds/https-edge-route.ts';
import { kind as tlsEdge } from '../../../src/catalog/kinds/tls-edge.ts';
import { hasForm } from '../../../src/catalog/text-limits.ts';
import { errorsOf } from '../../support/judged.ts';

type Row = { name: string; given: JsonObject; expect: readonly string[] };

describe('a hostport', () => {
  test.each([
    { given: 'shop.example.com:443', expect: true },
    { given: '*.example.com:1', expect: true },
    { given: '[::1]:65535', expect: true },
    { given: 'shop.example.com', expect: false },
    { given: 'shop.example.com:0', expect: false },
    { given: 'shop.example.com:65536', expect: false },
    { given: 'shop.example.com:0443', expect: false },
    { given: ':443', expect: false },
    { given: 'https://shop.example.com:443', expect: false },
    { given: '', expect: false },
  ])('$given is one: $expect', ({ given, expect: expected }) => {
    expect(hasForm(hostports.items, given)).toBe(expected);
  });

  test('it belongs to one edge, whatever its case', () => {
    expect(errorsOf(httpsEdge, { hostports: ['a.test:1'] }, { hostports: ['b.test:1', 'A.test:1'] })).toEqual([
      'not-unique',
    ]);
    expect(errorsOf(httpsEdge, { hostports: ['a.test:1'] }, { hostports: ['a.test:2'] })).toEqual([]);
  });
});

describe('a TLS edge', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    {
      name: 'ends TLS itself, from a version on',
      given: { tls_termination: { terminate_at: 'edge', min_version: '1.2' } },
      expect: [],
    },
    { name: 'passes TLS through', given: { tls_termination: { terminate_at: 'upstream' } }, expect: [] },
    { name: 'ends TLS nowhere else', given: { tls_termination: { terminate_at: 'agent' } }, expect: ['wrong-value'] },
    {
      name: 'passes no version through',
      given: { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      expect: ['rule-broken'],
    },
    {
      name: 'may say that there is no version',
      given: { tls_termination: { terminate_at: 'upstream', min_version: null } },
      expect: [],
    },
    {
      name: 'checks no certificates of what it passes through',
      given: { tls_termination: { terminate_at: 'upstream' }, mutual_tls: {} },
      expect: ['rule-broken'],
    },
    { name: 'has a backend of any kind', given: { backend: { backend_id: 'bkdhr_1' } }, expect: [] },
    { name: 'has a backend with an id', given: { backend: {} }, expect: ['missing-field'] },
    {
      name: 'has nothing else as its backend',
      given: { backend: { backend_id: 'ra_1' } },
      expect: ['wrong-reference'],
    },
    {
      name: 'has IP policies',
      given: { ip_restriction: { ip_policy_ids: ['ipp_1', 'pol_1', 'edghts_1'] } },
      expect: ['wrong-reference'],
    },
    {
      name: 'has authorities',
      given: { mutual_tls: { certificate_authority_ids: ['ca_1', 'ra_1'] } },
      expect: ['wrong-reference'],
    },
    { name: 'has no routes', given: { routes: {} }, expect: ['unknown-field'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(tlsEdge, given)).toEqual(expected);
  });
});

describe('an HTTPS edge', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    { name: 'chooses a version of TLS', given: { tls_termination: { min_version: '1.3' } }, expect: [] },
    {
      name: 'does not choose where TLS ends',
      given: { tls_termination: { terminate_at: 'edge' } },
      expect: ['unknown-field'],
    },
    {
      name: 'checks certificates',
      given: { mutual_tls: { enabled: false, certificate_authority_ids: ['ca_1'] } },
      expect: [],
    },
    { name: 'has its backends in its routes', given: { backend: { backend_id: 'bkd_1' } }, expect: ['unknown-field'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(httpsEdge, given)).toEqual(expected);
  });
});

describe('a route', () => {
  const own = { match_type: 'path_prefix', match: '/' };

  test.each<Row>([
    { name: 'needs its selector', given: {}, expect: ['missing-field', 'missing-field'] },
    { name: 'needs nothing else', given: {}, expect: [] },
    { name: 'matches in two ways only', given: { match_type: 'regex' }, expect: ['wrong-value'] },
    { name: 'matches a host with a path', given: { match: 'a.test/b' }, expect: [] },
    { name: 'matches no text with blanks', given: { match: '/a b' }, expect: ['wrong-value'] },
    { name: 'has up to 128 buckets', given: { circuit_breaker: { num_buckets: 128 } }, expect: [] },
    { name: 'has no more buckets', given: { circuit_breaker: { num_buckets: 129 } }, expect: ['out-of-range'] },
    { name: 'has durations of 32 bits', given: { circuit_breaker: { tripped_duration: 4294967295 } }, expect: [] },
    {
      name: 'has no longer durations',
      given: { circuit_breaker: { tripped_duration: 4294967296 } },
      expect: ['out-of-range'],
    },
    {
      name: 'has no durations below zero',
      given: { circuit_breaker: { rolling_window: -1 } },
      expect: ['out-of-range'],
    },
    {
      name: 'has a share of errors from 0 to 1',
      given: { circuit_breaker: { error_threshold_percentage: 1 } },
      expect: [],
    },
    {
      name: 'has no percentage in its place',
      given: { circuit_breaker: { error_threshold_percentage: 50 } },
      expect: ['out-of-range'],
    },
    {
      name: 'chooses one provider',
      given: { oauth: { provider: { github: {}, google: {} } } },
      expect: ['choose-one'],
    },
    {
      name: 'chooses a provider that exists',
      given: { oauth: { provider: { myspace: {} } } },
      expect: ['unknown-field'],
    },
    {
      name: 'needs a secret for its webhook',
      given: { webhook_verification: { provider: 'github' } },
      expect: ['rule-broken'],
    },
    {
      name: 'signs users in one way only',
      given: { saml: { idp_metadata: '<a/>' }, oauth: { provider: { github: {} } } },
      expect: ['rule-broken'],
    },
    {
      name: 'needs both halves of a client',
      given: { oauth: { provider: { github: { client_id: 'a' } } } },
      expect: ['rule-broken'],
    },
    {
      name: 'needs a client for scopes',
      given: { oauth: { provider: { github: { scopes: ['a'] } } } },
      expect: ['rule-broken'],
    },
  ])('$name', ({ name, given, expect: expected }) => {
    expect(errorsOf(route, name === 'needs its selector' ? given : { ...own, ...given })).toEqual(expected);
  });

  test('one selector is that of one route, whatever its kind of match', () => {
    expect(errorsOf(route, own, own)).toEqual(['not-unique']);
    expect(errorsOf(route, own, { ...own, match_type: 'exact_path' })).toEqual(['not-unique']);
    expect(errorsOf(route, own, { ...own, match: '/other' })).toEqual([]);
  });
});

describe('a failover backend', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    { name: 'has backends of any kind', given: { backends: ['bkdhr_1', 'bkdfo_1'] }, expect: [] },
    { name: 'may have one of them twice', given: { backends: ['bkdhr_1', 'bkdhr_1'] }, expect: [] },
    { name: 'has nothing else as a backend', given: { backends: ['bkdhr_1', 'ra_1'] }, expect: ['wrong-reference'] },
    { name: 'has a list of them, also of one', given: { backends: 'bkdhr_1' }, expect: ['wrong-type'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(failoverBackend, given)).toEqual(expected);
  });
});
