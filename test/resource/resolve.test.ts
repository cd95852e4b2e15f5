// References are filled with what is known, and a secret among it makes the whole text one.

import { describe, expect, test } from 'vitest';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { Expression, revealed } from '../../src/core/value.ts';
import { attribute, resolveSpec, resolveValue } from '../../src/resource/resolve.ts';
import { live } from '../plan/sample.ts';

const SECRET = 'hush-hush-1';
const DB = live('ra_1', '', {
  spec: { description: new Secret(SECRET) },
  computed: {
    id: 'other',
    addr: '1.tcp.test:1',
    port: 80,
    note: `has ${SECRET} inside`,
    deep: { list: [1], text: 't' },
  },
});
const KNOWN = new Map([['r.db', DB]]);
const to = (attr: string, address = 'r.db') => ({ address, attr });
const text = (...parts: Expression['parts']) => new Expression(parts);

interface Row {
  readonly name: string;
  readonly given: Value;
  readonly expect: unknown;
  readonly is?: typeof Secret | typeof Expression;
}

describe('resolveValue', () => {
  test.each<Row>([
    { name: 'what refers to nothing', given: { a: ['${r.db.id}', 1, null] }, expect: { a: ['${r.db.id}', 1, null] } },
    { name: 'an id', given: text(to('id')), expect: 'ra_1' },
    { name: 'a bare value keeps its type', given: text(to('port')), expect: 80 },
    { name: 'text around text', given: text('tcp://', to('addr'), '/'), expect: 'tcp://1.tcp.test:1/' },
    { name: 'several in one text', given: text(to('id'), '-', to('deep.text')), expect: 'ra_1-t' },
    { name: 'in lists and objects', given: { a: [text(to('id'))] }, expect: { a: ['ra_1'] } },
    {
      name: 'an object that is not known',
      given: text(to('id', 'r.gone')),
      expect: { expression: [to('id', 'r.gone')] },
      is: Expression,
    },
    {
      name: 'what is known beside what is not',
      given: text(to('id'), to('id', 'r.gone')),
      expect: { expression: ['ra_1', to('id', 'r.gone')] },
      is: Expression,
    },
    {
      name: 'an attribute that the object does not have',
      given: text(to('deep.gone')),
      expect: { expression: [to('deep.gone')] },
      is: Expression,
    },
    { name: 'a secret beside it', given: text(new Secret('s-'), to('id')), expect: 's-ra_1', is: Secret },
    {
      name: 'a value that repeats a secret of its object',
      given: text('x ', to('note')),
      expect: `x has ${SECRET} inside`,
      is: Secret,
    },
    {
      name: 'a text that is a secret by its field',
      given: new Expression([to('id')], { isSecret: true }),
      expect: 'ra_1',
      is: Secret,
    },
  ])('$name', ({ given, expect: expected, is }) => {
    const found = resolveValue(given, KNOWN);
    expect(revealed(found)).toEqual(expected);
    for (const type of [Secret, Expression]) expect(found instanceof type).toBe(type === is);
  });

  test('a number inside text leaves the text as it was', () => {
    const given = text('port ', to('port'));
    expect(resolveValue(given, KNOWN)).toBe(given);
  });

  test('a secret remembers where it is found', () => {
    const given = new Expression([new Secret('s'), to('id')], { origin: 'r.a#b' });
    expect(resolveValue(given, KNOWN)).toMatchObject({ origin: 'r.a#b' });
  });
});

test('resolveSpec fills every field, and leaves the spec as it was', () => {
  const spec = { a: text(to('id')), b: 1 };
  expect(resolveSpec(spec, KNOWN)).toEqual({ a: 'ra_1', b: 1 });
  expect(spec.a).toBeInstanceOf(Expression);
});

describe('attribute', () => {
  test.each([
    ['the id is that of the object, whatever its body says', 'id', 'ra_1'],
    ['a list', 'deep.list', [1]],
    ['nothing at a path through text', 'addr.x', undefined],
    ['nothing that every object has', 'constructor', undefined],
    ['nothing below', 'deep.toString', undefined],
  ])('%s', (_, attr, expected) => {
    expect(attribute(DB, attr)).toEqual(expected);
  });

  test('an object whose text repeats a secret is one', () => {
    const object = { ...DB, computed: { deep: { note: `-${SECRET}-` } } };
    expect(attribute(object, 'deep')).toBeInstanceOf(Secret);
  });
});
