// Values that are returned once, at creation (§5): whether that of an object was stored whose marker still says pending.
// Only an object whose value was certainly never stored is replaced without consent (ADR-0021).

import type { Kind } from '../../catalog/kind.ts';
import { pendingValue } from '../../resource/marker/pending.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from '../journal-view.ts';
import type { Reason } from '../step-facts.ts';
import { neverStored, unclearStorage } from './reason.ts';

/** What this machine knows about stored values. */
export interface StoredValues {
  /** Ids of objects whose values were stored in their file. */
  readonly ids: ReadonlySet<string>;
  /** Addresses with a file, whatever object its value belongs to. */
  readonly files: ReadonlySet<string>;
}

/**
 * `stored`: the value is held, and the marker lags behind. `unclear`: it may be in the file of the address, unless that is of a
 * previous object; or another machine has it. `lost`: a run of this journal created the object and did not store the value.
 */
type ReturnedOnceState = { readonly is: 'stored' } | ReturnedOnceLoss;

/** A value that may not be stored: why the object is replaced, and what that loses. */
export interface ReturnedOnceLoss {
  readonly is: 'unclear' | 'lost';
  readonly reason: Reason;
  readonly loss: string;
}

/** Evidence about returned-once values. */
interface StoredProof {
  readonly stored?: StoredValues | undefined;
  readonly journal?: JournalView | undefined;
}

/** The value that the marker calls pending, unless it is known to be stored. */
export function returnedOnceLoss(kind: Kind, live: LiveResource, proof: StoredProof): ReturnedOnceLoss | undefined {
  const state = returnedOnceState(kind, live, proof);
  return state?.is === 'stored' ? undefined : state;
}

/** The state of a value that the marker calls pending; undefined if none is. */
export function returnedOnceState(
  kind: Kind,
  live: LiveResource,
  { stored, journal }: StoredProof,
): ReturnedOnceState | undefined {
  const name = pendingValue(kind, live.marker);
  if (name === undefined) return undefined;
  const address = live.marker?.address ?? '';
  const loss = `its ${name} stops working, for whoever has it`;
  if (stored?.ids.has(live.id) === true) return { is: 'stored' };
  // Only a replacement overwrites a file; other creations require that there is none.
  if (stored?.files.has(address) === true) {
    if (live.marker?.replaces === undefined) return { is: 'stored' };
    const text = `the file of ${address} holds its ${name}, or that of the object that it replaces`;
    return { is: 'unclear', reason: unclearStorage(name, text), loss };
  }
  // A marker alone does not prove who created the object: another machine may hold the value.
  if (isCreatedUnstored(live, journal) || isMadeBy(journal, live))
    return { is: 'lost', reason: neverStored(name), loss: `its ${name} was never stored, so nothing can use it` };
  const reason = unclearStorage(name, `its ${name} was stored: no journal and no file here shows it`);
  return { is: 'unclear', reason, loss };
}

/** A run of the journal created it, and the journal does not say that its value was stored. */
function isCreatedUnstored({ id }: LiveResource, journal: JournalView | undefined): boolean {
  const known = journal?.objects.get(id);
  return known?.createdHere === true && known.tokenStored !== true;
}
