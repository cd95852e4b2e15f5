// Files as one document: what is joined, where it came from, and what of it is not known.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { addressesOf, readResources } from '../../src/manifest/resources.ts';
import { buildSourceMap } from '../../src/manifest/source-map.ts';
import { mergeFiles } from '../../src/manifest/merge.ts';
import { checkStructure } from '../../src/manifest/structure.ts';
import { parseFile } from '../../src/manifest/text/parse.ts';
import { contextOf, placesOf } from '../support/manifest-parts.ts';
import { pathKey, UnknownValues } from '../../src/manifest/unknown-values.ts';

const merge = (...texts: readonly string[]) =>
  mergeFiles(texts.map((text, index) => parseFile(`f${index}.yaml`, text)));

describe('files are joined', () => {
  test.each<{ name: string; given: readonly string[]; expect: JsonObject; codes?: readonly string[] }>([
    { name: 'no file', given: [], expect: {} },
    { name: 'one file', given: ['stack: a\nx: { b: 1 }'], expect: { stack: 'a', x: { b: 1 } } },
    { name: 'blocks of two files', given: ['x: { b: 1 }', 'x: { c: 2 }'], expect: { x: { b: 1, c: 2 } } },
    { name: 'lists of two files, in their order', given: ['x: [1]', 'x: [2, 3]'], expect: { x: [1, 2, 3] } },
    { name: 'a stack that both name', given: ['stack: a', 'stack: a'], expect: { stack: 'a' } },
    { name: 'stacks that differ', given: ['stack: a', 'stack: b'], expect: { stack: 'a' }, codes: ['stack-mismatch'] },
    {
      name: 'an entry of both keeps the first',
      given: ['x: { b: 1 }', 'x: { b: 2, c: 3 }'],
      expect: { x: { b: 1, c: 3 } },
      codes: ['duplicate-address'],
    },
    { name: 'a file that holds no block', given: ['x: { b: 1 }', '- 1'], expect: { x: { b: 1 } } },
    { name: 'a section that could not be read', given: ['x: { b: 1 }', 'x: !t {}'], expect: { x: { b: 1 } } },
  ])('$name', ({ given, expect: expected, codes = [] }) => {
    const { document, diagnostics } = merge(...given);
    expect([document, diagnostics.map(({ code }) => code)]).toEqual([expected, codes]);
  });

  test('an entry of both tells both places', () => {
    const [found] = merge('x:\n  b: 1', '\nx: { b: 2 }').diagnostics;
    expect([found?.range?.file, found?.range?.line]).toEqual(['f1.yaml', 2]);
    expect(found?.related?.map(({ range }) => `${range.file}:${range.line}`)).toEqual(['f0.yaml:2']);
  });

  test('what one file does not know, the document does not know', () => {
    const { unknownValues } = merge('x: { b: 1 }\nlist: [1]', 'x: { c: !t 2 }\nlist: [!t 2]\ny: !t {}');
    const known = (path: string) => !unknownValues.mayHave(path.split('.'));
    expect(['x.b', 'x.c', 'list.0', 'list.1', 'y.z', 'z'].map(known)).toEqual([true, false, true, false, false, true]);
  });
});

