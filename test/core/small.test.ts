// The smallest rules: equality of JSON whose keys may be anything, values that are made once, and what is tried.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameEntries, sameJson } from '../../src/core/equal.ts';
import { canonicalJson, type Json } from '../../src/core/json.ts';
import { lazy, perObject } from '../../src/core/lazy.ts';
import { tryTo } from '../../src/core/try.ts';

const key = fc.constantFrom('a', 'b', 'toString', 'valueOf', 'constructor', '__proto__');
const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<Json>(null, 0, 1, '', 'a', true),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(key, tie('value'), { maxKeys: 2 }),
  ),
})).value;

test('values are equal when their canonical text is, whatever their keys are', () => {
  fc.assert(fc.property(json, json, (a, b) => sameEntries(a, b) === (canonicalJson(a) === canonicalJson(b))));
  expect(sameJson({ a: [1], b: null }, { b: null, a: [1] })).toBe(true);
});

test('a value is made once, and once for each object', () => {
  let made = 0;
  const value = lazy(() => (made += 1));
  const ofObject = perObject((one: object) => ({ one, at: (made += 1) }));
  const one = {};
  expect([value(), value(), ofObject(one) === ofObject(one), made]).toEqual([1, 1, true, 2]);
  expect(tryTo(() => JSON.parse('{') as Json)).toBeUndefined();
});
