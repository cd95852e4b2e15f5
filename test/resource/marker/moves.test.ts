// Which addresses lead to an address by renames.

import { describe, expect, test } from 'vitest';
import type { Move } from '../../../src/resource/marker/moves.ts';
import { destinationsOf, isUnder, originsOf } from '../../../src/resource/marker/moves.ts';

const moves = (...pairs: readonly (readonly [string, string])[]): Move[] => pairs.map(([from, to]) => ({ from, to }));

interface Row {
  readonly name: string;
  readonly moved: readonly Move[];
  readonly address: string;
  readonly expect: readonly string[];
}

describe('originsOf', () => {
  test.each<Row>([
    { name: 'no moves', moved: [], address: 't.a', expect: [] },
    { name: 'moves of others', moved: moves(['t.x', 't.y']), address: 't.a', expect: [] },
    { name: 'its own move', moved: moves(['t.old', 't.a']), address: 't.a', expect: ['t.old'] },
    { name: 'not the other way round', moved: moves(['t.a', 't.new']), address: 't.a', expect: [] },
    {
      name: 'moves of moves, nearest first',
      moved: moves(['t.1', 't.2'], ['t.2', 't.3']),
      address: 't.3',
      expect: ['t.2', 't.1'],
    },
    {
      name: 'a moved parent takes its children along',
      moved: moves(['h.old', 'h.e']),
      address: 'h.e.routes.r',
      expect: ['h.old.routes.r'],
    },
    {
      name: 'its own move before that of its parent, and both together',
      moved: moves(['h.old', 'h.e'], ['h.e.routes.q', 'h.e.routes.r']),
      address: 'h.e.routes.r',
      expect: ['h.e.routes.q', 'h.old.routes.r', 'h.old.routes.q'],
    },
    {
      name: 'not a name that only begins alike',
      moved: moves(['h.old', 'h.e']),
      address: 'h.edge.routes.r',
      expect: [],
    },
    {
      name: 'a cycle ends, and gives nobody itself',
      moved: moves(['t.a', 't.b'], ['t.b', 't.a']),
      address: 't.a',
      expect: ['t.b'],
    },
  ])('$name', ({ moved, address, expect: expected }) => {
    expect(originsOf(moved)(address)).toEqual(expected);
  });
});

test('destinationsOf: the same forwards', () => {
  const ahead = destinationsOf(moves(['t.1', 't.2'], ['t.2', 't.3'], ['h.old', 'h.e']));
  expect(ahead('t.1')).toEqual(['t.2', 't.3']);
  expect(ahead('h.old.routes.r')).toEqual(['h.e.routes.r']);
  expect(ahead('t.3')).toEqual([]);
});

describe('isUnder', () => {
  test.each<readonly [string, readonly string[], boolean]>([
    ['h.e', [], false],
    ['h.e', ['h.e'], true],
    ['h.e.routes.r', ['h.e'], true],
    ['h.e', ['h.e.routes.r'], false],
    ['h.edge', ['h.e'], false],
    ['h.e', ['h.x', 'h.e'], true],
  ])('%s under %j: %s', (address, roots, expected) => {
    expect(isUnder(address, new Set(roots))).toBe(expected);
  });
});
