// Choices from one number: the same number gives the same choices.

/** Numbers from 0 to `below` - 1. */
export type Chance = (below: number) => number;

export function chanceOf(seed: number): Chance {
  let state = seed | 0;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

export function shuffled<T>(list: readonly T[], chance: Chance): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(chance(rest.length), 1)[0]!);
}
