// The plain reader and the YAML library: what the first accepts, the second reads as the same and finds nothing wrong with.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../../src/core/json.ts';
import { isList, isObject } from '../../../src/core/json.ts';
import { linesOf } from '../../../src/manifest/text/lines.ts';
import { readPlain } from '../../../src/manifest/text/plain.ts';
import { preflight } from '../../../src/manifest/text/preflight.ts';
import { ParseCost, Reader } from '../../../src/manifest/text/yaml.ts';
import { pathKey } from '../../../src/manifest/unknown-values.ts';

const MAX_DEPTH = 60;

/** Paths of all values. */
function valuePaths(json: Json, path: readonly string[] = []): string[][] {
  const entries = isList(json) ? [...json.entries()] : isObject(json) ? Object.entries(json) : [];
  return [[...path], ...entries.flatMap(([name, inner]) => valuePaths(inner, [...path, String(name)]))];
}

/** Paths of all map entries. */
function keyPaths(json: Json, path: readonly string[] = []): string[][] {
  if (isList(json)) return json.flatMap((item, index) => keyPaths(item, [...path, String(index)]));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, inner]) => [[...path, name], ...keyPaths(inner, [...path, name])]);
}

/** Checks the promise for one text; true when the plain reader accepts it. */
function agrees(text: string): boolean {
  const lines = linesOf('f.yaml', text);
  if (preflight(text, lines).diagnostics.length > 0) return false;
  const plain = readPlain(text, MAX_DEPTH);
  if (plain === undefined) return false;
  const reader = new Reader(text, lines, new ParseCost());
  const documents = reader.composeAll({ start: 0, end: text.length }) ?? [];
  const [document] = documents;
  const json = document === undefined ? undefined : reader.readFrom(document, 0, []);
  expect({ text, json: plain.json, documents: 1, problems: [], numbers: [] }).toEqual({
    text,
    json,
    documents: documents.length,
    problems: reader.diagnostics,
    numbers: [...reader.numberTexts],
  });
  for (const path of keyPaths(plain.json)) {
    expect({ text, path, range: plain.keyAt(path) }).toEqual({
      text,
      path,
      range: reader.keyRanges.get(pathKey(path)),
    });
  }
  for (const path of valuePaths(plain.json)) {
    expect({ text, path, range: plain.valueAt(path) }).toEqual({
      text,
      path,
      range: reader.valueRanges.get(pathKey(path)),
    });
  }
  return true;
}

const FRAGMENTS =
  'a|b|key|x-y|true|True|null|Null|~|1|-1|0|-0|007|0x1F|0o7|1.5|1.50|1e5|.5|5.|.inf|-.INF|.nan|1_000|+1|12345678901234567890|1.2.3|2024-01-01|10.0.0.0/8|yes|:|: |:x| :|a: |a:\n|"k": |"k":|\'k\': |-|- |--|---|---\n|...|...\n|?|? |#| #| # c\n|#c\n|\n|\n\n|\n  |\n    |\n | |  |    |[|]|{|}|, |,|[]|{}|[a, b]|{a: b}|{"a":1}|[a,]|"x"|"a\\nb"|"a\\/"|"\\x41"|"\\u00e9"|\'x\'|\'it\'\'s\'|it\'s|say "x"|"|\'|\\|\\n|\t|&a |*a|!t |!!str |<<|<<: *a|@|%|`|||\n|>|> |\\|\n|\\|-\n|\\|+\n|>-\n|\\|2\n|${a.b}|$x|(z)|_|/|.|a.b|a/b|é|e\u0301|\u00a0|\u2003|😀|__proto__|constructor|\r\n'
    .split(/(?<!\\)\|/)
    .map((one) => one.replaceAll('\\|', '|'));

const soup = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 14 }).map((parts) => parts.join(''));

const line = fc
  .tuple(
    fc.constantFrom('', '', '  ', '    ', ' ', '- ', '  - ', '    - ', '- - '),
    fc.constantFrom('a: ', 'b: ', 'c:', 'a:', '"d": ', "'e': ", '- ', '', 'f : '),
    fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 3 }).map((parts) => parts.join('')),
  )
  .map((parts) => parts.join(''));
const block = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => `${lines.join('\n')}\n`);

