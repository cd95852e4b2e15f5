// What counts as the same value of a field, whatever the catalogue holds.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../src/catalog/field.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';
import { canonicalField, canonicalKey, isSwitchedOff } from '../../src/resource/canonical.ts';
import { equal } from '../../src/resource/diff.ts';

/** What the field is made of besides what every field has. */
const field = (traits: object): Field => ({ doc: '', source: { specified: '§2' }, ...traits }) as unknown as Field;

const TEXT = field({ type: 'string' });
const NAME = field({ type: 'string', form: 'caseless' });
const CHOICE = field({ type: 'string', default: { value: 'deny' } });
const SET = field({ type: 'list', order: 'any', items: NAME });
const ROW = field({ type: 'list', order: 'kept', items: NAME });
const HEADERS = field({ type: 'map', keys: 'lower' });
const LABELS = field({ type: 'map', keys: 'kept' });
const CLOSED = field({
  type: 'object',
  fields: { name: NAME, action: CHOICE, made: field({ type: 'string', write: 'never' }) },
});
const OPEN = field({ type: 'object', open: true, fields: { name: NAME } });
const NUMBER = field({ type: 'integer', default: { value: 5 } });

interface Row {
  readonly name: string;
  readonly of: Field;
  readonly given: Value | undefined;
  readonly expect: Value | undefined;
}

const rows: readonly Row[] = [
  { name: 'a text that is missing is absent', of: TEXT, given: undefined, expect: undefined },
  { name: 'a text that is null is absent', of: TEXT, given: null, expect: undefined },
  { name: 'a text that is empty is absent', of: TEXT, given: '', expect: undefined },
  { name: 'a text of blanks is a text', of: TEXT, given: ' ', expect: ' ' },
  { name: 'a text keeps its case', of: TEXT, given: 'Ab', expect: 'Ab' },
  { name: 'a name loses its case', of: NAME, given: 'Ab', expect: 'ab' },
  { name: 'a missing choice is its default', of: CHOICE, given: undefined, expect: 'deny' },
  { name: 'a choice that is null is its default', of: CHOICE, given: null, expect: 'deny' },
  { name: 'an empty choice is not its default', of: CHOICE, given: '', expect: '' },
  { name: 'a missing number is its default', of: NUMBER, given: null, expect: 5 },
  { name: 'zero is not missing', of: NUMBER, given: 0, expect: 0 },
  { name: 'a set is sorted, each item once, whatever its case', of: SET, given: ['B', 'a', 'b'], expect: ['a', 'b'] },
  { name: 'an empty set is a set', of: SET, given: [], expect: [] },
  { name: 'an ordered list keeps order and repetitions', of: ROW, given: ['B', 'a', 'b'], expect: ['b', 'a', 'b'] },
  {
    name: 'names of headers lose their case, values keep it',
    of: HEADERS,
    given: { 'X-A': 'V' },
    expect: { 'x-a': 'V' },
  },
  { name: 'names of labels keep their case', of: LABELS, given: { 'X-A': 'V' }, expect: { 'X-A': 'V' } },
  { name: 'an object has its defaults', of: CLOSED, given: { name: 'N' }, expect: { name: 'n', action: 'deny' } },
  { name: 'what the service alone writes is left out', of: CLOSED, given: { made: 'x' }, expect: { action: 'deny' } },
  { name: 'a closed object has known fields only', of: CLOSED, given: { other: 1 }, expect: { action: 'deny' } },
  { name: 'an open object keeps the others, nulls aside', of: OPEN, given: { a: 1, b: null }, expect: { a: 1 } },
  { name: 'a value of another type is left as it is', of: SET, given: 'x', expect: 'x' },
];

describe('canonicalField', () => {
  test.each(rows)('$name', ({ of, given, expect: expected }) => {
    const made = canonicalField(of, given);
    expect(made).toEqual(expected);
    // What is canonical stays so.
    expect(canonicalField(of, made)).toEqual(made);
  });

  test('secrets in a set are sorted by what they hold, and stay secret', () => {
    const items = ['b', 'a'].map((text) => new Secret(text));
    const made = canonicalField(field({ type: 'list', order: 'any', items: TEXT }), items) as readonly Secret[];
    expect(made.map((one) => one.reveal())).toEqual(['a', 'b']);
    expect(made.every((one) => one instanceof Secret)).toBe(true);
  });

  test('a secret name loses its case, and is equal to the same text in clear', () => {
    const made = canonicalField(NAME, new Secret('AB'));
    expect(made).toBeInstanceOf(Secret);
    expect(equal(made, 'ab')).toBe(true);
  });

  test('an empty secret is absent, and a text that is not known yet stays as it is', () => {
    expect(canonicalField(TEXT, new Secret(''))).toBeUndefined();
    const later = new Expression(['x', { address: 'tls_edges.a', attr: 'id' }]);
    expect(canonicalField(NAME, later)).toBe(later);
  });
});

test.each([
  ['lower', 'X-A', 'x-a'],
  ['kept', 'X-A', 'X-A'],
] as const)('canonicalKey: names of a map that are %s: %s is %s', (keys, name, expected) => {
  expect(canonicalKey({ type: 'map', keys } as Parameters<typeof canonicalKey>[0], name)).toBe(expected);
});

test.each<[Value | undefined, boolean]>([
  [{ enabled: false }, true],
  [{ enabled: true }, false],
  [{}, false],
  [{ enabled: null }, false],
  [null, false],
  [undefined, false],
  [[false], false],
])('isSwitchedOff: %j: %s', (value, expected) => {
  expect(isSwitchedOff(value)).toBe(expected);
});
