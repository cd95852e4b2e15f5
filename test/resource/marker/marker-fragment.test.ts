// What is left of a damaged marker is found, and text that only speaks of us is not.

import { describe, expect, test } from 'vitest';
import { markerFragmentIn, stackNamedAt } from '../../../src/resource/marker/marker-fragment.ts';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly isObject?: true;
  /** What stands where the fragment begins; undefined for none. */
  readonly expect: string | undefined;
}

describe('markerFragmentIn', () => {
  test.each<Row>([
    { name: 'no text', text: '', expect: undefined },
    { name: 'text that names us', text: 'made by edgeform, see edgeform/docs', expect: undefined },
    { name: 'an object with the word as a value', text: '{"tool":"edgeform"}', isObject: true, expect: undefined },
    {
      name: 'an object with our key and another value',
      text: '{"edgeform":{"team":"a"}}',
      isObject: true,
      expect: undefined,
    },
    { name: 'a key with the beginning of a marker', text: 'x "edgeform":{"v":1', expect: 'edgeform":{' },
    { name: 'in any order of its members', text: 'x "edgeform":{"stack":"a"', expect: 'edgeform":{' },
    { name: 'quoted once more', text: '"{\\"edgeform\\":{\\"v\\":1', expect: 'edgeform\\":' },
    { name: 'with typographic quotes', text: '“edgeform”: {“stack”: “a”', expect: 'edgeform”' },
    { name: 'in an object, deeper', text: '{"a":{"edgeform":{"v":1}}}', isObject: true, expect: 'edgeform":{' },
    { name: 'a line inside another', text: 'note edgeform/v1 {"v":1}', expect: 'edgeform/v1' },
    { name: 'a line that was cut off', text: 'mine\nedgeform/v1', expect: 'edgeform/v1' },
    { name: 'in other letters', text: 'EDGEFORM/V1 {"V":1}', expect: 'EDGEFORM' },
    { name: 'as YAML', text: 'edgeform: stack: shop', expect: 'edgeform:' },
    { name: 'our key in an object that is broken', text: '{"a":1,"edgeform":', expect: 'edgeform"' },
    { name: 'the first of two', text: 'a edgeform/v1 {"v":1} edgeform":{"v":1', expect: 'edgeform/v1' },
  ])('$name', ({ text, isObject = false, expect: expected }) => {
    const at = markerFragmentIn(text, isObject);
    if (expected === undefined) expect(at).toBeUndefined();
    else expect(text.slice(at).startsWith(expected)).toBe(true);
  });
});

describe('stackNamedAt', () => {
  test.each<readonly [string, string, string | undefined]>([
    ['a whole name', 'edgeform":{"v":1,"stack":"shop","address":', 'shop'],
    ['a name in other quotes', 'edgeform: {‘stack’: ‘shop-2’', 'shop-2'],
    ['a name that is cut off', 'edgeform":{"v":1,"stack":"sho', undefined],
    ['none', 'edgeform":{"v":1', undefined],
    ['what is no name', 'edgeform":{"stack":"Shop!"', undefined],
    ['one among the members of another object', 'edgeform":{"applied":{"stack":"shop"}', undefined],
    ['one too far from where the marker begins', `edgeform${' '.repeat(40)}{"stack":"shop"`, undefined],
  ])('%s', (_, text, expected) => {
    expect(stackNamedAt(`before ${text}`, 7)).toBe(expected);
  });
});
