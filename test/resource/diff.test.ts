// Equality of values, whatever their keys are called and whichever side is secret.

import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value, ValueObject } from '../../src/core/value.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { compareFields, equal } from '../../src/resource/diff.ts';

test.each([
  ['{"a":1,"b":[2]}', '{"b":[2],"a":1}', true],
  ['{"a":1}', '{"a":1,"b":null}', false],
  ['[1,2]', '[2,1]', false],
  ['[]', '{}', false],
  ['0', '-0', true],
  ...['constructor', 'toString', 'valueOf', '__proto__', 'length'].flatMap((key): [string, string, boolean][] => [
    [`{"${key}":{"a":"x"}}`, `{"${key}":{"a":"x"}}`, true],
    [`{"${key}":"x"}`, `{"${key}":"y"}`, false],
    [`{"${key}":"x"}`, '{}', false],
  ]),
])('%s and %s: %s', (a, b, expected) => {
  expect(equal(parseJson(a), parseJson(b))).toBe(expected);
  expect(equal(parseJson(b), parseJson(a))).toBe(expected);
});

test('a secret is what it holds, and nothing is equal to nothing only', () => {
  const value: Value = { key: new Secret('S3cr3tValue42X') };
  expect(equal(value, { key: 'S3cr3tValue42X' })).toBe(true);
  expect(equal(value, { key: 'other' })).toBe(false);
  expect(equal(undefined, undefined)).toBe(true);
  expect(equal(undefined, null)).toBe(false);
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'newfield'])(
  'what the service adds under the name %s is left alone, and what the manifest gives there counts',
  (name) => {
    const kind = kindByName('event_destination');
    const target = (extra: string) =>
      ({ target: JSON.parse(`{"datadog": {"service": "x"${extra}}}`) as ValueObject }) satisfies ValueObject;
    const paths = (desired: ValueObject, live: ValueObject) =>
      compareFields(kind, desired, { spec: live, writeOnly: [] }, []).flatMap(({ differences }) =>
        differences.map(({ path, before }) => [path, before]),
      );
    const given = `, "${name}": "z"`;
    expect(paths(target(''), target(given))).toEqual([]);
    expect(paths(target(given), target(''))).toEqual([[`target.datadog.${name}`, undefined]]);
    expect(paths(target(given), target(given))).toEqual([]);
  },
);
