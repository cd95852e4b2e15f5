// Rules between fields of one object (§2, §7): which are broken, and where that is told.

import { describe, expect, test } from 'vitest';
import { brokenRules } from '../../../src/catalog/kind.ts';
import { kind as route } from '../../../src/catalog/kinds/https-edge-route.ts';
import { kind as tlsEdge } from '../../../src/catalog/kinds/tls-edge.ts';
import type { Kind } from '../../../src/catalog/kind.ts';
import type { JsonObject } from '../../../src/core/json.ts';

const broken = (kind: Kind, spec: object) => brokenRules(kind, spec as JsonObject).map(({ path }) => path);

describe('a webhook needs a secret (§2)', () => {
  const lacking = ['webhook_verification.secret'];

  test.each([
    ['no module', undefined, []],
    ['a provider with a secret', { provider: 'github', secret: 'a' }, []],
    ['a provider without one', { provider: 'github' }, lacking],
    ['an empty secret is one', { provider: 'github', secret: '' }, []],
    ['the one provider that has none', { provider: 'sns' }, []],
    ['the same in capitals', { provider: 'SNS' }, []],
    ['a provider that nobody knows', { provider: 'sns2' }, lacking],
    ['a module that is switched off', { enabled: false, provider: 'github' }, lacking],
    ['no provider, which is told elsewhere', {}, []],
  ])('%s', (_, given, expected) => {
    expect(broken(route, { webhook_verification: given })).toEqual(expected);
  });
});

describe('an application of your own has an id and a secret (§7)', () => {
  const both = { client_id: 'a', client_secret: 'b' };

  test.each([
    ['no module', undefined, [], []],
    ['neither', { provider: { github: {} } }, [], []],
    ['both', { provider: { github: both } }, [], []],
    ['both and scopes', { provider: { github: { ...both, scopes: ['x'] } } }, [], []],
    ['the id alone', { provider: { github: { client_id: 'a' } } }, ['oauth.provider.github.client_id'], []],
    ['the secret alone', { provider: { google: { client_secret: 'b' } } }, [], []],
    ['scopes alone', { provider: { google: { scopes: ['x'] } } }, [], ['oauth.provider.google.scopes']],
    [
      'scopes and the secret',
      { provider: { facebook: { client_secret: 'b', scopes: ['x'] } } },
      [],
      ['oauth.provider.facebook.scopes'],
    ],
    ['no scopes in a list', { provider: { microsoft: { scopes: [] } } }, [], []],
    [
      'scopes and the id',
      { provider: { microsoft: { client_id: 'a', scopes: ['x'] } } },
      ['oauth.provider.microsoft.client_id'],
      ['oauth.provider.microsoft.scopes'],
    ],
    ['a provider without documented rules', { provider: { gitlab: { client_id: 'a', scopes: ['x'] } } }, [], []],
  ])('%s', (_, given, client, scopes) => {
    expect(broken(route, { oauth: given })).toEqual([...client, ...scopes]);
  });
});

describe('a route signs users in one way', () => {
  test.each([
    ['none', {}, []],
    ['one', { oauth: {}, saml: undefined, oidc: undefined }, []],
    ['two', { oauth: {}, saml: undefined, oidc: {} }, ['oidc']],
    ['three are told once', { oauth: {}, saml: {}, oidc: {} }, ['saml']],
    ['one that is switched off does not count', { oauth: { enabled: false }, saml: {}, oidc: undefined }, []],
    ['one that is switched on by name does', { oauth: { enabled: true }, saml: {}, oidc: undefined }, ['saml']],
  ])('%s', (_, given, expected) => {
    expect(broken(route, given)).toEqual(expected);
  });
});

describe('what passes TLS through has no version of it (§7)', () => {
  test.each([
    ['no module', undefined, []],
    ['an edge that ends TLS', { terminate_at: 'edge', min_version: '1.2' }, []],
    ['an edge that does not say where', { min_version: '1.2' }, []],
    ['passing through', { terminate_at: 'upstream' }, []],
    [
      'passing through with a version',
      { terminate_at: 'upstream', min_version: '1.2' },
      ['tls_termination.min_version'],
    ],
  ])('%s', (_, given, expected) => {
    expect(broken(tlsEdge, { tls_termination: given })).toEqual(expected);
  });
});

describe('what passes TLS through sees no certificates (§2)', () => {
  const tls_termination = { terminate_at: 'upstream' };

  test.each([
    ['neither module', {}, []],
    ['certificates alone', { mutual_tls: {} }, []],
    ['passing through alone', { tls_termination }, []],
    ['both', { tls_termination, mutual_tls: {} }, ['mutual_tls']],
    ['certificates that are switched off', { tls_termination, mutual_tls: { enabled: false } }, []],
    [
      'passing through that is switched off',
      { tls_termination: { ...tls_termination, enabled: false }, mutual_tls: {} },
      [],
    ],
    ['certificates where the edge ends TLS', { tls_termination: { terminate_at: 'edge' }, mutual_tls: {} }, []],
  ])('%s', (_, given, expected) => {
    expect(broken(tlsEdge, given)).toEqual(expected);
  });
});
