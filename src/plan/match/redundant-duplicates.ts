// Duplicates that a run of ours left behind: it was ended after it created one and before it could delete it again. Its journal
// proves that, and so the next plan deletes what that run would have. Once a run has come to a good end with an object, that
// is the object of its address, and nothing is guessed (ADR-0022).

import { groupBy } from '../../core/group.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import { byAge } from '../../resource/marker/succession.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from './missing-objects.ts';

/** The snapshot, in which spare objects say that they are. */
export function markRedundant(snapshot: Snapshot, claims: OwnershipScope, journal: JournalView | undefined): Snapshot {
  if (journal === undefined) return snapshot;
  const { of } = ownershipIn(claims, snapshot.resources);
  const byAddress = groupBy(snapshot.resources, (live) => {
    const status = of(live);
    return status.is === 'ours' ? `${live.kind} ${live.parentId ?? ''} ${status.marker.address}` : undefined;
  });
  const redundant = new Set([...byAddress.values()].flatMap((objects) => redundantAmong(objects, journal)));
  const resources = snapshot.resources.map((live) =>
    redundant.has(live) ? { ...live, isRedundant: true as const } : live,
  );
  return { ...snapshot, resources };
}

/** Of the objects of one address, those that go; never all of them, and none that is protected. */
function redundantAmong(objects: readonly LiveResource[], journal: JournalView): LiveResource[] {
  if (objects.length < 2) return [];
  const staying = objects.filter((live) => !journal.deleted.has(live.id));
  const [earliest] = staying.filter((live) => isOfAnother(live, journal)).sort(byAge);
  const goes = (live: LiveResource) => {
    if (live.marker?.protect === true) return false;
    if (journal.deleted.has(live.id)) return staying.length > 0;
    return earliest !== undefined && byAge(earliest, live) < 0 && isLeftBehind(live, journal);
  };
  const found = objects.filter(goes);
  return found.length < objects.length ? found : [];
}

/** Made by a run that did not come to a good end, nor any since, and without a value that is shown once and was stored. */
function isLeftBehind(live: LiveResource, journal: JournalView): boolean {
  const isOfRun = journal.unfinished.has(live.marker?.created_by ?? '');
  const isHeld = journal.made.has(live.id) && !journal.unstored.has(live.id);
  return isOfRun && !isHeld && isMadeBy(journal, live);
}

/** Another machine's run made it: its marker names a run that is not of this journal. A copied marker names one that is. */
function isOfAnother({ id, marker }: LiveResource, { runs, ids }: JournalView): boolean {
  const run = marker?.created_by;
  return run !== undefined && !runs.has(run) && !ids.has(id);
}
