import { describe, expect, test } from 'vitest';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { documented } from '../../src/catalog/provenance.ts';
import { allFields, eachFieldLeaf, fieldAt, mapFieldLeaves } from '../../src/catalog/walk.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';

const base = { doc: 'A value.', source: documented('§1') };
const text: Field = { ...base, type: 'string' };
const inner: Field = { ...base, type: 'object', fields: { name: text } };
const headers: Field = {
  ...base,
  type: 'map',
  keys: 'kept',
  names: { regex: '.', words: 'a name' },
  items: { ...base, type: 'string' },
};
const list: Field = { ...base, type: 'list', order: 'kept', items: inner };
const fields: Fields = { headers, list, inner };
const whole: Field = { ...base, type: 'object', fields };

test('every field has a path, lists with brackets', () => {
  expect(allFields(fields).map(({ path }) => path)).toEqual(['headers', 'list', 'list[].name', 'inner', 'inner.name']);
});

test.each([
  { path: 'inner.name', expected: text },
  { path: 'list.0.name', expected: text },
  { path: 'headers.x', expected: headers.items },
  { path: 'list', expected: list },
  { path: 'inner.toString', expected: undefined },
  { path: 'other.name', expected: undefined },
])('the field at $path', ({ path, expected }) => {
  expect(fieldAt(fields, path.split('.'))).toBe(expected);
});

describe('leaves', () => {
  const secret = new Secret('x');
  const value: Value = { list: [{ name: 'a' }, null], headers: { b: secret }, inner: { name: null, more: [['c']] } };

  test('each has its field, its path, and its place outside lists', () => {
    const seen: unknown[] = [];
    eachFieldLeaf(value, whole, (leaf, { field, path, place }) => {
      seen.push([leaf, field?.type, path.join('.'), place.join('.')]);
    });
    expect(seen).toEqual([
      ['a', 'string', 'list.0.name', 'list.name'],
      [null, 'object', 'list.1', 'list'],
      [secret, 'string', 'headers.b', 'headers.b'],
      [null, 'string', 'inner.name', 'inner.name'],
      ['c', undefined, 'inner.more.0.0', 'inner.more'],
    ]);
  });

  test('one that is taken away is missing, and all else keeps its form', () => {
    const at = { field: whole, path: [], place: [] };
    expect(mapFieldLeaves(value, at, (leaf) => leaf)).toEqual(value);
    expect(mapFieldLeaves(value, at, (leaf) => leaf ?? undefined)).toEqual({
      list: [{ name: 'a' }],
      headers: { b: secret },
      inner: { more: [['c']] },
    });
  });

  test('a value of another type than its field has no fields inside', () => {
    const seen: unknown[] = [];
    eachFieldLeaf({ name: 'a' }, list, (_, { field }) => seen.push(field));
    eachFieldLeaf(['a'], inner, (_, { field }) => seen.push(field));
    expect(seen).toEqual([undefined, undefined]);
  });
});
