// Redundant duplicates left by a run of ours that was interrupted between creating one and deleting it again. Its journal
// proves that, so the next plan deletes what that run would have deleted. Once a run had a good end with an object, that object
// has the address, and nothing is guessed (ADR-0022).

import { groupBy } from '../../core/group.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import { byAge } from '../../resource/marker/succession.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from './missing-objects.ts';

/** The snapshot with redundant duplicates marked. */
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

/** The redundant ones among the objects of one address; never all of them, and never a protected one. */
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

/** Created by a run without a good end, with no good end since, and without a stored returned-once value. */
function isLeftBehind(live: LiveResource, journal: JournalView): boolean {
  const isOfRun = journal.unfinished.has(live.marker?.created_by ?? '');
  const isHeld = journal.made.has(live.id) && !journal.unstored.has(live.id);
  return isOfRun && !isHeld && isMadeBy(journal, live);
}

/** Another machine's run made it, whoever wrote to it since: its marker names a run that is not of this journal. */
function isOfAnother({ id, marker }: LiveResource, journal: JournalView): boolean {
  const run = marker?.created_by;
  return run !== undefined && !journal.runs.has(run) && !journal.made.has(id);
}
