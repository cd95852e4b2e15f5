// Digests of what was applied: the same for what means the same, salted where a secret is inside.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/catalog/field.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value, ValueObject } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';
import {
  digestLookup,
  digestOfMany,
  fieldDigest,
  isDigestOf,
  saltOf,
  tellsOtherSecrets,
} from '../../src/resource/digests.ts';
import type { Marker } from '../../src/resource/snapshot.ts';

const EDGE = kindByName('tls_edge');
const ROUTE = kindByName('https_edge_route');
const field = (name: string, kind = EDGE) => kind.fields[name] as Field;
const SALT = 'shop/tls_edges.a';
const hush = new Secret('hush');
const hook = (secret: Value) => ({ provider: 'github', secret });
const unknown = new Expression([{ address: 'tls_edges.b', attr: 'id' }]);

describe('fieldDigest', () => {
  const digest = (name: string, value: Value | undefined, kind = EDGE) => fieldDigest(field(name, kind), value, SALT);
  test.each<readonly [string, string, Value | undefined, Value | undefined]>([
    ['null and the known default', 'description', null, ''],
    ['an absent list and an empty one', 'hostports', undefined, []],
    ['a set in another order, and in another case', 'hostports', ['a:1', 'B:2'], ['b:2', 'A:1']],
    ['a module with its defaults', 'backend', { backend_id: 'x' }, { backend_id: 'x', enabled: true }],
  ])('the same: %s', (_, name, one, other) => {
    expect(digest(name, one)).toBe(digest(name, other));
  });

  test.each<readonly [string, string, Value | undefined, Value | undefined]>([
    ['another text', 'description', 'a', 'b'],
    ['the text as a secret', 'description', 'hush', hush],
    ['no module and an empty one', 'ip_restriction', undefined, {}],
  ])('not the same: %s', (_, name, one, other) => {
    expect(digest(name, one)).not.toBe(digest(name, other));
  });

  test('its length tells what it was made of', () => {
    const lengths = [
      digest('description', 'a'),
      digest('webhook_verification', hook(hush), ROUTE),
      digest('description', hush),
      digest('backend', undefined),
    ].map((one) => one?.length);
    expect(lengths).toEqual([12, 16, 20, undefined]);
  });

  test('equal secrets of two objects do not look equal, equal texts do', () => {
    const both = (value: Value) => ['a', 'b'].map((salt) => fieldDigest(field('description'), value, salt));
    expect(new Set(both(hush)).size).toBe(2);
    expect(new Set(both('hush')).size).toBe(1);
  });
});

describe('isDigestOf', () => {
  const made = (value: Value) => digestOfMany(EDGE, { description: value }, SALT)['description'];
  test.each<readonly [string, Value | undefined, Value | undefined, boolean]>([
    ['the same text', 'a', 'a', true],
    ['another text', 'a', 'b', false],
    ['the same secret', hush, hush, true],
    ['what was secret and is none any more', hush, 'hush', true],
    ['what was none and is secret', 'hush', hush, true],
    ['no digest, and something', undefined, 'a', false],
  ])('%s', (_, applied, value, expected) => {
    const digest = applied === undefined ? undefined : made(applied);
    expect(isDigestOf(digest, field('description'), value, SALT)).toBe(expected);
  });

  test('no digest, and nothing', () => {
    expect(isDigestOf(undefined, field('backend'), undefined, SALT)).toBe(true);
  });
});

describe('tellsOtherSecrets', () => {
  const made = (name: string, value: Value) => digestOfMany(ROUTE, { [name]: value }, SALT)[name] ?? '';
  test.each<readonly [string, string, Value, Value | undefined, boolean]>([
    ['the same plain text', 'description', 'a', 'b', false],
    ['the same kind of secret', 'description', hush, new Secret('other'), false],
    ['what has become secret', 'description', 'hush', hush, true],
    ['what is secret no more', 'description', hush, 'hush', true],
    ['a secret at another place', 'webhook_verification', hook(hush), { provider: hush, secret: 'x' }, true],
    [
      'one of two texts, and now the other',
      'request_headers',
      { add: { a: hush, b: '1' } },
      { add: { a: '1', b: hush } },
      true,
    ],
    ['what is not known yet', 'description', 'a', unknown, false],
    ['what is gone', 'description', hush, undefined, false],
  ])('%s', (_, name, applied, value, expected) => {
    expect(tellsOtherSecrets(made(name, applied), field(name, ROUTE), value, name)).toBe(expected);
  });
});

test('digestOfMany: what is given, and metadata whose text is known', () => {
  const names = (spec: ValueObject) => Object.keys(digestOfMany(EDGE, spec, SALT));
  expect(names({ description: '', backend: null, other: 1 })).toEqual(['description']);
  expect([names({ metadata: '' }), names({ metadata: unknown }), names({ metadata: 'a' })]).toEqual([
    [],
    [],
    ['metadata'],
  ]);
});

describe('digestOfMany', () => {
  test('what is not known has a placeholder', () => {
    expect(digestOfMany(EDGE, { description: unknown }, SALT)).toEqual({ description: '${digest:description}' });
  });

  test('where secrets are follows, unless the catalogue knows it', () => {
    const found = digestOfMany(ROUTE, { description: hush, webhook_verification: hook(hush) }, SALT);
    expect(found['description']).toMatch(/^.{20}:.{4}$/);
    expect(found['webhook_verification']).toMatch(/^.{16}$/);
  });
});

test('salts: of the object, and of the name in its marker', () => {
  expect(saltOf({ stack: 'shop', address: 'tls_edges.a' })).toBe(SALT);
  const marker: Marker = { v: 1, stack: 'old', address: 'tls_edges.b', applied: {} };
  expect(saltOf(marker)).toBe('old/tls_edges.b');
});

test('digestLookup gives what the marker will have, and nothing for a name of nobody', () => {
  const digest = digestLookup(EDGE, SALT);
  expect(digest('description', 'a')).toBe(fieldDigest(field('description'), 'a', SALT));
  expect([digest('nobody', 'a'), digest('backend', null)]).toEqual(['', '']);
});
