import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/catalog/field.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { documented } from '../../src/catalog/provenance.ts';
import { hasForm, textLimit } from '../../src/catalog/text-limits.ts';
import { uniqueItems } from '../../src/catalog/unique.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';

const base = { doc: 'A value.', source: documented('§1') };
const [kind] = managedKinds;
if (kind === undefined) throw new Error('there is no kind');

describe('uniqueItems', () => {
  const field: Field = { ...base, type: 'string', unique: 'service', form: 'caseless' };
  const list: Field = { ...base, type: 'list', order: 'ignored', unique: 'service', items: field };
  const keys = (one: Field, value: Value | undefined) =>
    uniqueItems({ ...kind, fields: { value: one } }, undefined, () => value);

  test('a secret, a text and an item of a list with one meaning have one key', () => {
    const found = [...keys(field, 'A'), ...keys(field, new Secret('a')), ...keys(list, [null, 'a'])];
    expect(new Set(found.map(({ key }) => key)).size).toBe(1);
    expect(found.map(({ position }) => position)).toEqual([[], [], ['1']]);
  });

  test('a reference is equal to the same reference only, and never to a text', () => {
    const to = (attr: string) => new Expression([{ address: 'kind.name', attr }]);
    const found = [to('id'), to('id'), to('uri'), '{"expression":[]}'].flatMap((value) => keys(field, value));
    expect(new Set(found.map(({ key }) => key)).size).toBe(3);
  });

  test.each([{ value: null }, { value: undefined }, { value: [null] }])('$value holds nothing', ({ value }) => {
    expect(keys(list, value)).toEqual([]);
  });
});

test.each([
  { limits: { maxBytes: 3 }, text: 'ää', length: 4, most: 3, unit: 'byte' },
  { limits: { maxChars: 3 }, text: 'ää', length: 2, most: 3, unit: 'character' },
  { limits: {}, text: 'ää', length: 2, most: Infinity, unit: 'character' },
])('a text is measured in the unit of its field: $unit', ({ limits, text, length, most, unit }) => {
  const found = textLimit({ ...base, type: 'string', ...limits });
  expect([found.measure(text), found.most, found.unit]).toEqual([length, most, unit]);
});

test.each([
  { form: { values: ['a', 'b'] }, text: 'a', expected: true },
  { form: { values: ['a', 'b'] }, text: 'c', expected: false },
  { form: { pattern: { regex: '^x', words: 'an x' } }, text: 'xy', expected: true },
  { form: { pattern: { regex: '^x', words: 'an x' } }, text: 'y', expected: false },
  { form: {}, text: 'y', expected: true },
])('$text has the form $form: $expected', ({ form, text, expected }) => {
  expect(hasForm({ ...base, type: 'string', ...form }, text)).toBe(expected);
});
