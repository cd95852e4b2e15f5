// The wave of a stack in its fleet, and the waves in their order.

import { groupBy } from './group.ts';

/** The wave of a stack that names none. */
export const FIRST_WAVE = 1;

export interface InWave {
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
