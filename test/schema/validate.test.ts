// A document against the schema: each problem at its path, and what was surely meant.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { manifestSchema } from '../../src/schema/generate.ts';
import { expressionFor, fixOfUnknown } from '../../src/schema/fix-unknown.ts';
import { planShapeProblem } from '../../src/schema/plan-shape.ts';
import { compiledFiles } from '../../src/schema/compile.ts';
import { documentSchema } from '../../src/schema/documents.ts';
import { SECRET_NOTE, article, show, typeOf, safeKey } from '../../src/schema/describe-value.ts';
import { hiddenIn } from '../../src/schema/schema-problems.ts';
import { validateManifestDocument } from '../../src/schema/validate.ts';

const edge = (block: Json): Json => ({ tls_edges: { a: block } });
const AT = 'tls_edges.a';

describe('each problem is told once, at its path', () => {
  test.each<{ name: string; given: Json; expect: readonly string[] }>([
    { name: 'nothing is needed of one file', given: {}, expect: [] },
    { name: 'a document that is no block', given: [], expect: ['wrong-type '] },
    { name: 'an empty block', given: edge({}), expect: [] },
    { name: 'an unknown field', given: edge({ hostport: [] }), expect: [`unknown-field ${AT}.hostport`] },
    {
      name: 'each unknown field',
      given: edge({ x: 1, y: 2 }),
      expect: [`unknown-field ${AT}.x`, `unknown-field ${AT}.y`],
    },
    {
      name: 'a wrong type hides its other problems',
      given: edge({ hostports: { a: 1 } }),
      expect: [`wrong-type ${AT}.hostports`],
    },
    {
      name: 'nothing in the place of a value',
      given: edge({ hostports: null }),
      expect: [`wrong-type ${AT}.hostports`],
    },
    {
      name: 'a value outside of a closed set is told once',
      given: edge({ tls_termination: { terminate_at: 'x' } }),
      expect: [`wrong-value ${AT}.tls_termination.terminate_at`],
    },
    {
      name: 'an expression may become any value',
      given: edge({ tls_termination: { terminate_at: '${var.x}' } }),
      expect: [],
    },
    { name: 'a switch may be one variable', given: edge({ mutual_tls: { enabled: '${var.x}' } }), expect: [] },
    {
      name: 'a switch is no text around a variable',
      given: edge({ mutual_tls: { enabled: 'x${var.x}' } }),
      expect: [`wrong-type ${AT}.mutual_tls.enabled`],
    },
    {
      name: 'a missing field is one of its block',
      given: edge({ backend: {} }),
      expect: [`missing-field ${AT}.backend`],
    },
    { name: 'a name that cannot be one', given: { tls_edges: { '9a': {} } }, expect: ['bad-name tls_edges.9a'] },
    {
      name: 'none of several choices',
      given: { event_destinations: { a: { target: {} } } },
      expect: ['choose-one event_destinations.a.target'],
    },
    { name: 'another version', given: { version: 2 }, expect: ['wrong-value version'] },
    { name: 'names of JSON pointers', given: { 'a/b~c': 1 }, expect: ['unknown-field a/b~c'] },
  ])('$name', ({ given, expect: expected }) => {
    expect(validateManifestDocument(given).map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(expected);
  });
});

describe('characters that cannot be seen', () => {
  test.each([
    { given: 'aa\n', expect: true },
    { given: 'a\u200ba', expect: true },
    { given: 'ab', expect: false },
  ])('are named: $given', ({ given, expect: expected }) => {
    const found = hiddenIn({
      path: ['a'],
      schema: { type: 'string', pattern: '^a+$' },
      value: given,
      parent: { schema: {}, value: { a: given } },
      text: given,
      called: 'it',
    });
    expect(found !== undefined).toBe(expected);
  });
});

describe('words that are no field', () => {
  test.each([
    { name: 'a kind that lives inside another', path: [], key: 'routes', fix: 'https_edges' },
    { name: 'an id', path: ['tls_edges', 'a'], key: 'id', fix: 'lifecycle' },
    {
      name: 'a value that the service chooses',
      path: ['reserved_addrs', 'a'],
      key: 'addr',
      fix: '${reserved_addrs.a.addr}',
    },
    { name: 'an unknown word', path: ['tls_edges', 'a'], key: 'zzz', fix: undefined },
  ])('$name', ({ path, key, fix }) => {
    const found = fixOfUnknown(path, key);
    if (fix === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(fix);
  });

  test.each([
    { given: 'reserved_addrs.a.addr', expect: '${reserved_addrs.a.addr}' },
    { given: 'reserved_addrs.a.region', expect: undefined },
    { given: 'reserved_addrs.a', expect: undefined },
    { given: 'a.test:443', expect: undefined },
  ])('$given was meant as $expect', ({ given, expect: expected }) => {
    expect(expressionFor(given)).toBe(expected);
  });
});

describe('values in messages', () => {
  test.each([
    { value: null, type: 'null', words: 'nothing' },
    { value: undefined, type: 'null', words: 'nothing' },
    { value: [], type: 'array', words: 'a list' },
    { value: {}, type: 'object', words: 'an object' },
    { value: 'x', type: 'string', words: 'a string' },
    { value: true, type: 'boolean', words: 'true or false' },
  ])('$value is $words', ({ value, type, words }) => {
    expect([typeOf(value), article(typeOf(value))]).toEqual([type, words]);
  });

  test('a secret is shown by its type alone', () => {
    const schema = { description: `A key. ${SECRET_NOTE}` };
    expect([show({ schema, value: 'hidden' }), show({ schema: {}, value: 'x' })]).toEqual(['a string', '"x"']);
  });

  test('a range is told as far as there is one', () => {
    const route = { match_type: 'exact_path', match: '/', circuit_breaker: { num_buckets: 129 } };
    const delivery = { target: { s3: { max_file_age: -1 } } };
    const document = { https_edges: { a: { routes: { r: route } } }, event_destinations: { a: delivery } };
    expect(validateManifestDocument(document).map(({ expected }) => expected)).toEqual([
      'at least 0',
      'at least 0 and at most 128',
    ]);
  });

  test.each([
    { given: 'name', expect: 'name' },
    { given: 'secret: abc', expect: 'secret…' },
    { given: 'secret=abc', expect: 'secret…' },
    { given: 'secretabcdef', expect: 'secretabcdef' },
    { given: '', expect: '' },
  ])('the key $given is told as $expect', ({ given, expect: expected }) => {
    expect(safeKey(given)).toBe(expected);
  });
});

describe('schemas', () => {
  test('fields are required but for those that are named', () => {
    const { properties, required } = documentSchema('plan') ?? {};
    expect(Object.keys(properties as object).filter((name) => !(required as string[]).includes(name))).toEqual([
      'base',
      'made_with',
      'imports',
      'already_done',
      'foreign_children',
    ]);
  });

  test('a manifest has no section for kinds that it is not given', () => {
    expect(Object.keys((manifestSchema([])['properties'] ?? {}) as object)).toEqual([
      'version',
      'stack',
      'variables',
      'imports',
      'outputs',
      'moved',
      'removed',
    ]);
  });

  test('a plan of another shape is told without its values', () => {
    expect(planShapeProblem({ format: 'hidden-value' })).toMatch(/shape of a plan/);
    expect(planShapeProblem({ format: 'hidden-value' })).not.toContain('hidden-value');
    expect(planShapeProblem([])).toContain('the document');
  });

  test('the validator of each document is a module of its own', () => {
    for (const [name, text] of compiledFiles()) expect(text, name).toContain('export const validate');
  });
});
