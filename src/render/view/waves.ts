// The waves of a fleet: how many stacks each has, and what their plans would delete, replace and lose for good. Counts are for
// pipelines that ask for another approval; knows no engine.

import { plural } from '../../core/text/text.ts';
import { byWave, type InWave } from '../../core/waves.ts';
import type { Plan } from '../../plan/plan.ts';

/** `wave` is undefined in a fleet without waves. */
interface StackInWave extends InWave {
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

/** The waves, the first one first. */
export function wavesDocument(stacks: readonly StackInWave[]): WaveDocument[] {
  return byWave(stacks).map(([wave, members]) => ({ wave, stacks: members.length, ...removalsOf(members) }));
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
