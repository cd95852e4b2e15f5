// Where members and values stand in JSON text, which is cut and put together byte for byte.

import { describe, expect, test } from 'vitest';
import { endOfValue, membersOf } from '../../src/core/json-text.ts';

describe('membersOf', () => {
  test.each<readonly [string, string, readonly (readonly [string, string])[]]>([
    ['no member', ' { } ', []],
    ['one', '{"a":1}', [['a', '1']]],
    [
      'values of all types, blanks between them',
      '{ "a" : true , "b" :\n"x", "c":null,"d":-1.5e3 }',
      [
        ['a', 'true'],
        ['b', '"x"'],
        ['c', 'null'],
        ['d', '-1.5e3'],
      ],
    ],
    [
      'signs of JSON inside text',
      '{"a":"}],\\"{","b":[]}',
      [
        ['a', '"}],\\"{"'],
        ['b', '[]'],
      ],
    ],
    [
      'objects and lists as a whole',
      '{"a":{"b":[{"c":"]"}]},"d":2}',
      [
        ['a', '{"b":[{"c":"]"}]}'],
        ['d', '2'],
      ],
    ],
    [
      'two with one name',
      '{"a":1,"a":2}',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['a name that is escaped', '{"\\u0061\\"":1}', [['a"', '1']]],
    [
      'a backslash before the closing quote',
      '{"a":"\\\\","b":1}',
      [
        ['a', '"\\\\"'],
        ['b', '1'],
      ],
    ],
  ])('%s', (_, text, expected) => {
    const found = membersOf(text);
    expect(found.map(({ name, valueStart, end }) => [name, text.slice(valueStart, end)])).toEqual(expected);
    for (const { start } of found) expect(text[start]).toBe('"');
  });
});

describe('endOfValue', () => {
  test.each<readonly [string, string, number, string | undefined]>([
    ['a word up to a blank', 'true false', 0, 'true'],
    ['a word up to the end', '12', 0, '12'],
    ['a word up to a bracket', '[1]', 1, '1'],
    ['a text', '"a b" c', 0, '"a b"'],
    ['an object in the middle', 'x {"a":{}} y', 2, '{"a":{}}'],
    ['an open text', '"a', 0, undefined],
    ['a text whose quote is escaped', '"a\\"', 0, undefined],
    ['an open object', '{"a":{}', 0, undefined],
    ['an open text inside', '{"a}', 0, undefined],
  ])('%s', (_, text, start, expected) => {
    const end = endOfValue(text, start);
    expect(end === undefined ? undefined : text.slice(start, end)).toBe(expected);
  });
});
