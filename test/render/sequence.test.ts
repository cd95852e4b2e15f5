import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sequenceDiff } from '../../src/render/view/values/sequence.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('sequenceDiff', () => {
  test('holds both sequences in their order and is never longer than needed', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const entries = sequenceDiff(before, after);
        const kept = (mark: string) => entries.filter((entry) => entry.mark !== mark).map((entry) => entry.text);
        expect(kept('+')).toEqual(before);
        expect(kept('-')).toEqual(after);
        expect(entries.filter(({ mark }) => mark === ' ')).toHaveLength(longestCommon(before, after));
      }),
      { seed: 1 },
    );
  });

  test('equal sequences have no difference', () => {
    fc.assert(
      fc.property(texts, (same) => {
        expect(sequenceDiff(same, [...same]).every((entry) => entry.mark === ' ')).toBe(true);
      }),
      { seed: 1 },
    );
  });

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

/** Length of the longest common subsequence, by the whole table. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  let row = b.map(() => 0);
  for (const one of a)
    row = b.reduce<number[]>((next, other, j) => {
      const best = one === other ? (row[j - 1] ?? 0) + 1 : Math.max(row[j] ?? 0, next[j - 1] ?? 0);
      return [...next, best];
    }, []);
  return row.at(-1) ?? 0;
}
