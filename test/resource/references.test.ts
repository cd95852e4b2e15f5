// Which other objects a value names: addresses while it is desired, ids once it lives.

import { describe, expect, test } from 'vitest';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value, ValueObject } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';
import { addressesIn, attributesByAddress, idsIn } from '../../src/resource/references.ts';

const to = (address: string, attr = 'id') => ({ address, attr });
const one = new Expression([to('a.one')]);
const two = new Expression(['x', to('a.two', 'addr'), to('a.one')]);

describe('addressesIn', () => {
  test.each<{ name: string; given: Value; expect: readonly string[] }>([
    { name: 'a text that looks like a reference', given: '${a.one.id}', expect: [] },
    { name: 'a secret', given: new Secret('${a.one.id}'), expect: [] },
    { name: 'an expression', given: one, expect: ['a.one'] },
    { name: 'text around several', given: two, expect: ['a.two', 'a.one'] },
    { name: 'a list, each address once, in order', given: [one, two, one], expect: ['a.one', 'a.two'] },
    { name: 'an object in an object', given: { b: { c: two }, a: 1 }, expect: ['a.two', 'a.one'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(addressesIn(given)).toEqual(expected);
  });
});

const field = (traits: object) => ({ doc: '', ...traits }) as unknown as Field;
const REF = field({ type: 'string', ref: { kinds: ['k'], prefixes: ['k_'] } });
const TEXT = field({ type: 'string' });
const FIELDS: Fields = {
  text: TEXT,
  ref: REF,
  refs: field({ type: 'list', order: 'any', items: REF }),
  module: field({ type: 'object', fields: { ref: REF, text: TEXT } }),
};

describe('idsIn', () => {
  test.each<{ name: string; given: ValueObject; expect: readonly string[] }>([
    { name: 'nothing', given: {}, expect: [] },
    { name: 'an id in a text that refers to nothing', given: { text: 'k_1' }, expect: [] },
    { name: 'an id in a field that refers', given: { ref: 'k_1' }, expect: ['k_1'] },
    { name: 'a null there', given: { ref: null, refs: null, module: null }, expect: [] },
    { name: 'what is not known yet', given: { ref: one }, expect: [] },
    { name: 'a list', given: { refs: ['k_1', 'k_2'] }, expect: ['k_1', 'k_2'] },
    { name: 'a field of a module', given: { module: { ref: 'k_3', text: 'k_4' } }, expect: ['k_3'] },
    { name: 'a field that nobody knows', given: { other: 'k_5' }, expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(idsIn(FIELDS, given)).toEqual(expected);
  });
});

test('attributesByAddress: each attribute once, of resources and of outputs', () => {
  const found = attributesByAddress({
    resources: [{ spec: { a: one } }, { spec: [two] }],
    outputs: new Map([['o', two]]),
  });
  expect([...found]).toEqual([
    ['a.one', ['id']],
    ['a.two', ['addr']],
  ]);
});
