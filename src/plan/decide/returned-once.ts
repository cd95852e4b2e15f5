// Values that the service shows once, at creation (§5): whether anybody holds the one of an object that was created and
// whose marker does not say so yet. Only what nobody can hold is made anew without a word (ADR-0021).

import type { Kind } from '../../catalog/kind.ts';
import { pendingValue } from '../../resource/marker/pending.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from '../match/missing-objects.ts';

/** What this machine knows of values that were stored. */
export interface StoredValues {
  /** Ids of objects whose values have reached their file. */
  readonly ids: ReadonlySet<string>;
  /** Addresses that have a file, whosever value is in it. */
  readonly files: ReadonlySet<string>;
}

/**
 * `stored`: the value is held, and the marker lags behind. `unclear`: the file of the address may hold it, or that of the
 * object before; or a run elsewhere may. `lost`: a run of this journal made the object and did not store the value.
 */
type ReturnedOnceState =
  | { readonly is: 'stored' }
  /** Why the object is made anew, and what that loses. */
  | { readonly is: 'unclear' | 'lost'; readonly reason: string; readonly loss: string };

/** What is known of values that are shown once. */
interface StoredProof {
  readonly stored?: StoredValues | undefined;
  readonly journal?: JournalView | undefined;
}

/** What became of a value that the marker calls pending; undefined when none is. */
export function returnedOnceState(
  kind: Kind,
  live: LiveResource,
  { stored, journal }: StoredProof,
): ReturnedOnceState | undefined {
  const name = pendingValue(kind, live.marker);
  if (name === undefined) return undefined;
  const address = live.marker?.address ?? '';
  const unknown = 'it is not known whether';
  const loss = `its ${name} stops working, if anybody has it`;
  if (stored?.ids.has(live.id) === true) return { is: 'stored' };
  // A file is written over only for an object that takes the place of another; no other creation finds one there.
  if (stored?.files.has(address) === true) {
    if (live.marker?.replaces === undefined) return { is: 'stored' };
    const reason = `${unknown} the file of ${address} holds its ${name}, or that of the object that it replaces`;
    return { is: 'unclear', reason, loss };
  }
  // A marker alone says nothing of who made the object: another machine may hold the value.
  if (journal?.unstored.has(live.id) === true || isMadeBy(journal, live))
    return {
      is: 'lost',
      reason: `its ${name} was never stored`,
      loss: `nobody has its ${name}, so nothing can use it`,
    };
  const reason = `${unknown} its ${name} was stored: no journal and no file here shows it`;
  return { is: 'unclear', reason, loss };
}