describe('a place is that of the file that said it', () => {
  const { sourceMap } = merge('x:\n  b: 1\nlist: [1]', 'list:\n  - { p: 2 }\nx: { c: { d: 5 } }');

  test.each([
    { name: 'a value', path: ['x', 'b'], expect: 'f0.yaml 2:6' },
    { name: 'a value of the second file', path: ['x', 'c', 'd'], expect: 'f1.yaml 3:14' },
    { name: 'an item of the second file', path: ['list', '1', 'p'], expect: 'f1.yaml 2:10' },
    {
      name: 'what is missing stands in the block around it',
      path: ['x', 'c', 'nope', 'deeper'],
      expect: 'f1.yaml 3:6',
    },
    { name: 'a section of both is that of the first', path: ['x'], expect: 'f0.yaml 2:3' },
    { name: 'what is nowhere is at the start of the first', path: ['nope'], expect: 'f0.yaml 1:1' },
  ])('$name', ({ path, expect: expected }) => {
    const { file, line, column } = sourceMap.value(path);
    expect(`${file} ${line}:${column}`).toBe(expected);
  });

  test('a key has a place of its own', () => {
    expect(sourceMap.key(['x', 'b'])).toMatchObject({ file: 'f0.yaml', line: 2, column: 3, endColumn: 4 });
  });

  test('a problem belongs to the block that it is in', () => {
    expect(sourceMap.error('wrong-type', ['tls_edges', 'a', 'b'], { message: 'no' }).address).toBe('tls_edges.a');
    expect(sourceMap.error('wrong-type', ['x', 'b'], { message: 'no' })).not.toHaveProperty('address');
  });

  test('without any file a place is the start of nothing', () => {
    expect(buildSourceMap([]).value(['a'])).toMatchObject({ file: '', line: 1, column: 1 });
  });

  test('a number of a second file keeps how it is written', () => {
    expect(merge('x: { b: 1 }', 'x: { c: 1.50 }').sourceMap.numberText(['x', 'c'])).toBe('1.50');
  });
});

describe('the structure of a file is judged, and what is wrong is unknown', () => {
  const judge = (text: string) => {
    const file = parseFile('f.yaml', text);
    return { places: placesOf(checkStructure(file)), file };
  };

  test.each<{ name: string; given: string; places: readonly string[] }>([
    { name: 'nothing wrong', given: 'stack: a', places: [] },
    { name: 'a number for a text', given: 'stack: 12', places: ['wrong-type 1:8'] },
    { name: 'a value for a list of one', given: 'tls_edges: { a: { hostports: "a:1" } }', places: ['wrong-type 1:30'] },
    {
      name: 'a wrong name is told, and not that the right one is missing',
      given: 'agent_ingresses: { a: { domian: x.test } }',
      places: ['unknown-field 1:25'],
    },
    { name: 'a missing field', given: 'agent_ingresses: { a: {} }', places: ['missing-field 1:20'] },
    {
      name: 'a missing field that may be in what is not known',
      given: 'agent_ingresses: { a: { <<: !x y } }',
      places: [],
    },
    { name: 'a value that could not be read', given: 'stack: !x 1', places: [] },
    { name: 'one of several choices', given: 'event_destinations: { a: { target: {} } }', places: ['choose-one 1:28'] },
  ])('$name', ({ given, places }) => {
    expect(judge(given).places).toEqual(places);
  });

  test('what is wrong is not known, and what stands beside it is', () => {
    const { unknownValues } = judge('tls_edges: { a: { hostports: [a], description: x } }').file;
    expect([
      unknownValues.has(['tls_edges', 'a', 'hostports', '0']),
      unknownValues.has(['tls_edges', 'a', 'description']),
    ]).toEqual([true, false]);
  });
});

