// Variables and files in the place of their expressions.

import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../src/catalog/field.ts';
import { documented } from '../../../src/catalog/provenance.ts';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import { Expression, type Value } from '../../../src/core/value.ts';
import { expandFields, expandFree } from '../../../src/manifest/values/expand.ts';
import { contextOf, placesOf } from '../../support/manifest-parts.ts';
import { MAX_TOTAL_BYTES } from '../../../src/manifest/text/preflight.ts';

const VARIABLES = 'variables: { a: {}, n: { default: 7 }, on: { default: true }, s: { sensitive: true }, unset: {} }\n';

function free(value: Json, given: Readonly<Record<string, string>> = { a: 'A', s: 'hidden-value' }) {
  const context = contextOf(VARIABLES, given);
  return { value: expandFree(value, ['outputs', 'x'], context), context };
}

describe('values outside of any kind', () => {
  test.each<{ name: string; given: Json; expect: Value }>([
    { name: 'a literal stays', given: 'x', expect: 'x' },
    { name: 'what is no text stays', given: [1, true, null], expect: [1, true, null] },
    { name: 'a variable alone keeps its type', given: ['${var.n}', '${var.on}'], expect: [7, true] },
    { name: 'a variable in a text becomes text', given: 'x${var.n}', expect: 'x7' },
    { name: 'a file', given: '${file:k.pem}', expect: 'content of k.pem' },
    { name: 'an escape', given: '$${var.a}', expect: '${var.a}' },
    { name: 'inside of blocks and lists', given: { p: ['${var.a}'] }, expect: { p: ['A'] } },
    {
      name: 'a reference stays one',
      given: 'x${reserved_addrs.r.addr}${var.a}',
      expect: new Expression(['x', { address: 'reserved_addrs.r', attr: 'addr' }, 'A']),
    },
    { name: 'what is nothing in a block is left out', given: { p: null, q: 1 }, expect: { q: 1 } },
    { name: 'an empty text', given: '', expect: '' },
  ])('$name', ({ given, expect: expected }) => {
    const { value, context } = free(given);
    expect(value).toEqual(expected);
    expect(context.diagnostics).toEqual([]);
  });

  test('a text with a sensitive variable in it is a secret as a whole', () => {
    const { value } = free('x${var.s}y');
    expect(value).toBeInstanceOf(Secret);
    expect((value as Secret).reveal()).toBe('xhidden-valuey');
  });

  test('a secret beside a reference makes the expression a secret', () => {
    expect(free('${var.s}${reserved_addrs.r.addr}').value).toMatchObject({ isSecret: true });
    expect(free('${var.a}${reserved_addrs.r.addr}').value).toMatchObject({ isSecret: false });
  });
});

