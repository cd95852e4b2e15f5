// `formatManifest` of `edgeform/manifest`: it means what the program handed over, `fmt` leaves it as it is, and what no manifest holds
// is an error with its place.

import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, isList, isObject, type Json } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest.ts';
import { formatManifest } from '../../src/manifest.ts';
import { formatManifest as fmt } from '../../src/manifest/text/format.ts';
import { parseFile } from '../../src/manifest/text/parse.ts';
import { ANY_CHARACTER } from '../support/any-character.ts';

const FOLDER = new URL('../../examples/', import.meta.url);
const BASE = { version: 1, stack: 'shop' } as const;

const corpus = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => parseFile(name, readFileSync(new URL(name, FOLDER), 'utf8')).json)
  .filter((json) => isObject(json) && json['version'] === 1 && typeof json['stack'] === 'string');

/** The text, of which its reader and `fmt` think the same. */
function written(input: Json): string {
  const text = formatManifest(input as unknown as Manifest);
  const { json, diagnostics } = parseFile('a.yaml', text);
  expect(diagnostics, text).toEqual([]);
  expect(canonicalJson(json)).toBe(canonicalJson(input));
  expect(fmt('a.yaml', text)).toEqual({ value: text, diagnostics: [] });
  return text;
}

/** The same with keys in another order. */
function shuffled(json: Json, seeds: readonly number[]): Json {
  if (isList(json)) return json.map((item) => shuffled(item, seeds));
  if (!isObject(json)) return json;
  const entries = Object.entries(json).map(([key, value]): [string, Json] => [key, shuffled(value, seeds)]);
  const weight = (key: string) => (seeds[key.length % seeds.length] ?? 0) * (key.charCodeAt(0) % 7);
  return Object.fromEntries(entries.sort(([one], [other]) => weight(one) - weight(other)));
}

test('keys are put in the order of fmt, blocks and names keep theirs', () => {
  expect(
    written({
      removed: [{ from: 'tls_edges.x', destroy: false }],
      tls_edges: {
        b: { lifecycle: { prevent_destroy: true }, hostports: ['b.example.com:443'], description: 'second' },
        a: { without: ['backend'], hostports: ['${reserved_addrs.db.addr}'], preset: 'usual' },
      },
      presets: { usual: { backend: { backend_id: 'bkdhr_2abc' } } },
      stack: 'shop',
      version: 1,
    }),
  ).toMatchInlineSnapshot(`
    "version: 1
    stack: shop
    presets:
      usual:
        backend:
          backend_id: bkdhr_2abc
    tls_edges:
      b:
        description: second
        hostports: [b.example.com:443]
        lifecycle:
          prevent_destroy: true
      a:
        preset: usual
        without: [backend]
        hostports: ["\${reserved_addrs.db.addr}"]
    removed:
      - from: tls_edges.x
        destroy: false
    "
  `);
});

test('every example, with its keys in any order', () => {
  expect(corpus.length).toBeGreaterThan(5);
  const any = fc.record({ json: fc.constantFrom(...corpus), seeds: fc.array(fc.nat(50), { minLength: 1 }) });
  fc.assert(
    fc.property(any, ({ json, seeds }) => {
      const text = written(shuffled(json, seeds));
      // What is written does not depend on the order of fields.
      expect(text.length).toBe(written(json).length);
    }),
    { numRuns: 50 },
  );
});

test('any text at any place', () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER }),
    fc.string({ unit: fc.constantFrom(' ', '\n', '#', ':', 'a', '"', "'", '\\') }),
  );
  fc.assert(
    fc.property(
      text.map((one) => one.normalize('NFC')),
      (metadata) => {
        fc.pre(!/[\ud800-\udfff]/u.test(metadata));
        written({
          ...BASE,
          tls_edges: { a: { metadata, hostports: [metadata], lifecycle: { ignore_changes: [metadata] } } },
        });
      },
    ),
  );
});

test('a member that is undefined is left out', () => {
  const edge: { description?: string } = {};
  const input = { ...BASE, tls_edges: { a: { ...edge, hostports: ['a.example.com:443'] } }, outputs: undefined };
  expect(formatManifest(input as unknown as Manifest)).toBe(
    'version: 1\nstack: shop\ntls_edges:\n  a:\n    hostports: [a.example.com:443]\n',
  );
});

describe('what no manifest holds is an error that names its place', () => {
  const circle: Record<string, unknown> = {};
  circle['again'] = circle;
  test.each<readonly [unknown, string]>([
    [() => 'a', 'of type function'],
    [new Date(0), 'a Date'],
    [new Map(), 'a Map'],
    [Number.NaN, 'NaN'],
    [Infinity, 'Infinity'],
    [1n, 'of type bigint'],
    [Symbol('a'), 'of type symbol'],
    [['a', undefined], 'of type undefined'],
    [circle, 'inside itself'],
  ])('%s', (value, got) => {
    const input = { ...BASE, tls_edges: { a: { metadata: value } } } as unknown as Manifest;
    expect(() => formatManifest(input)).toThrow(TypeError);
    expect(() => formatManifest(input)).toThrow(/^tls_edges\.a\.metadata(?:\.1|\.again)? is /);
    expect(() => formatManifest(input)).toThrow(got);
  });
});
