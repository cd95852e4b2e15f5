// Documents of YAML as values and places, and what a manifest cannot hold.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/core/json.ts';
import { pathKey } from '../../../src/manifest/unknown-values.ts';
import { linesOf } from '../../../src/manifest/text/lines.ts';
import { isEmpty, MAX_DEPTH } from '../../../src/manifest/text/compose.ts';
import { ParseCost, Reader } from '../../../src/manifest/text/yaml.ts';
import { placesOf } from '../../support/manifest-parts.ts';

function read(text: string) {
  const reader = new Reader(text, linesOf('f.yaml', text), new ParseCost());
  const documents = reader.composeAll({ start: 0, end: text.length });
  const [document] = documents ?? [];
  const json = document === undefined ? null : reader.readFrom(document, 0, []);
  return { json, reader, documents, places: placesOf(reader.diagnostics) };
}

describe('valid values are those of JSON', () => {
  test.each<{ name: string; given: string; expect: Json }>([
    {
      name: 'texts, numbers and switches',
      given: 'a: [x, "1", 1, 0.5, true, ~]',
      expect: { a: ['x', '1', 1, 0.5, true, null] },
    },
    {
      name: 'words that only older YAML reads as switches are texts',
      given: 'a: [yes, no, on, off]',
      expect: { a: ['yes', 'no', 'on', 'off'] },
    },
    { name: 'a key without a value', given: 'a:', expect: { a: null } },
    { name: 'an alias is a copy of its anchor', given: 'a: &x {b: 1}\nc: *x', expect: { a: { b: 1 }, c: { b: 1 } } },
    { name: 'a letter with its mark is one character in keys', given: 'e\u0301: 1', expect: { '\u00e9': 1 } },
    { name: 'nothing', given: '', expect: null },
  ])('$name', ({ given, expect: expected }) => {
    const { json, places } = read(given);
    expect([json, places]).toEqual([expected, []]);
  });
});

describe('what a manifest cannot hold is refused at its place, and the rest is read', () => {
  test.each<{ name: string; given: string; json: Json; places: string[] }>([
    { name: 'infinity', given: 'a: .inf\nb: 1', json: { a: null, b: 1 }, places: ['bad-number 1:4'] },
    {
      name: 'a number that would lose digits',
      given: 'a: 9007199254740993',
      json: { a: null },
      places: ['bad-number 1:4'],
    },
    { name: 'bytes', given: 'a: !!binary YQ==\nb: 1', json: { a: null, b: 1 }, places: ['unknown-tag 1:13'] },
    { name: 'a template', given: 'a: {{ b }}', json: { a: null }, places: ['yaml-syntax 1:4'] },
    { name: 'an alias without an anchor', given: 'a: *x\nb: 1', json: { a: null, b: 1 }, places: ['yaml-syntax 1:4'] },
    {
      name: 'an alias of what it stands in',
      given: 'a: &x {b: *x}',
      json: { a: { b: null } },
      places: ['circular-alias 1:11'],
    },
    {
      name: 'a key that is a number, read as text all the same',
      given: '1: 2',
      json: { 1: 2 },
      places: ['bad-key 1:1'],
    },
    {
      name: 'a key that would change what an object is',
      given: '__proto__: 1\nb: 1',
      json: { b: 1 },
      places: ['bad-key 1:1'],
    },
    {
      name: 'a key that is given twice keeps its first value',
      given: 'a: 1\na: 2',
      json: { a: 1 },
      places: ['duplicate-key 2:1'],
    },
    {
      name: 'a merge key, and what it brings',
      given: 'a: &x {b: 1}\nc: {<<: *x, d: 2}',
      json: { a: { b: 1 }, c: { d: 2 } },
      places: ['merge-key 2:5'],
    },
  ])('$name', ({ given, json, places }) => {
    const made = read(given);
    expect([made.json, made.places]).toEqual([json, places]);
  });

  test('what was refused is not known, and what stands beside it is', () => {
    const { reader } = read('a: .inf\nb: 1');
    expect([['a'], ['b']].map((path) => reader.unknownValues.has(path))).toEqual([true, false]);
  });

  test('the second key of two tells where the first is', () => {
    expect(read('a: 1\na: 2').reader.diagnostics[0]?.related?.map(({ range }) => range.line)).toEqual([1]);
  });
});

