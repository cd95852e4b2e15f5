// What a plan knows of a stack's journal: the objects of earlier runs, and what those runs left open. Pure; the journal itself is
// read elsewhere.

import type { ShownValues } from '../core/shown-values.ts';
import type { Origins } from '../resource/marker/moves.ts';
import type { LiveResource } from '../resource/snapshot.ts';

/** What a journal knows about one object of its stack. */
export interface KnownObject {
  readonly address: string;
  /** Addresses that it had before. */
  readonly formerly?: readonly string[];
  /** Runs of this stack gave it up, or started to, and did not delete it. */
  readonly isReleased?: true;
  /** True when runs of this stack deleted or released it, or started to. */
  readonly isGone?: true;
  /** One of its runs created it. */
  readonly createdHere?: true;
  /** Its returned-once value was stored in its file. */
  readonly tokenStored?: true;
  /** What the service showed in place of values that it did not take. */
  readonly untaken?: ShownValues;
  /** Those of the fields that the run under way sent. */
  readonly untakenNow?: ReadonlySet<string>;
  /** True for an object that the run under way created, and that no other run can have. */
  readonly isFresh?: true;
}

/** What the journal of a stack knows. */
export interface JournalView {
  /** By id. */
  readonly objects: ReadonlyMap<string, KnownObject>;
  /** Addresses with a creation whose outcome is unknown. */
  readonly creating: ReadonlySet<string>;
  /** Names of its runs since the last good end and of the one that had it, as in the markers of what they created. */
  readonly runs: ReadonlySet<string>;
  /** Those of them since then. */
  readonly unfinished: ReadonlySet<string>;
  /** By id, the fields of changes of which no outcome is known. */
  readonly unread?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Address by the id of each object that exists as far as the journal knows. */
export function presentIn(journal: JournalView | undefined): ReadonlyMap<string, string> {
  const present = [...(journal?.objects ?? [])].filter(([, { isGone }]) => isGone !== true);
  return new Map(present.map(([id, { address }]) => [id, address]));
}

/**
 * Whether the journal proves that one of its runs created the object, at its marker's address or at one that moves lead from. A
 * run's name in the marker alone proves it only for a creation whose outcome the journal does not know.
 */
export function isMadeBy(
  journal: JournalView | undefined,
  { id, marker }: LiveResource,
  origins: Origins = () => [],
): boolean {
  if (journal === undefined || marker === undefined) return false;
  const addresses = [marker.address, ...origins(marker.address)];
  const known = journal.objects.get(id);
  if (known !== undefined && known.isGone !== true)
    return known.createdHere === true && addresses.includes(known.address);
  return journal.runs.has(marker.created_by ?? '') && addresses.some((address) => journal.creating.has(address));
}

/** Which fields of an object a run was cut off in writing, so that it did not see what the service made of them; undefined for none. */
export function unreadFields(
  journal: JournalView | undefined,
  live: LiveResource,
): Pick<ReadonlySet<string>, 'has'> | undefined {
  const isCreation = journal?.objects.has(live.id) === false && isMadeBy(journal, live);
  return isCreation ? ALL_FIELDS : journal?.unread?.get(live.id);
}

const ALL_FIELDS = { has: () => true };
