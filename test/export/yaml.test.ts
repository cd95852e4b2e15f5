// The writer of YAML against the manifest's own reader: whatever is written reads back as it was, without a complaint.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Tree } from '../../src/export/yaml.ts';
import { commentLines, yamlLines } from '../../src/export/yaml.ts';
import { parseFile } from '../../src/manifest/text/parse.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';

function treeOf(value: Json): Tree {
  if (Array.isArray(value)) return (value as readonly Json[]).map(treeOf);
  if (isObject(value)) return { entries: Object.entries(value).map(([key, item]) => ({ key, value: treeOf(item) })) };
  return value as string | number | boolean | null;
}

function written(value: Json): string {
  return `${yamlLines([{ key: 'value', value: treeOf(value) }]).join('\n')}\n`;
}

function readBack(value: Json): Json {
  const { json, diagnostics } = parseFile('test.yaml', written(value));
  expect(diagnostics, written(value)).toEqual([]);
  return json;
}

test.each([
  ['plain words', 'value: plain words'],
  ['shop.example.com:443', 'value: shop.example.com:443'],
  ['/api', 'value: /api'],
  ['', 'value: ""'],
  ['yes', 'value: "yes"'],
  ['NULL', 'value: "NULL"'],
  ['1.2', 'value: "1.2"'],
  ['0x1F', 'value: "0x1F"'],
  ['1e3', 'value: "1e3"'],
  ['.inf', 'value: ".inf"'],
  ['12:30:00', 'value: "12:30:00"'],
  ['2026-01-31', 'value: "2026-01-31"'],
  ['2001-12-14T21:59:43Z', 'value: "2001-12-14T21:59:43Z"'],
  ['2001-1-4t1:59:43.10-05:00', 'value: "2001-1-4t1:59:43.10-05:00"'],
  ['2001-12-14 21:59:43 +5', 'value: "2001-12-14 21:59:43 +5"'],
  ['2001-12-14 at noon', 'value: 2001-12-14 at noon'],
  ['~', 'value: "~"'],
  ['...', 'value: "..."'],
  ['---', 'value: "---"'],
  ['& anchor', 'value: "& anchor"'],
  ['# no comment', 'value: "# no comment"'],
  ['a: b', 'value: "a: b"'],
  ['a #b', 'value: "a #b"'],
  ['ends with:', 'value: "ends with:"'],
  [' spaced ', 'value: " spaced "'],
  ['- item', 'value: "- item"'],
  ['$${x}', 'value: "$${x}"'],
  ['Größe 寸', 'value: "Größe 寸"'],
  ['{"a":"it\'s"}', `value: '{"a":"it''s"}'`],
  ['C:\\temp', "value: 'C:\\temp'"],
  ['tab\there', 'value: "tab\\there"'],
  ['zero\u200bwidth', 'value: "zero\\u200Bwidth"'],
  ['lone\ud800', 'value: "lone\\uD800"'],
  ['\u202eevil', 'value: "\\u202Eevil"'],
  ['nul\u0000', 'value: "nul\\x00"'],
  ['one\ntwo\n', 'value: |\n  one\n  two'],
  ['one\n\n  two', 'value: |-\n  one\n\n    two'],
  ['one\ntwo\n\n', 'value: "one\\ntwo\\n\\n"'],
  [' one\ntwo', 'value: " one\\ntwo"'],
  ['one \ntwo', 'value: "one \\ntwo"'],
  ['one\r\ntwo', 'value: "one\\x0D\\ntwo"'],
  ['say "["\nand "{"', 'value: |-\n  say "["\n  and "{"'],
  ['say "["\tand "{\\', 'value: "say \\"[\\"\\tand \\"{\\\\"'],
  [['a', 'b'], 'value: [a, b]'],
  [[], 'value: []'],
  [{}, 'value: {}'],
  [[{ a: 1, b: ['x'] }, {}], 'value:\n  - a: 1\n    b: [x]\n  - {}'],
  [[['nested']], 'value:\n  -\n    - nested'],
] as [Json, string][])('%j', (value, expected) => {
  if (!Array.isArray(value) || !Array.isArray(value[0])) expect(written(value)).toBe(`${expected}\n`);
  expect(readBack(value)).toEqual({ value });
});

describe('any value', () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER, maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom(...'ab:#\'"\\[]{}$&*!|>%@`,?- \n\t\r~0.\u0085\u2028\ufeff\ud800é'.split('')),
      maxLength: 30,
    }),
  );
  const key = text.filter((one) => one === one.normalize('NFC') && one !== '<<' && one !== '__proto__');
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      text,
      fc.constantFrom<Json>(0, -1.5, 1e-7, 1e21 / 3e10, true, false, null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  })).value;

  test('reads back as it was', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(readBack(value)).toEqual({ value });
      }),
      { numRuns: 1000 },
    );
  });

  test('many values with unbalanced brackets and quotes are not taken for nesting', () => {
    const nasty = ['say "[" ', '\'{"', '{"a": "[["}', '[\n"\\"[', '{\n"a": "it\'s [",\n"b": "["\n}'];
    const many = Array.from({ length: 400 }, (_, index) => `${index} ${nasty[index % nasty.length] ?? ''}`);
    expect(readBack(many)).toEqual({ value: many });
    expect(readBack(nasty)).toEqual({ value: nasty });
  });

  test('a comment cannot end early or hide anything', () => {
    fc.assert(
      fc.property(text, (line) => {
        const file = [...commentLines([line]), 'value: 1'].join('\n');
        expect(parseFile('test.yaml', file)).toMatchObject({ json: { value: 1 }, diagnostics: [] });
      }),
    );
  });
});
