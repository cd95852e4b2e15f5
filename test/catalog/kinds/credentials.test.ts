// What can be declared of API keys, SSH credentials, agent ingresses and reserved addresses (§2, §4, §8).

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { kind as agentIngress } from '../../../src/catalog/kinds/agent-ingress.ts';
import { kind as apiKey } from '../../../src/catalog/kinds/api-key.ts';
import { kind as reservedAddr } from '../../../src/catalog/kinds/reserved-addr.ts';
import { kind as sshCredential } from '../../../src/catalog/kinds/ssh-credential.ts';
import { errorsOf } from '../../support/judged.ts';

type Row = { name: string; given: JsonObject; expect: readonly string[] };

describe('an API key', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    { name: 'has a description of up to 255 bytes', given: { description: 'a'.repeat(255) }, expect: [] },
    { name: 'has no longer description', given: { description: 'a'.repeat(256) }, expect: ['too-long'] },
    { name: 'counts bytes, not characters', given: { description: 'é'.repeat(128) }, expect: ['too-long'] },
    { name: 'belongs to a user', given: { owner_id: 'usr_1' }, expect: [] },
    { name: 'belongs to a bot', given: { owner_id: 'bot_1' }, expect: [] },
    { name: 'belongs to nothing else', given: { owner_id: 'ak_1' }, expect: ['wrong-reference'] },
    { name: 'has a token that only the service makes', given: { token: 'x' }, expect: ['unknown-field'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(apiKey, given)).toEqual(expected);
  });
});

describe('an SSH credential', () => {
  const key = 'ssh-ed25519 AAAAC3Nza';

  test.each<Row>([
    { name: 'needs its public key', given: {}, expect: ['missing-field'] },
    { name: 'needs nothing else', given: { public_key: key }, expect: [] },
    { name: 'may bind a target', given: { public_key: key, acl: ['bind:*.example.com'] }, expect: [] },
    { name: 'may bind everything', given: { public_key: key, acl: ['*'] }, expect: [] },
    { name: 'may bind a label with a wildcard', given: { public_key: key, acl: ['bind:*=web'] }, expect: [] },
    { name: 'may do nothing else', given: { public_key: key, acl: ['listen:a'] }, expect: ['wrong-value'] },
    { name: 'names what it may bind', given: { public_key: key, acl: ['bind:'] }, expect: ['wrong-value'] },
    { name: 'has rules in a list', given: { public_key: key, acl: {} }, expect: ['wrong-type'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(sshCredential, given)).toEqual(expected);
  });

  test.each([
    { name: 'the same key with another comment is the same', given: `${key} ops@example.com`, expect: ['not-unique'] },
    { name: 'the same key with a line break behind it is the same', given: `${key}\n`, expect: ['not-unique'] },
    { name: 'a key that only begins like it is another', given: `${key}Q`, expect: [] },
    { name: 'case counts in a key', given: key.replace('Nza', 'nza'), expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(sshCredential, { public_key: key }, { public_key: given })).toEqual(expected);
  });
});

describe('an agent ingress', () => {
  test.each<Row>([
    { name: 'needs its domain', given: {}, expect: ['missing-field'] },
    { name: 'has a domain', given: { domain: 'connect.example.com' }, expect: [] },
    { name: 'has no port', given: { domain: 'connect.example.com:443' }, expect: ['wrong-value'] },
    { name: 'has no path', given: { domain: 'connect.example.com/a' }, expect: ['wrong-value'] },
    { name: 'may have a final dot', given: { domain: 'connect.example.com.' }, expect: [] },
    { name: 'has no dollar sign', given: { domain: 'connect.$DOMAIN' }, expect: ['wrong-value'] },
    {
      name: 'has name servers that the service chooses',
      given: { domain: 'a.test', ns_targets: [] },
      expect: ['unknown-field'],
    },
    {
      name: 'has regions that the service chooses',
      given: { domain: 'a.test', region_domains: [] },
      expect: ['unknown-field'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(agentIngress, given)).toEqual(expected);
  });

  test('one domain belongs to one ingress, whatever its case', () => {
    expect(errorsOf(agentIngress, { domain: 'a.test' }, { domain: 'A.test' })).toEqual(['not-unique']);
  });
});

describe('a reserved address', () => {
  test.each<Row>([
    { name: 'needs nothing', given: {}, expect: [] },
    ...['au', 'eu', 'ap', 'us', 'jp', 'in', 'sa'].map((region) => ({
      name: `may be in ${region}`,
      given: { region },
      expect: [],
    })),
    { name: 'is in no other region', given: { region: 'de' }, expect: ['wrong-value'] },
    { name: 'is in a region in lower case', given: { region: 'EU' }, expect: ['wrong-value'] },
    { name: 'has an address that the service chooses', given: { addr: 'a:1' }, expect: ['unknown-field'] },
    { name: 'has an endpoint configuration', given: { endpoint_configuration_id: 'ec_1' }, expect: [] },
    {
      name: 'has no other object in its place',
      given: { endpoint_configuration_id: 'ra_1' },
      expect: ['wrong-reference'],
    },
  ])('$name', ({ given, expect: expected }) => {
    expect(errorsOf(reservedAddr, given)).toEqual(expected);
  });
});
