// What the service shows of that which a journal knows: the only evidence that the key is that of the account in which it was created
// (ADR-0052, ADR-0080). Pure.

import type { Snapshot } from '../resource/snapshot.ts';
import type { JournalView } from './journal-view.ts';

/** What one journal knows of its stack's objects, and whether any of it is here. */
export interface AccountEvidence {
  /** Address by the id of each object that should exist. */
  readonly known: ReadonlyMap<string, string>;
  /** One of them exists, or an object whose marker names the stack and the address of one. */
  readonly isHere: boolean;
}

/** Objects that the stack itself deleted or released are not expected, and neither are those of the run under way. */
export function accountEvidence(
  stack: string,
  journal: JournalView | undefined,
  { resources, whole }: Pick<Snapshot, 'resources' | 'whole'>,
): AccountEvidence {
  const expected = [...(journal?.objects ?? [])].filter(([, one]) => one.isGone !== true && one.isFresh !== true);
  const known = new Map(expected.map(([id, { address }]) => [id, address]));
  const addresses = new Set(known.values());
  const isHere =
    known.size > 0 &&
    ([...known.keys()].some((id) => whole?.byId.has(id) === true) ||
      resources.some(({ id, marker }) => known.has(id) || (marker?.stack === stack && addresses.has(marker.address))));
  return { known, isHere };
}

/** What the journals of several stacks at one service and key know together, while none of it is there. */
export interface LostTogether {
  readonly objects: number;
  readonly stacks: number;
}

/** Undefined when something of any of them is here. */
export function lostTogether(found: readonly AccountEvidence[]): LostTogether | undefined {
  const knowing = found.filter(({ known }) => known.size > 0);
  if (knowing.some(({ isHere }) => isHere)) return undefined;
  return { objects: knowing.reduce((sum, { known }) => sum + known.size, 0), stacks: knowing.length };
}
