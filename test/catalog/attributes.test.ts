// Values that can be referred to, and operations.

import { describe, expect, test } from 'vitest';
import { attributesOf } from '../../src/catalog/attributes.ts';
import { EXAMPLES } from '../../src/catalog/examples.ts';
import { parseAddress, splitReference } from '../../src/catalog/address.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { capabilityFor, crud } from '../../src/catalog/operations.ts';
import { fieldAt } from '../../src/catalog/walk.ts';

describe('what can be referred to is read-only and no secret', () => {
  test.each([
    ['a computed text', 'reserved_addr', 'addr', true],
    ['a field that is written', 'reserved_addr', 'region', false],
    ['a token', 'api_key', 'token', false],
    ['a computed text of a module', 'https_edge', 'tls_termination.terminate_at', true],
    ['the same text where it is written', 'tls_edge', 'tls_termination.terminate_at', false],
    ['a module as a whole', 'https_edge', 'tls_termination', false],
  ])('%s', (_, kind, attr, expected) => {
    const { fields } = kindByName(kind);
    expect(attributesOf(fields).includes(attr)).toBe(expected);
    expect(fieldAt(fields, attr.split('.'))).toBeDefined();
  });
});

describe('operations', () => {
  test('the five of a resource lie under one path', () => {
    const made = crud('/things', 'things');
    expect(Object.entries(made).map(([name, { method, path }]) => `${name} ${method} ${path}`)).toEqual([
      'create POST /things',
      'list GET /things',
      'get GET /things/{id}',
      'update PATCH /things/{id}',
      'delete DELETE /things/{id}',
    ]);
    expect(made.list.key).toBe('things');
  });

  test.each([
    { kind: 'tls_edge', method: 'POST', isPart: false, expect: undefined },
    { kind: 'tls_edge', method: 'DELETE', isPart: true, expect: 'module-delete' },
    { kind: 'https_edge_route', method: 'PATCH', isPart: false, expect: 'routes' },
    { kind: 'https_edge', method: 'GET', isPart: false, expect: undefined },
  ] as const)('$method of $kind (part: $isPart) needs $expect', ({ kind, method, isPart, expect: expected }) => {
    expect(capabilityFor(kindByName(kind), method, isPart)).toBe(expected);
  });
});

test('examples of addresses and references are some', () => {
  expect(
    [EXAMPLES.address, EXAMPLES.oldAddress, EXAMPLES.releasedAddress].filter((one) => parseAddress(one) === undefined),
  ).toEqual([]);
  const found = splitReference(EXAMPLES.reference.slice(2, -1));
  expect(attributesOf(found?.parsed.kind.fields ?? {})).toContain(found?.attr);
});
