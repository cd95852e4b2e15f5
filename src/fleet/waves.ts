// Which links of a fleet's stacks its waves leave. Pure; knows numbers and names, and no service.

import { partition } from '../core/group.ts';
import { FIRST_WAVE, waveOf, type InWave } from '../core/waves.ts';

/** Links by what the waves say of them. */
interface WavedLinks<L> {
  readonly inOrder: readonly L[];
  /** Those that lead from a later wave to an earlier one, with both waves: they put nothing in order. */
  readonly tooLate: readonly (L & { readonly waves: readonly [from: number, to: number] })[];
}

export function withWaves<L extends { readonly from: string; readonly to: string }>(
  links: readonly L[],
  stacks: readonly (InWave & { readonly name: string })[],
): WavedLinks<L> {
  const waves = new Map(stacks.map((stack) => [stack.name, waveOf(stack)]));
  const waveNamed = (name: string) => waves.get(name) ?? FIRST_WAVE;
  const placed = links.map((link) => ({ ...link, waves: [waveNamed(link.from), waveNamed(link.to)] as const }));
  const [tooLate, inOrder] = partition(placed, ({ waves: [from, to] }) => from > to);
  return { inOrder, tooLate };
}
