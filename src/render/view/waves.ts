// The waves of a fleet: how many stacks each has, and what their plans would delete, replace and lose for good. Counts are for
// pipelines that ask for another approval; knows no engine.

import { groupBy } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Plan } from '../../plan/plan.ts';

interface StackInWave {
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
  /** Undefined when there is none. */
  readonly plan: Pick<Plan, 'summary' | 'steps'> | undefined;
}

/** What plans take away. */
export interface Removals {
  readonly deletes: number;
  readonly replaces: number;
  /** Addresses of which something is lost that cannot be had again. */
  readonly losses: number;
}

interface WaveDocument extends Removals {
  readonly wave: number;
  readonly stacks: number;
}

/** The wave of a stack in a document, also of one that names none. */
export function waveNumber({ wave = 1 }: { readonly wave?: number | undefined }): number {
  return wave;
}

/** The waves, the first one first. */
export function wavesDocument(stacks: readonly StackInWave[]): WaveDocument[] {
  const waves = [...groupBy(stacks, waveNumber)].sort(([a], [b]) => a - b);
  return waves.map(([wave, members]) => ({ wave, stacks: members.length, ...removalsOf(members) }));
}

export function removalsOf(stacks: readonly StackInWave[]): Removals {
  const plans = stacks.flatMap(({ plan }) => plan ?? []);
  const sum = (count: (plan: NonNullable<StackInWave['plan']>) => number) =>
    plans.reduce((total, plan) => total + count(plan), 0);
  return {
    deletes: sum(({ summary }) => summary.delete),
    replaces: sum(({ summary }) => summary.replace),
    losses: sum(({ steps }) => lostAddresses(steps).size),
  };
}

function lostAddresses(steps: Plan['steps']): ReadonlySet<string> {
  return new Set(steps.flatMap(({ loss, address }) => (loss?.code === 'irreplaceable' ? [address] : [])));
}

/** ` in 2 waves`, for a fleet that has waves. */
export function wavesText(stacks: readonly Pick<StackInWave, 'wave'>[]): string {
  const waves = new Set(stacks.flatMap(({ wave }) => wave ?? []));
  return waves.size === 0 ? '' : ` in ${plural(waves.size, 'wave')}`;
}