describe('resources', () => {
  const read = (text: string) => {
    const context = contextOf(text);
    return { found: readResources(context.document, context), context };
  };

  test('they are sorted by address, and what lies inside another follows it', () => {
    const { found } = read(
      'tls_edges: { b: {}, a: {} }\nhttps_edges: { s: { routes: { r: { match_type: exact_path, match: / } } } }',
    );
    expect(addressesOf(found)).toEqual(['https_edges.s', 'https_edges.s.routes.r', 'tls_edges.a', 'tls_edges.b']);
    expect(found.map(({ resource }) => resource.parent)).toEqual([undefined, 'https_edges.s', undefined, undefined]);
  });

  test('routes and lifecycle are no fields', () => {
    const { found } = read('https_edges: { s: { description: x, routes: {}, lifecycle: { prevent_destroy: true } } }');
    expect(found.map(({ resource }) => [Object.keys(resource.spec), resource.lifecycle.preventDestroy])).toEqual([
      [['description'], true],
    ]);
  });

  test.each([
    { name: 'nothing is said', given: '{}', expect: [undefined, [], undefined, 'replace'] },
    {
      name: 'all is said',
      given:
        '{ prevent_destroy: false, ignore_changes: [a], adopt: edgtls_1, id: edgtls_1, on_immutable_change: refuse }',
      expect: [false, ['a'], { id: 'edgtls_1', by: 'id' }, 'refuse'],
    },
  ])('lifecycle: $name', ({ given, expect: expected }) => {
    const { found, context } = read(`tls_edges: { a: { lifecycle: ${given} } }`);
    expect(
      found.map(
        ({
          resource: {
            lifecycle: { preventDestroy, ignoreChanges, pin, onImmutableChange },
          },
        }) => [preventDestroy, ignoreChanges, pin, onImmutableChange],
      ),
    ).toEqual([expected]);
    expect(context.diagnostics).toEqual([]);
  });

  test('two ids of one block contradict each other', () => {
    const { context } = read('tls_edges: { a: { lifecycle: { adopt: edgtls_1, id: edgtls_2 } } }');
    expect(placesOf(context.diagnostics)).toEqual(['bad-lifecycle 1:30']);
  });

  test('what has a name that it cannot have cannot be referred to', () => {
    expect(addressesOf(read('tls_edges: { 9a: {}, b: {} }').found)).toEqual(['tls_edges.b']);
  });
});

describe('what is not known', () => {
  const there = new Set(['a', 'a.b'].map((path) => pathKey(path.split('.'))));

  function unknown({
    values = [],
    open = [],
  }: {
    readonly values?: readonly string[];
    readonly open?: readonly string[];
  }) {
    const made = new UnknownValues((path) => there.has(pathKey(path)));
    for (const path of values) made.add(path.split('.'));
    for (const path of open) made.addOpen(path === '' ? [] : path.split('.'));
    return made;
  }

  test.each([
    { name: 'nothing', given: {}, path: 'a.b', expect: [false, false, true] },
    { name: 'the value itself', given: { values: ['a.b'] }, path: 'a.b', expect: [true, true, false] },
    { name: 'what lies in it', given: { values: ['a.b'] }, path: 'a.b.c', expect: [true, true, false] },
    { name: 'what it lies in is not whole', given: { values: ['a.b'] }, path: 'a', expect: [false, false, false] },
    { name: 'what stands beside it', given: { values: ['a.b'] }, path: 'a.c', expect: [false, false, true] },
    { name: 'more entries of a block', given: { open: ['a'] }, path: 'a.z', expect: [false, true, true] },
    {
      name: 'an entry that is there has no more from the block around it',
      given: { open: ['a'] },
      path: 'a.b.c',
      expect: [false, false, true],
    },
    {
      name: 'a block with more entries is not whole',
      given: { open: ['a'] },
      path: 'a',
      expect: [false, false, false],
    },
    { name: 'more sections', given: { open: [''] }, path: 'z', expect: [false, true, true] },
  ])('$name', ({ given, path, expect: expected }) => {
    const made = unknown(given);
    const at = path.split('.');
    expect([made.has(at), made.mayHave(at), made.isWhole(at)]).toEqual(expected);
  });

  test('another document is taken over where it matters', () => {
    const made = unknown({});
    const other = unknown({ values: ['x.y', 'gone.z'], open: ['o'] });
    made.takeOver(other, ([first = '', ...rest]) =>
      first === 'gone' ? undefined : { path: [`new-${first}`, ...rest], isThere: false },
    );
    expect([made.has(['new-x', 'y']), made.has(['gone', 'z']), made.mayHave(['new-o', 'p'])]).toEqual([
      true,
      false,
      true,
    ]);
  });
});
