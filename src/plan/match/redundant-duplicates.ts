// Which of several objects of one address go. Two runs may create the same address at the same time, because the API has no
// locks: the earliest object stays, and only the run that made a later one, or a run with its journal, deletes it. Once a run had
// a good end with an object, that object has the address, and nothing is guessed (ADR-0022).

import { groupBy } from '../../core/group.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import { replacedAmong } from '../../resource/marker/succession.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from './missing-objects.ts';
import { compareInstants } from '../../core/instant.ts';
import { compareText } from '../../core/json.ts';
import { CREATED_AT } from '../../catalog/fields/common.ts';

export function markRedundant(snapshot: Snapshot, claims: OwnershipScope, journal: JournalView | undefined): Snapshot {
  if (journal === undefined) return snapshot;
  const { isOurs } = ownershipIn(claims, snapshot.resources);
  const byAddress = groupBy(
    snapshot.resources,
    ({ kind, parentId = '', marker }) => marker && `${kind} ${parentId} ${marker.address}`,
  );
  const several = [...byAddress.values()].filter(({ length }) => length > 1);
  const redundant = new Set(several.flatMap((objects) => redundantAmong(objects.filter(isOurs), journal)));
  const resources = snapshot.resources.map((live) =>
    redundant.has(live) ? { ...live, isRedundant: true as const } : live,
  );
  return { ...snapshot, resources };
}

/** The redundant ones among the objects of one address; never all of them, and never a protected one. */
function redundantAmong(objects: readonly LiveResource[], journal: JournalView): LiveResource[] {
  if (objects.length < 2) return [];
  // The old object of a replacement has the same address as the new one.
  const replaced = replacedAmong(objects);
  const isGone = ({ id }: LiveResource) => journal.objects.get(id)?.isGone === true;
  const staying = objects.filter((live) => !isGone(live) && !replaced.has(live.id));
  const goes = (live: LiveResource) => {
    if (live.marker?.protect === true) return false;
    if (isGone(live)) return staying.length > 0;
    return staying.some((other) => other !== live && givesWay(live, other, journal));
  };
  const found = objects.filter(goes);
  return found.length < objects.length ? found : [];
}

/** True when one object goes because of the other. */
function givesWay(live: LiveResource, other: LiveResource, journal: JournalView): boolean {
  const isFresh = journal.objects.get(live.id)?.isFresh === true;
  if (!isFresh && !isLeftBehind(live, journal)) return false;
  // Of two objects of one run, the one that it used stays: a creation was carried out twice, because an answer was lost.
  const [isUsed, wasUsed] = [isMade(live, journal), isMade(other, journal)];
  if (isOwn(other, journal) && isUsed !== wasUsed) return wasUsed;
  return byAge(other, live) < 0 && (isFresh || isOwn(other, journal) || other.marker?.created_by !== undefined);
}

/** Created by a run without a good end, with no good end since, and without a stored returned-once value. */
function isLeftBehind(live: LiveResource, journal: JournalView): boolean {
  const isOfRun = journal.unfinished.has(live.marker?.created_by ?? '');
  const isHeld = journal.objects.get(live.id)?.token === 'stored';
  return isOfRun && !isHeld && isMadeBy(journal, live);
}

/** A run of this journal made it. */
function isOwn(live: LiveResource, journal: JournalView): boolean {
  return isMade(live, journal) || journal.runs.has(live.marker?.created_by ?? '');
}

function isMade({ id }: LiveResource, { objects }: JournalView): boolean {
  return objects.get(id)?.token !== undefined;
}

/** Orders by age, then by id, because timestamps are in whole seconds. Every run gets the same order. */
function byAge(a: LiveResource, b: LiveResource): number {
  const [first, second] = [a, b].map(({ computed }) => String(computed[CREATED_AT])) as [string, string];
  return compareInstants(first, second) || compareText(a.id, b.id);
}
