// The difference of two sequences: what a library finds is bounded, and in the order that people read.

import { describe, expect, test } from 'vitest';
import { sequenceDiff } from '../../src/core/text/sequence.ts';

describe('sequenceDiff', () => {
  test('very long texts are shown as removed and added instead of taking forever', () => {
    const before = Array.from({ length: 3000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 3000 }, (_, index) => `new ${index}`);
    expect(sequenceDiff(before, after)).toHaveLength(6000);
  });

  test('a text in another order is shown as removed and added when that is all that can be said soon', () => {
    const before = Array.from({ length: 5000 }, (_, index) => `line ${index}`);
    expect(sequenceDiff(before, [...before].reverse())).toHaveLength(10_000);
    const moved = [...before.slice(100), ...before.slice(0, 100)];
    expect(sequenceDiff(before, moved).filter(({ mark }) => mark === ' ')).toHaveLength(4_900);
  });

  test('of what changed at one place the removed comes first', () => {
    const marks = sequenceDiff(['a', 'x', 'b', 'y', 'c'], ['a', '1', '2', 'c']).map(({ mark, text }) => mark + text);
    expect(marks).toEqual([' a', '-x', '-b', '-y', '+1', '+2', ' c']);
  });
});
