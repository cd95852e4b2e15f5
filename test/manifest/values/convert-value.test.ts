// Filled values as their fields want them.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/catalog/field.ts';
import { documented } from '../../../src/catalog/provenance.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { Value } from '../../../src/core/value.ts';
import { Expression } from '../../../src/core/value.ts';
import { convertValue } from '../../../src/manifest/values/convert-value.ts';
import { contextOf } from '../../support/manifest-parts.ts';

const source = documented('§2');
const text: Field = { type: 'string', doc: '', source };
const count: Field = { type: 'integer', min: 0, max: 128, doc: '', source };
const share: Field = { type: 'number', min: 0, max: 1, doc: '', source };
const flag: Field = { type: 'boolean', doc: '', source };
const secret: Field = { ...text, sensitive: true };

function convert(field: Field | undefined, value: Value, isLiteral = false) {
  const context = contextOf('');
  const made = convertValue(field, value, {
    cursor: { path: ['k', 'n', 'f'], context },
    writtenIn: isLiteral ? 'field' : undefined,
  });
  return { made, context, codes: context.diagnostics.map(({ code }) => code) };
}

describe('a text becomes what its field holds', () => {
  test.each<{
    name: string;
    field: Field | undefined;
    given: Value;
    made: Value | undefined;
    codes?: readonly string[];
  }>([
    { name: 'a whole number', field: count, given: '12', made: 12 },
    { name: 'a whole number with zeros behind its point', field: count, given: '12.0', made: 12 },
    { name: 'no part of a number', field: count, given: '1.5', made: undefined, codes: ['bad-variable'] },
    { name: 'the largest number', field: count, given: '128', made: 128 },
    { name: 'no larger number', field: count, given: '129', made: undefined, codes: ['bad-variable'] },
    { name: 'no number below the least', field: count, given: '-1', made: undefined, codes: ['bad-variable'] },
    { name: 'a share', field: share, given: '0.25', made: 0.25 },
    { name: 'no number in another form', field: share, given: '1e0', made: undefined, codes: ['bad-variable'] },
    { name: 'no number from an empty text', field: count, given: '', made: undefined, codes: ['bad-variable'] },
    { name: 'a switch', field: flag, given: 'false', made: false },
    { name: 'no switch in other words', field: flag, given: 'yes', made: undefined, codes: ['bad-variable'] },
    { name: 'a number in the place of a text', field: text, given: 7, made: '7' },
    { name: 'anything where no field is known', field: undefined, given: 7, made: 7 },
    { name: 'a text of a closed set', field: { ...text, values: ['a', 'b'] }, given: 'b', made: 'b' },
    {
      name: 'no other text',
      field: { ...text, values: ['a', 'b'] },
      given: 'c',
      made: undefined,
      codes: ['wrong-value'],
    },
    { name: 'a text that is as long as it may be', field: { ...text, maxBytes: 3 }, given: 'aé', made: 'aé' },
    { name: 'no longer text', field: { ...text, maxBytes: 3 }, given: 'éé', made: undefined, codes: ['too-long'] },
    {
      name: 'a text of a form',
      field: { ...text, pattern: { regex: '^a+$', words: '' } },
      given: 'b',
      made: undefined,
      codes: ['wrong-value'],
    },
    {
      name: 'a text of a form with something that nobody sees',
      field: { ...text, pattern: { regex: '^a+$', words: '' } },
      given: 'a\u200b',
      made: undefined,
      codes: ['hidden-character'],
    },
  ])('$name', ({ field, given, made, codes = [] }) => {
    const found = convert(field, given);
    expect([found.made, found.codes]).toEqual([made, codes]);
    expect(found.context.unknownValues.has(['k', 'n', 'f'])).toBe(codes.length > 0);
  });
});

describe('secrets', () => {
  test('a text in a field of secrets is one, and a warning when it is written out', () => {
    const literal = convert(secret, 'abc', true);
    expect([literal.made instanceof Secret, literal.context.diagnostics.map(({ severity }) => severity)]).toEqual([
      true,
      ['warning'],
    ]);
    expect(convert(secret, 'abc').codes).toEqual([]);
  });

  test('an expression in a field of secrets is opaque', () => {
    const reference = new Expression([{ address: 'reserved_addrs.a', attr: 'addr' }]);
    expect(convert(secret, reference).made).toMatchObject({ isSecret: true });
    expect(convert(text, reference).made).toMatchObject({ isSecret: false });
  });

  test('a secret has no place where it would be shown', () => {
    const found = convert({ ...text, neverSecret: 'it is shown' }, new Secret('abc-hidden'));
    expect([found.made, found.codes]).toEqual([undefined, ['secret-in-text']]);
  });

  test('a secret that does not fit is told by its place alone', () => {
    const found = convert({ ...text, pattern: { regex: '^a$', words: '' } }, new Secret('abc-hidden'));
    expect([found.made, found.codes]).toEqual([undefined, ['wrong-value']]);
    expect(JSON.stringify(found.context.diagnostics)).not.toContain('abc-hidden');
  });

  test('how long a secret is, is not told', () => {
    const found = convert({ ...text, maxBytes: 10 }, new Secret('x'.repeat(317)));
    expect(found.codes).toEqual(['too-long']);
    expect(JSON.stringify(found.context.diagnostics)).not.toMatch(/317|307/);
  });
});
