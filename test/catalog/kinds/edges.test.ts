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

type Row = readonly [name: string, given: JsonObject, expect: readonly string[]];

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
    ['needs nothing', {}, []],
    ['ends TLS itself, from a version on', { tls_termination: { terminate_at: 'edge', min_version: '1.2' } }, []],
    ['passes TLS through', { tls_termination: { terminate_at: 'upstream' } }, []],
    ['ends TLS nowhere else', { tls_termination: { terminate_at: 'agent' } }, ['wrong-value']],
    [
      'passes no version through',
      { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
      ['rule-broken'],
    ],
    ['may say that there is no version', { tls_termination: { terminate_at: 'upstream', min_version: null } }, []],
    [
      'checks no certificates of what it passes through',
      { tls_termination: { terminate_at: 'upstream' }, mutual_tls: {} },
      ['rule-broken'],
    ],
    ['has a backend of any kind', { backend: { backend_id: 'bkdhr_1' } }, []],
    ['has a backend with an id', { backend: {} }, ['missing-field']],
    ['has nothing else as its backend', { backend: { backend_id: 'ra_1' } }, ['wrong-reference']],
    ['has IP policies', { ip_restriction: { ip_policy_ids: ['ipp_1', 'pol_1', 'edghts_1'] } }, ['wrong-reference']],
    ['has authorities', { mutual_tls: { certificate_authority_ids: ['ca_1', 'ra_1'] } }, ['wrong-reference']],
    ['has no routes', { routes: {} }, ['unknown-field']],
  ])('%s', (_, given, expected) => {
    expect(errorsOf(tlsEdge, given)).toEqual(expected);
  });
});

describe('an HTTPS edge', () => {
  test.each<Row>([
    ['needs nothing', {}, []],
    ['chooses a version of TLS', { tls_termination: { min_version: '1.3' } }, []],
    ['does not choose where TLS ends', { tls_termination: { terminate_at: 'edge' } }, ['unknown-field']],
    ['checks certificates', { mutual_tls: { enabled: false, certificate_authority_ids: ['ca_1'] } }, []],
    ['has its backends in its routes', { backend: { backend_id: 'bkd_1' } }, ['unknown-field']],
  ])('%s', (_, given, expected) => {
    expect(errorsOf(httpsEdge, given)).toEqual(expected);
  });
});

describe('a route', () => {
  const own = { match_type: 'path_prefix', match: '/' };

  test.each<Row>([
    ['needs its selector', {}, ['missing-field', 'missing-field']],
    ['needs nothing else', {}, []],
    ['matches in two ways only', { match_type: 'regex' }, ['wrong-value']],
    ['matches a host with a path', { match: 'a.test/b' }, []],
    ['matches no text with blanks', { match: '/a b' }, ['wrong-value']],
    ['has up to 128 buckets', { circuit_breaker: { num_buckets: 128 } }, []],
    ['has no more buckets', { circuit_breaker: { num_buckets: 129 } }, ['out-of-range']],
    ['has durations of 32 bits', { circuit_breaker: { tripped_duration: 4294967295 } }, []],
    ['has no longer durations', { circuit_breaker: { tripped_duration: 4294967296 } }, ['out-of-range']],
    ['has no durations below zero', { circuit_breaker: { rolling_window: -1 } }, ['out-of-range']],
    ['has a share of errors from 0 to 1', { circuit_breaker: { error_threshold_percentage: 1 } }, []],
    ['has no percentage in its place', { circuit_breaker: { error_threshold_percentage: 50 } }, ['out-of-range']],
    ['chooses one provider', { oauth: { provider: { github: {}, google: {} } } }, ['choose-one']],
    ['chooses a provider that exists', { oauth: { provider: { myspace: {} } } }, ['unknown-field']],
    ['needs a secret for its webhook', { webhook_verification: { provider: 'github' } }, ['rule-broken']],
    [
      'signs users in one way only',
      { saml: { idp_metadata: '<a/>' }, oauth: { provider: { github: {} } } },
      ['rule-broken'],
    ],
    ['needs both halves of a client', { oauth: { provider: { github: { client_id: 'a' } } } }, ['rule-broken']],
    ['needs a client for scopes', { oauth: { provider: { github: { scopes: ['a'] } } } }, ['rule-broken']],
  ])('%s', (name, given, expected) => {
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
    ['needs nothing', {}, []],
    ['has backends of any kind', { backends: ['bkdhr_1', 'bkdfo_1'] }, []],
    ['may have one of them twice', { backends: ['bkdhr_1', 'bkdhr_1'] }, []],
    ['has nothing else as a backend', { backends: ['bkdhr_1', 'ra_1'] }, ['wrong-reference']],
    ['has a list of them, also of one', { backends: 'bkdhr_1' }, ['wrong-type']],
  ])('%s', (_, given, expected) => {
    expect(errorsOf(failoverBackend, given)).toEqual(expected);
  });
});
