// Which links of a fleet's stacks its waves leave. Pure; knows numbers and names, and no service.

import { FIRST_WAVE, waveOf, type InWave } from '../core/waves.ts';

/** Links that no wave contradicts. What leads from a later wave to an earlier one puts nothing in order. */
export function withWaves<L extends { readonly from: string; readonly to: string }>(
  links: readonly L[],
  stacks: readonly (InWave & { readonly name: string })[],
): L[] {
  const waves = new Map(stacks.map((stack) => [stack.name, waveOf(stack)]));
  const waveNamed = (name: string) => waves.get(name) ?? FIRST_WAVE;
  return links.filter(({ from, to }) => waveNamed(from) <= waveNamed(to));
}
