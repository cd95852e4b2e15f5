// A rule that read something that is not known has judged nothing.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { isList } from '../../../src/core/json.ts';
import { trackAccess } from '../../../src/manifest/rules/track-access.ts';
import { UnknownValues } from '../../../src/manifest/unknown-values.ts';

const SPEC: JsonObject = { a: 1, b: { c: 2 }, list: [{ d: 3 }] };

const isPlain = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null;

const inner = (value: unknown, key: string): unknown => (isPlain(value) ? value[key] : undefined);

interface Row {
  readonly name: string;
  readonly unknown?: readonly string[];
  readonly open?: readonly string[];
  readonly read: (spec: JsonObject) => unknown;
  readonly expect: boolean;
}

describe('reading what is not known is a guess', () => {
  test.each<Row>([
    { name: 'nothing is unknown', read: (spec) => [spec['a'], spec['nope']], expect: false },
    { name: 'a value', unknown: ['a'], read: (spec) => spec['a'], expect: true },
    { name: 'another value', unknown: ['a'], read: (spec) => spec['b'], expect: false },
    { name: 'a value that is missing', unknown: ['z'], read: (spec) => spec['z'], expect: true },
    {
      name: 'a value inside of what is read',
      unknown: ['b', 'c'],
      read: (spec) => inner(spec['b'], 'c'),
      expect: true,
    },
    { name: 'a block whose value nobody looks at', unknown: ['b', 'c'], read: (spec) => spec['b'], expect: false },
    {
      name: 'a missing value of a block that may have more',
      open: ['b'],
      read: (spec) => inner(spec['b'], 'z'),
      expect: true,
    },
    {
      name: 'a value that is there in a block that may have more',
      open: ['b'],
      read: (spec) => inner(spec['b'], 'c'),
      expect: false,
    },
    {
      name: 'the keys of a block that may have more',
      open: ['b'],
      read: (spec) => Object.keys(spec['b'] as JsonObject),
      expect: true,
    },
    {
      name: 'the keys of a block that is known',
      open: ['list'],
      read: (spec) => Object.keys(spec['b'] as JsonObject),
      expect: false,
    },
    {
      name: 'an item of a list',
      unknown: ['list', '0', 'd'],
      read: (spec) =>
        isList(spec['list'] ?? null) ? (spec['list'] as readonly JsonObject[]).map((one) => one['d']) : [],
      expect: true,
    },
    {
      name: 'how long a list is',
      unknown: ['list', '0', 'd'],
      read: (spec) => (spec['list'] as readonly unknown[]).length,
      expect: false,
    },
  ])('$name', ({ unknown, open, read, expect: expected }) => {
    const values = new UnknownValues(() => true);
    if (unknown !== undefined) values.add(['at', ...unknown]);
    if (open !== undefined) {
      const there = new UnknownValues(() => false);
      there.addOpen(['at', ...open]);
      const tracked = trackAccess(SPEC, ['at'], there);
      read(tracked.spec);
      expect(tracked.hasGuessed()).toBe(expected);
      return;
    }
    const tracked = trackAccess(SPEC, ['at'], values);
    read(tracked.spec);
    expect(tracked.hasGuessed()).toBe(expected);
  });

  test('a rule sees the values as they are', () => {
    const { spec } = trackAccess(SPEC, ['at'], new UnknownValues(() => true));
    expect(spec).toEqual(SPEC);
  });
});