describe('places', () => {
  const text = 'a:\n  b: [1, xy]\n';

  test.each([
    { name: 'of a key', ranges: 'keyRanges', path: ['a', 'b'], expect: [2, 3, 4] },
    { name: 'of an item', ranges: 'valueRanges', path: ['a', 'b', '1'], expect: [2, 10, 12] },
    { name: 'of a list', ranges: 'valueRanges', path: ['a', 'b'], expect: [2, 6, 13] },
  ] as const)('$name', ({ ranges, path, expect: expected }) => {
    const { reader } = read(text);
    const [start, end] = reader[ranges].get(pathKey(path)) ?? [0, 0];
    const { line, column, endColumn } = reader.lines.range(start, end);
    expect([line, column, endColumn]).toEqual(expected);
  });

  test('a number that JSON writes in another way keeps its text', () => {
    const { numberTexts } = read('a: 1.20\nb: 0x1F\nc: 5').reader;
    expect([...numberTexts]).toEqual([
      [pathKey(['a']), '1.20'],
      [pathKey(['b']), '0x1F'],
    ]);
  });
});

describe('what a text may cost is bounded', () => {
  test.each([
    { name: 'blocks in brackets', text: (depth: number) => '['.repeat(depth) + ']'.repeat(depth) },
    {
      name: 'indented blocks',
      text: (depth: number) => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:\n`).join(''),
    },
  ])('$name are composed down to a depth, and no deeper', ({ text }) => {
    expect(read(text(MAX_DEPTH)).documents).toHaveLength(1);
    const { documents, places } = read(text(MAX_DEPTH + 1));
    expect([documents, places]).toEqual([undefined, [expect.stringContaining('too-deep ')]]);
  });

  test('a hundred aliases are read, and the next is refused once', () => {
    const uses = (count: number) => `a: &x 1\nb: [${Array.from({ length: count }, () => '*x').join(', ')}]`;
    expect(read(uses(100)).places).toEqual([]);
    expect(read(uses(105)).reader.diagnostics.map(({ code }) => code)).toEqual(['too-many-aliases']);
  });

  test('aliases of aliases do not make a document of any size', () => {
    const row = (name: string, other: string) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => `*${other}`).join(', ')}]`;
    const { reader } = read(['a: &a [1]', row('b', 'a'), row('c', 'b'), row('d', 'c'), row('e', 'd')].join('\n'));
    expect(reader.diagnostics.map(({ code }) => code)).toContain('too-many-aliases');
  });
});

test.each([
  { name: 'a start without anything behind it', given: '---\n# a', expect: [true] },
  { name: 'null', given: '~', expect: [true] },
  { name: 'an empty text is something', given: '""', expect: [false] },
  { name: 'an empty block is something', given: '{}', expect: [false] },
  { name: 'each document is told by itself', given: '---\n---\na: 1', expect: [true, false] },
])('empty or not: $name', ({ given, expect: expected }) => {
  expect(read(given).documents?.map(isEmpty)).toEqual(expected);
});

describe('a document with problems is read by its blocks', () => {
  test.each([
    { name: 'no problem', given: 'a: 1', expect: true },
    { name: 'a tag of somebody', given: 'a: !x 1', expect: false },
    { name: 'indentation that does not fit', given: 'a:\n    b: 1\n  c: 2', expect: false },
  ])('$name', ({ given, expect: expected }) => {
    const { reader, documents } = read(given);
    expect(documents?.map((one) => reader.isReadable(one))).toEqual([expected]);
  });
});