describe('what cannot be filled in', () => {
  test.each([
    { name: 'a variable that nobody declares', given: '${var.b}', expect: ['unknown-variable'] },
    { name: 'a variable without a value', given: '${var.unset}', expect: ['unset-variable'] },
    { name: 'the same variable is told once', given: ['${var.unset}', '${var.unset}'], expect: ['unset-variable'] },
    { name: 'an expression that is none', given: 'a ${nope}', expect: ['bad-expression'] },
    { name: 'each of several', given: '${var.b} ${nope}', expect: ['unknown-variable', 'bad-expression'] },
    { name: 'one in a name is text', given: { 'x-${var.a}': 1 }, expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(free(given).context.diagnostics.map(({ code }) => code)).toEqual(expected);
  });

  test('a wrong item keeps its place, and the others keep theirs', () => {
    expect(free(['a', '${var.b}', 'c']).value).toEqual(['a', null, 'c']);
  });

  test('nobody is told to give a secret on a command line', () => {
    const context = contextOf('variables: { s: { sensitive: true }, p: {} }');
    expandFree(['${var.s}', '${var.p}'], ['outputs', 'x'], context);
    const [secret, plain] = context.diagnostics;
    expect([secret?.fix?.includes('--var '), plain?.fix?.includes('--var ')]).toEqual([false, true]);
  });
});

describe('fields of a block', () => {
  const source = documented('§2');
  const FIELDS: Fields = {
    b: { type: 'string', doc: '', source },
    a: { type: 'string', doc: '', source },
    secret: { type: 'string', sensitive: true, doc: '', source },
    count: { type: 'integer', min: 1, max: 9, doc: '', source },
  };

  function fields(block: JsonObject) {
    const context = contextOf(VARIABLES, { a: 'A', s: 'hidden-value' });
    return {
      made: expandFields(FIELDS, block, ['x', 'y'], context),
      codes: context.diagnostics.map(({ code }) => code),
    };
  }

  test('they come in the order of the catalogue, and unknown ones by name behind them', () => {
    expect(Object.keys(fields({ z: 1, a: 'x', m: 2, b: 'y' }).made)).toEqual(['b', 'a', 'm', 'z']);
  });

  test('a value has the type of its field', () => {
    expect(fields({ a: '${var.n}', count: '${var.n}' })).toEqual({ made: { a: '7', count: 7 }, codes: [] });
  });

  test('a text in a field of secrets is one, and a literal one is told', () => {
    const { made, codes } = fields({ secret: 'literal' });
    expect([made['secret'] instanceof Secret, codes]).toEqual([true, ['literal-secret']]);
  });

  test('an expression that is none is not repeated where it may be a part of a secret', () => {
    const context = contextOf(VARIABLES);
    expandFields(FIELDS, { secret: 'pa${ss-word' }, ['x', 'y'], context);
    expect(JSON.stringify(context.diagnostics)).not.toContain('ss-word');
    expect(placesOf(context.diagnostics)).toHaveLength(1);
  });

  test('a wrong value is left out, and its neighbours stay', () => {
    expect(fields({ a: '${nope}', b: 'x' })).toEqual({ made: { b: 'x' }, codes: ['bad-expression'] });
  });

  test('a line break at the end of a literal is told', () => {
    expect(fields({ a: 'x\n' })).toEqual({ made: {}, codes: ['hidden-character'] });
  });
});

const reference = { address: 'reserved_addrs.a', attr: 'addr' };

describe('all texts together become at most 16 MiB', () => {
  test.each<{ name: string; given: string; filled?: number; bytes: number; codes?: readonly string[] }>([
    { name: 'nothing is added by a text alone', given: 'é', bytes: 0 },
    { name: 'bytes count, not characters', given: 'é${var.n}${var.on}', bytes: 2 + 1 + 4 },
    { name: 'each use of a value counts', given: '${var.a}${var.a}${var.a}', bytes: 3 },
    { name: 'references are not there yet', given: `ab\${${reference.address}.${reference.attr}}`, bytes: 2 },
    { name: 'as large as they may be', given: '${var.a}x', filled: MAX_TOTAL_BYTES - 2, bytes: MAX_TOTAL_BYTES },
    {
      name: 'one byte too large',
      given: '${var.a}xy',
      filled: MAX_TOTAL_BYTES - 2,
      bytes: MAX_TOTAL_BYTES - 2,
      codes: ['too-large'],
    },
  ])('$name', ({ given, filled = 0, bytes, codes = [] }) => {
    const context = { ...contextOf(VARIABLES, { a: 'A' }), filled: { bytes: filled } };
    expandFree(given, ['outputs', 'x'], context);
    expect([context.filled.bytes, context.diagnostics.map(({ code }) => code)]).toEqual([bytes, codes]);
  });
});

describe('the final line break of a file', () => {
  const source = documented('§2');
  const fields: Fields = {
    line: { type: 'string', doc: '', source },
    lines: { type: 'string', lines: 'many', doc: '', source },
    secret: { type: 'string', sensitive: true, doc: '', source },
    list: { type: 'list', order: 'kept', items: { type: 'string', doc: '', source }, doc: '', source },
  };

  test.each<{ name: string; file: string; field: string; given: Json; expect: Value }>([
    { name: 'is dropped', file: 'a\n', field: 'line', given: '${file:x}', expect: 'a' },
    { name: 'is dropped as two characters, too', file: 'a\r\n', field: 'line', given: '${file:x}', expect: 'a' },
    { name: 'is not there in every file', file: 'a', field: 'line', given: '${file:x}', expect: 'a' },
    { name: 'is dropped inside a text', file: 'a\n', field: 'line', given: '${file:x}/${file:x}', expect: 'a/a' },
    { name: 'is dropped in a list', file: 'a\n', field: 'list', given: ['${file:x}'], expect: ['a'] },
    { name: 'is kept in a text of many lines', file: 'a\nb\n', field: 'lines', given: '${file:x}', expect: 'a\nb\n' },
  ])('$name', ({ file, field, given, expect: expected }) => {
    const context = { ...contextOf(VARIABLES), readFile: () => ({ value: file, diagnostics: [] }) };
    expect(expandFields(fields, { [field]: given }, [], context)).toEqual({ [field]: expected });
    expect(context.diagnostics).toEqual([]);
  });

  test.each([
    ['a secret has none', 'hidden-value\n', 'hidden-value'],
    ['only one is dropped', 'hidden\nvalue\n\n', 'hidden\nvalue\n'],
  ])('%s', (_, file, expected) => {
    const context = { ...contextOf(VARIABLES), readFile: () => ({ value: file, diagnostics: [] }) };
    const { secret } = expandFields(fields, { secret: '${file:x}' }, [], context);
    expect(secret instanceof Secret && secret.reveal()).toBe(expected);
  });

  test('an output has none', () => {
    const context = { ...contextOf(VARIABLES), readFile: () => ({ value: 'a\n', diagnostics: [] }) };
    expect(expandFree('${file:x}', ['outputs', 'x'], context)).toBe('a');
  });
});
