import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sequenceDiff, setDiff } from '../../src/render/view/sequence.ts';

const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 });

describe('sequenceDiff', () => {
  test('holds both sequences in their order and is never longer than needed', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const entries = sequenceDiff(before, after);
        const kept = (mark: string) => entries.filter((entry) => entry.mark !== mark).map((entry) => entry.text);
        expect(kept('+')).toEqual(before);
        expect(kept('-')).toEqual(after);
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
});

describe('setDiff', () => {
  test('counts what both have, also when it is there twice', () => {
    expect(setDiff(['a', 'a', 'b'], ['a', 'c', 'b'])).toEqual({
      entries: [
        { mark: '-', text: 'a' },
        { mark: '+', text: 'c' },
      ],
      equal: 2,
    });
  });
});
