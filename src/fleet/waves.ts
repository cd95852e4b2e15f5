// Waves: which stacks of a fleet begin only after others ended well. Pure; knows numbers and names, and no service.

import { groupBy } from '../core/group.ts';

/** The wave of a stack that names none. */
export const FIRST_WAVE = 1;

interface InWave {
  readonly wave?: number | undefined;
}

export function waveOf({ wave = FIRST_WAVE }: InWave): number {
  return wave;
}

/** The stacks of each wave, the first wave first. */
export function byWave<T extends InWave>(
  stacks: readonly T[],
): readonly (readonly [wave: number, stacks: readonly T[]])[] {
  return [...groupBy(stacks, waveOf)].sort(([a], [b]) => a - b);
}

/** Links that no wave contradicts. What leads from a later wave to an earlier one puts nothing in order. */
export function withWaves<L extends { readonly from: string; readonly to: string }>(
  links: readonly L[],
  stacks: readonly (InWave & { readonly name: string })[],
): L[] {
  const waves = new Map(stacks.map((stack) => [stack.name, waveOf(stack)]));
  const waveNamed = (name: string) => waves.get(name) ?? FIRST_WAVE;
  return links.filter(({ from, to }) => waveNamed(from) <= waveNamed(to));
}