const inline = fc
  .array(fc.constantFrom(...FRAGMENTS, ...'[]{},:'.split(''), 'a: ', '"b": ', ', '), { maxLength: 8 })
  .map((parts) => parts.join(''));
const flow = fc
  .tuple(
    fc.constantFrom('a: [', 'a: {', '{', '{"a":', 'a:\n  - {', 'a:\n  - ['),
    inline,
    fc.constantFrom(']', '}', ']\n', '}\n', '}}'),
  )
  .map((parts) => parts.join(''));

const root = join(import.meta.dirname, '../../..');
const manifests = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(?:yaml|json)$/.test(name))
  .map((name) => readFileSync(join(root, 'examples', name), 'utf8'));

const mutated = fc
  .tuple(
    fc.constantFrom(...manifests),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 6 }), fc.constantFrom('', '', ...FRAGMENTS)), {
      minLength: 1,
      maxLength: 3,
    }),
  )
  .map(([text, edits]) =>
    edits.reduce(
      (now, [where, cut, put]) => {
        const at = where % (now.length + 1);
        return now.slice(0, at) + put + now.slice(at + cut);
      },
      text.slice(0, 1500),
    ),
  );

describe('what is read here, the YAML library reads as the same', () => {
  test.each([
    ['any fragments', soup],
    ['lines of entries', block],
    ['brackets', flow],
    ['edited examples', mutated],
  ])('%s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => void agrees(text)),
      { numRuns: 3_000 },
    );
  });
});

describe('what programs write is read here', () => {
  const name = fc
    .stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/)
    .filter((one) => !/^(?:true|false|null|__proto__)$/i.test(one));
  const words = fc.stringMatching(/^[a-z0-9][a-z0-9 .,/@=-]{0,20}$/);
  const { json } = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      words,
      fc.integer(),
      fc.boolean(),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(name, tie('json'), { maxKeys: 5, noNullPrototype: true }),
    ),
  }));
  const documents = fc.dictionary(name, json, { minKeys: 1, maxKeys: 5, noNullPrototype: true });

  test.each<[string, (document: Json) => string]>([
    ['JSON on one line', (document) => JSON.stringify(document)],
    ['JSON on many lines', (document) => `${JSON.stringify(document, null, 2)}\n`],
  ])('%s', (_, write) => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(agrees(write(document))).toBe(true);
      }),
    );
  });

  test('YAML, but for what the library folds or writes in an uncommon way', () => {
    const texts = fc
      .sample(documents, { numRuns: 300, seed: 7 })
      .map((document) => stringify(document, { lineWidth: 0 }));
    expect(texts.filter(agrees).length).toBeGreaterThan(200);
  });

  test('the examples', () => {
    expect(manifests.filter(agrees).length).toBeGreaterThan(manifests.length / 2);
  });
});

describe('what is out of the ordinary is declined', () => {
  test.each([
    '',
    '# only a comment\n',
    '[]',
    'text',
    'a: 1\na: 2',
    'a: &x 1',
    'a: *x',
    'a: !!str 1',
    'a: >\n  b\n',
    'a: |+\n  b\n',
    'a: 1\r\n',
    'a:\t1',
    'a: b\n  c',
    'a: b: c',
    '1: a',
    'true: a',
    '? a',
    'a: 0x1F',
    'a: 1.0',
    'a: .inf',
    'a: -0',
    'a: ~',
    'a: True',
    'a: "\\u0041"',
    "a: 'it''s'",
    '__proto__: 1',
    '<<: {}',
    'a: 1\n---\nb: 2',
    'a: [1,]',
    'a: {b}',
    'a: [\n  1\n]',
    'é: 1',
    '{"a": 1, "a": 2}',
    '{"a": 1} b',
    '{a: 1',
    'a: 9007199254740993',
    '{"a":\n\n...\n}',
    '{"a": 1,\n... "b": 2}',
    '{"a":\n---\n}',
    '{\n"a": [\n...\n]}',
  ])('%j', (text) => {
    expect(readPlain(text, MAX_DEPTH)).toBeUndefined();
  });

  test('what is too deep', () => {
    expect(readPlain('a: [1, 2]', 2)).toBeDefined();
    expect(readPlain('a: [1, 2]', 1)).toBeUndefined();
  });
});
