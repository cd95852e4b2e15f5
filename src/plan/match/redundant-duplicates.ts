// Which of several objects of one address are deleted again (ADR-0022).
//
// The API has no locks, so two runs can create the same address at the same time. Every run must come to the same answer
// without speaking to the others, and no run may delete what another one relies on. Three rules:
//
//   1. The earliest object stays. Its age is the service's own time stamp, and then its id, so that every run sees one order.
//   2. A run deletes only what it created itself, or what a run with the same journal created.
//   3. Once a run ended well with an object, that object has the address. A later duplicate is then an error for a person.
//
// Example: run A creates `tls_edges.db` as edgtls_1 at 10:00:00, and run B as edgtls_2 at 10:00:01. Both read all lists again
// before they end. A sees that its object is the earlier one and ends well. B sees that its own object is the later one: it is
// redundant, so B's clean-up deletes edgtls_2 and whatever B made refer to it is pointed at edgtls_1. If B is killed before
// that, the next run with B's journal finds edgtls_2 in it, as left behind by a run without a good end, and deletes it. A run
// without that journal reports both ids and deletes neither.
//
// A block with `lifecycle: { id }` says which of several objects it means: what replaced that one is redundant only beside another
// one that did the same.
//
// The same happens within one run when the answer to a creation was lost and the repeat made a second object. There the one
// that the run went on to use stays, whatever its age.

import { groupBy } from '../../core/group.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import { replacedAmong } from '../../resource/marker/succession.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { isMadeBy, type JournalView } from '../journal-view.ts';
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
  const pinned = new Set(claims.resources.flatMap(({ lifecycle: { pin } }) => pin?.id ?? []));
  const redundant = new Set(several.flatMap((objects) => redundantAmong(objects.filter(isOurs), { journal, pinned })));
  const resources = snapshot.resources.map((live) =>
    redundant.has(live) ? { ...live, isRedundant: true as const } : live,
  );
  return { ...snapshot, resources };
}

interface Evidence {
  readonly journal: JournalView;
  /** Ids that blocks name. */
  readonly pinned: ReadonlySet<string>;
}

/** The redundant ones among the objects of one address; never all of them, and never a protected one. */
function redundantAmong(objects: readonly LiveResource[], { journal, pinned }: Evidence): LiveResource[] {
  if (objects.length < 2) return [];
  // The old object of a replacement has the same address as the new one.
  const replaced = replacedAmong(objects);
  const isGone = ({ id }: LiveResource) => journal.objects.get(id)?.isGone === true;
  // What replaced the object that a block names has its place, whatever older double there is.
  const isSuccessorOfPin = ({ marker }: LiveResource) => pinned.has(marker?.replaces ?? '');
  const staying = objects.filter((live) => !isGone(live) && !replaced.has(live.id));
  const goes = (live: LiveResource) => {
    if (live.marker?.protect === true) return false;
    if (isGone(live)) return staying.length > 0;
    const rivals = staying.filter((other) => other !== live && (!isSuccessorOfPin(live) || replacesSame(live, other)));
    return rivals.some((other) => isRedundantBeside(live, other, journal));
  };
  const found = objects.filter(goes);
  return found.length < objects.length ? found : [];
}

function replacesSame(one: LiveResource, other: LiveResource): boolean {
  return one.marker?.replaces === other.marker?.replaces;
}

/** True when `live` is the redundant one of the two. */
function isRedundantBeside(live: LiveResource, other: LiveResource, journal: JournalView): boolean {
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
  const isHeld = journal.objects.get(live.id)?.tokenStored === true;
  return isOfRun && !isHeld && isMadeBy(journal, live);
}

/** A run of this journal made it. */
function isOwn(live: LiveResource, journal: JournalView): boolean {
  return isMade(live, journal) || journal.runs.has(live.marker?.created_by ?? '');
}

function isMade({ id }: LiveResource, { objects }: JournalView): boolean {
  return objects.get(id)?.createdHere === true;
}

/** Orders by age, then by id, because timestamps are in whole seconds. Every run gets the same order. */
function byAge(a: LiveResource, b: LiveResource): number {
  const [first, second] = [a, b].map(({ computed }) => String(computed[CREATED_AT])) as [string, string];
  return compareInstants(first, second) || compareText(a.id, b.id);
}
