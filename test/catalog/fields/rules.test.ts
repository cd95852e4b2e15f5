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
    { name: 'no module', given: undefined, expect: [] },
    { name: 'a provider with a secret', given: { provider: 'github', secret: 'a' }, expect: [] },
    { name: 'a provider without one', given: { provider: 'github' }, expect: lacking },
    { name: 'an empty secret is one', given: { provider: 'github', secret: '' }, expect: [] },
    { name: 'the one provider that has none', given: { provider: 'sns' }, expect: [] },
    { name: 'the same in capitals', given: { provider: 'SNS' }, expect: [] },
    { name: 'a provider that nobody knows', given: { provider: 'sns2' }, expect: lacking },
    { name: 'a module that is switched off', given: { enabled: false, provider: 'github' }, expect: lacking },
    { name: 'no provider, which is told elsewhere', given: {}, expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(broken(route, { webhook_verification: given })).toEqual(expected);
  });
});

describe('an application of your own has an id and a secret (§7)', () => {
  const both = { client_id: 'a', client_secret: 'b' };

  test.each([
    { name: 'no module', given: undefined, client: [], scopes: [] },
    { name: 'neither', given: { provider: { github: {} } }, client: [], scopes: [] },
    { name: 'both', given: { provider: { github: both } }, client: [], scopes: [] },
    { name: 'both and scopes', given: { provider: { github: { ...both, scopes: ['x'] } } }, client: [], scopes: [] },
    {
      name: 'the id alone',
      given: { provider: { github: { client_id: 'a' } } },
      client: ['oauth.provider.github.client_id'],
      scopes: [],
    },
    { name: 'the secret alone', given: { provider: { google: { client_secret: 'b' } } }, client: [], scopes: [] },
    {
      name: 'scopes alone',
      given: { provider: { google: { scopes: ['x'] } } },
      client: [],
      scopes: ['oauth.provider.google.scopes'],
    },
    {
      name: 'scopes and the secret',
      given: { provider: { facebook: { client_secret: 'b', scopes: ['x'] } } },
      client: [],
      scopes: ['oauth.provider.facebook.scopes'],
    },
    { name: 'no scopes in a list', given: { provider: { microsoft: { scopes: [] } } }, client: [], scopes: [] },
    {
      name: 'scopes and the id',
      given: { provider: { microsoft: { client_id: 'a', scopes: ['x'] } } },
      client: ['oauth.provider.microsoft.client_id'],
      scopes: ['oauth.provider.microsoft.scopes'],
    },
    {
      name: 'a provider without documented rules',
      given: { provider: { gitlab: { client_id: 'a', scopes: ['x'] } } },
      client: [],
      scopes: [],
    },
  ])('$name', ({ given, client, scopes }) => {
    expect(broken(route, { oauth: given })).toEqual([...client, ...scopes]);
  });
});

describe('a route signs users in one way', () => {
  test.each([
    { name: 'none', given: {}, expect: [] },
    { name: 'one', given: { oauth: {}, saml: undefined, oidc: undefined }, expect: [] },
    { name: 'two', given: { oauth: {}, saml: undefined, oidc: {} }, expect: ['oidc'] },
    { name: 'three are told once', given: { oauth: {}, saml: {}, oidc: {} }, expect: ['saml'] },
    {
      name: 'one that is switched off does not count',
      given: { oauth: { enabled: false }, saml: {}, oidc: undefined },
      expect: [],
    },
    {
      name: 'one that is switched on by name does',
      given: { oauth: { enabled: true }, saml: {}, oidc: undefined },
      expect: ['saml'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(broken(route, given)).toEqual(expected);
  });
});

describe('what passes TLS through has no version of it (§7)', () => {
  test.each([
    { name: 'no module', given: undefined, expect: [] },
    { name: 'an edge that ends TLS', given: { terminate_at: 'edge', min_version: '1.2' }, expect: [] },
    { name: 'an edge that does not say where', given: { min_version: '1.2' }, expect: [] },
    { name: 'passing through', given: { terminate_at: 'upstream' }, expect: [] },
    {
      name: 'passing through with a version',
      given: { terminate_at: 'upstream', min_version: '1.2' },
      expect: ['tls_termination.min_version'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(broken(tlsEdge, { tls_termination: given })).toEqual(expected);
  });
});

describe('what passes TLS through sees no certificates (§2)', () => {
  const tls_termination = { terminate_at: 'upstream' };

  test.each([
    { name: 'neither module', given: {}, expect: [] },
    { name: 'certificates alone', given: { mutual_tls: {} }, expect: [] },
    { name: 'passing through alone', given: { tls_termination }, expect: [] },
    { name: 'both', given: { tls_termination, mutual_tls: {} }, expect: ['mutual_tls'] },
    {
      name: 'certificates that are switched off',
      given: { tls_termination, mutual_tls: { enabled: false } },
      expect: [],
    },
    {
      name: 'passing through that is switched off',
      given: { tls_termination: { ...tls_termination, enabled: false }, mutual_tls: {} },
      expect: [],
    },
    {
      name: 'certificates where the edge ends TLS',
      given: { tls_termination: { terminate_at: 'edge' }, mutual_tls: {} },
      expect: [],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(broken(tlsEdge, given)).toEqual(expected);
  });
});
