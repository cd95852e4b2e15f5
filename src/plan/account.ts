// What the service shows of that which a journal knows: the only evidence that the key is that of the account in which it was created
// (ADR-0052, ADR-0080). Pure.

import { ownershipIn, scopeOfStack } from '../resource/marker/ownership.ts';
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
export function accountEvidence(stack: string, journal: JournalView | undefined, snapshot: Evidence): AccountEvidence {
  const expected = [...(journal?.objects ?? [])].filter(([, one]) => one.isGone !== true && one.isFresh !== true);
  const known = new Map(expected.map(([id, { address }]) => [id, address]));
  return { known, isHere: known.size > 0 && (isAlive(known, snapshot) || isMarked(known, stack, snapshot)) };
}

type Evidence = Pick<Snapshot, 'resources' | 'whole'>;

function isAlive(known: AccountEvidence['known'], { resources, whole }: Evidence): boolean {
  return resources.some(({ id }) => known.has(id)) || [...known.keys()].some((id) => whole?.byId.has(id) === true);
}

function isMarked(known: AccountEvidence['known'], stack: string, { resources }: Evidence): boolean {
  const addresses = new Set(known.values());
  const { isOurs } = ownershipIn(scopeOfStack(stack), resources);
  return resources.some((live) => addresses.has(live.marker?.address ?? '') && isOurs(live));
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
