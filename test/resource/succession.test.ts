// Of objects of one address: which took the place of which, by their markers and ages.

import { describe, expect, test } from 'vitest';
import { replacedAmong } from '../../src/resource/marker/succession.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';

/** Ids by name: the object, the one that its marker says it replaced, and the second in which it was created. */
function objects(...all: readonly (readonly [id: string, replaces: string | undefined, second: number])[]) {
  return all.map(([id, replaces, second]): LiveResource => {
    const marker = { v: 1, stack: 'shop', address: 'tls_edges.a', applied: {}, ...(replaces && { replaces }) } as const;
    const computed = { created_at: `2026-01-01T00:00:0${second}Z` };
    return {
      kind: 'tls_edge',
      id,
      parentId: undefined,
      spec: {},
      computed,
      metadata: '',
      userMetadata: '',
      writeOnly: [],
      marker,
    };
  });
}

describe('replaced', () => {
  test.each([
    ['the one that a later one names', objects(['one', undefined, 1], ['two', 'one', 2]), { one: 'two' }],
    ['in the same second', objects(['one', undefined, 1], ['two', 'one', 1]), { one: 'two' }],
    ['never a later one', objects(['one', 'two', 1], ['two', undefined, 2]), {}],
    [
      'one after the other',
      objects(['one', undefined, 1], ['two', 'one', 2], ['three', 'two', 3]),
      { one: 'two', two: 'three' },
    ],
    ['none of two that name each other', objects(['one', 'two', 1], ['two', 'one', 1]), {}],
    [
      'none of a cycle, and nothing that leads into it',
      objects(['one', 'three', 1], ['two', 'one', 1], ['three', 'two', 1], ['four', undefined, 1], ['five', 'four', 1]),
      { four: 'five' },
    ],
    ['nothing that leads into a cycle', objects(['one', 'two', 1], ['two', 'one', 1], ['zero', undefined, 1]), {}],
  ])('%s', (_, all, expected) => {
    const found = [...replacedAmong(all)].map(([id, heir]) => [id, heir.id]);
    expect(Object.fromEntries(found)).toEqual(expected);
  });
});
