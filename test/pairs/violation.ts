// What a violation is, and how runs are told.

import type { Entry } from '../faults/service.ts';
import type { Outcome, Played } from './play.ts';

export interface Violation {
  /** What was violated, in a word or two. */
  readonly oracle: string;
  readonly text: string;
}

export type Invariant = (outcome: Outcome) => readonly Violation[];

export const found = (oracle: string, texts: readonly string[]): Violation[] => texts.map((text) => ({ oracle, text }));

/** How a run is told: its number and what it was. */
export function nameOf({ ran, action, isBeside }: Played): string {
  const { args, beside } = action;
  return `run ${ran.number} (${(isBeside ? beside?.args : args)?.slice(0, 2).join(' ') ?? ''}, exit ${ran.exit ?? 'none'})`;
}

export function writesOf({ service }: Outcome, { ran }: Played): Entry[] {
  return service.log.filter((entry) => entry.run === ran.number && entry.method !== 'GET');
}

/** Whether somebody else writes, or an answer is lost. */
export function isDisturbed({ world }: Outcome): boolean {
  return world.script.some(
    (one) => one.type === 'run' && (one.trouble !== undefined || one.beside !== undefined || one.role === 'other'),
  );
}
