// A difference for people: what is secret on either side is masked on both.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
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
  readonly expect: readonly [Json, Json, boolean];
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
    { name: 'an item that was there', before: [hush], after: [hush, 'a'], expect: [[MASK], [MASK, 'a'], true] },
    { name: 'an item that was not', before: [hush], after: [other], expect: [[MASK], [CHANGED], true] },
    { name: 'a secret in an item', before: [], after: [{ a: hush, b: 1 }], expect: [[], [{ a: CHANGED, b: 1 }], true] },
    { name: 'a list in place of a secret', before: hush, after: ['a'], expect: [MASK, MASK, true] },
  ])('$name', ({ before, after, expect: [old, next, sensitive] }) => {
    expect(displayChange(before, after)).toEqual({ before: old, after: next, sensitive });
  });
});
