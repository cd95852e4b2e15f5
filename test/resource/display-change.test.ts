// A difference for people: what is secret on either side is masked on both.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import type { ListDifference } from '../../src/core/list-difference.ts';
import { hostports } from '../../src/catalog/fields/common.ts';
import type { Field } from '../../src/catalog/field.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';
import { displayChange } from '../../src/resource/display-change.ts';

const MASK = { sensitive: true };
const CHANGED = { sensitive: true, changed: true };
const hush = new Secret('hush');
const other = new Secret('hush too');
const later = new Expression(['x ', { address: 'a.b', attr: 'id' }]);
const hidden = new Expression([new Secret('hush'), { address: 'a.b', attr: 'id' }]);

interface Row {
  readonly name: string;
  readonly before: Value | undefined;
  readonly after: Value | undefined;
  /** Without one, the order of a list matters. */
  readonly field?: Field;
  readonly expect: readonly [Json, Json, boolean];
  readonly items?: ListDifference;
}

describe('displayChange', () => {
  test.each<Row>([
    { name: 'plain values as they are', before: 'a', after: 1, expect: ['a', 1, false] },
    { name: 'nothing is null', before: undefined, after: 'a', expect: [null, 'a', false] },
    { name: 'and the other way round', before: 'a', after: undefined, expect: ['a', null, false] },
    { name: 'a reference keeps its placeholder', before: 'a', after: later, expect: ['a', 'x ${a.b.id}', false] },
    { name: 'what becomes secret', before: 'hush', after: hush, expect: [MASK, MASK, true] },
    { name: 'what was secret', before: hush, after: 'hush', expect: [MASK, MASK, true] },
    { name: 'a new secret', before: undefined, after: hush, expect: [null, MASK, true] },
    { name: 'a secret that goes', before: hush, after: undefined, expect: [MASK, null, true] },
    { name: 'a text with a secret inside', before: 'a', after: hidden, expect: [MASK, MASK, true] },
    {
      name: 'a member: what is beside it is shown',
      before: { a: 'hush', b: 1 },
      after: { a: hush, b: 2 },
      expect: [{ a: MASK, b: 1 }, { a: MASK, b: 2 }, true],
    },
    {
      name: 'a member that is another secret says so',
      before: { a: hush },
      after: { a: other },
      expect: [{ a: MASK }, { a: CHANGED }, true],
    },
    { name: 'a member that is new', before: {}, after: { a: hush }, expect: [{}, { a: MASK }, true] },
    {
      name: 'a member that was secret and goes',
      before: { a: hush, b: 1 },
      after: { b: 1 },
      expect: [{ a: MASK, b: 1 }, { b: 1 }, true],
    },
    {
      name: 'an item that was there',
      before: [hush],
      after: [hush, 'a'],
      expect: [[MASK], [MASK, 'a'], true],
      items: { removed: [], added: [1] },
    },
    {
      name: 'an item that was not',
      before: [hush],
      after: [other],
      expect: [[MASK], [CHANGED], true],
      items: { removed: [0], added: [0] },
    },
    {
      name: 'a secret in an item',
      before: [],
      after: [{ a: hush, b: 1 }],
      expect: [[], [{ a: CHANGED, b: 1 }], true],
      items: { removed: [], added: [0] },
    },
    {
      name: 'an item that is secret on one side only',
      before: ['hush', 'a'],
      after: [hush],
      expect: [[MASK, 'a'], [MASK], true],
      items: { removed: [1], added: [] },
    },
    {
      name: 'secrets in another order',
      before: [hush, other],
      after: [other, hush],
      expect: [[MASK, MASK], [MASK, CHANGED], true],
      items: { removed: [0], added: [1] },
    },
    {
      name: 'secrets of which one goes, wherever it was: its place tells nothing of it',
      before: [hush, other, 'x'],
      after: [other, 'x'],
      field: hostports,
      expect: [['x', MASK, MASK], ['x', MASK], true],
      items: { removed: [2], added: [] },
    },
    {
      name: 'an item that was there twice',
      before: [hush, hush],
      after: [hush],
      field: hostports,
      expect: [[MASK, MASK], [MASK], true],
      items: { removed: [1], added: [] },
    },
    {
      name: 'a list in an object marks what comes',
      before: { a: [hush, other] },
      after: { a: [other, hush] },
      expect: [{ a: [MASK, MASK] }, { a: [MASK, CHANGED] }, true],
    },
    { name: 'a list in place of a secret', before: hush, after: ['a'], expect: [MASK, MASK, true] },
  ])('$name', ({ before, after, field, expect: [old, next, sensitive], items }) => {
    const shown = { before: old, after: next, sensitive, ...(items && { items }) };
    expect(displayChange(before, after, field)).toEqual(shown);
  });
});
