// Secrets that must be there although no answer shows them.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../src/catalog/lookup.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../src/core/value.ts';
import { requiredSecrets } from '../../src/resource/required-secrets.ts';

const SELECTOR = { match_type: 'path_prefix', match: '/' };
const hook = (given: ValueObject): ValueObject => ({ ...SELECTOR, webhook_verification: given });
const oauth = (provider: ValueObject): ValueObject => ({ ...SELECTOR, oauth: { provider } });
const SECRET = ['webhook_verification.secret'];

interface Row {
  readonly name: string;
  readonly kind?: string;
  readonly given: ValueObject;
  readonly expect: readonly string[];
}

describe('requiredSecrets', () => {
  test.each<Row>([
    { name: 'none of a kind without secrets', kind: 'tls_edge', given: {}, expect: [] },
    { name: 'none of a value that only answers have', kind: 'api_key', given: {}, expect: [] },
    { name: 'none of a module that is not there', given: SELECTOR, expect: [] },
    { name: 'one that a rule asks for', given: hook({ provider: 'github' }), expect: SECRET },
    { name: 'not where the rule asks for none', given: hook({ provider: 'sns' }), expect: [] },
    { name: 'not one that is shown', given: hook({ provider: 'github', secret: new Secret('s') }), expect: [] },
    { name: 'nor one that is shown as text', given: hook({ provider: 'github', secret: '****' }), expect: [] },
    {
      name: 'one that goes with another value',
      given: oauth({ github: { client_id: 'abc' } }),
      expect: ['oauth.provider.github.client_secret'],
    },
    {
      name: 'an empty text beside it says that nothing is there',
      given: oauth({ github: { client_id: '' } }),
      expect: [],
    },
    { name: 'not where nothing asks for it', given: oauth({ github: {} }), expect: [] },
    {
      name: 'a required one',
      given: { ...SELECTOR, oidc: { issuer: 'https://issuer.test', client_id: 'abc' } },
      expect: ['oidc.client_secret'],
    },
  ])('$name', ({ kind = 'https_edge_route', given, expect: expected }) => {
    expect(requiredSecrets(kindByName(kind), given)).toEqual(expected);
  });
});
