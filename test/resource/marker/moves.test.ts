// Which addresses lead to an address by renames.

import { describe, expect, test } from 'vitest';
import { destinationsOf, isUnder, originsOf } from '../../../src/resource/marker/moves.ts';

type Move = Parameters<typeof originsOf>[0][number];

const moves = (...pairs: readonly (readonly [string, string])[]): Move[] => pairs.map(([from, to]) => ({ from, to }));

type Row = readonly [name: string, moved: readonly Move[], address: string, expect: readonly string[]];

describe('originsOf', () => {
  test.each<Row>([
    ['no moves', [], 't.a', []],
    ['moves of others', moves(['t.x', 't.y']), 't.a', []],
    ['its own move', moves(['t.old', 't.a']), 't.a', ['t.old']],
    ['not the other way round', moves(['t.a', 't.new']), 't.a', []],
    ['moves of moves, nearest first', moves(['t.1', 't.2'], ['t.2', 't.3']), 't.3', ['t.2', 't.1']],
    ['a moved parent takes its children along', moves(['h.old', 'h.e']), 'h.e.routes.r', ['h.old.routes.r']],
    [
      'its own move before that of its parent, and both together',
      moves(['h.old', 'h.e'], ['h.e.routes.q', 'h.e.routes.r']),
      'h.e.routes.r',
      ['h.e.routes.q', 'h.old.routes.r', 'h.old.routes.q'],
    ],
    ['not a name that only begins alike', moves(['h.old', 'h.e']), 'h.edge.routes.r', []],
    ['a cycle ends, and gives nobody itself', moves(['t.a', 't.b'], ['t.b', 't.a']), 't.a', ['t.b']],
  ])('%s', (_, moved, address, expected) => {
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
