// Two runs may create the same address at the same time, because the API has no locks. This file decides which object stays,
// from what both runs can see. Pure.

import { groupBy } from '../../core/group.ts';
import { CREATED_AT } from '../../catalog/fields/common.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { ownershipIn, type OwnershipScope } from '../../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { byAge, replacedAmong } from '../../resource/marker/succession.ts';
import { pendingValue } from '../../resource/marker/pending.ts';
import { noteCreation, whyCopied, type RunHistory } from '../gate/run-history.ts';

/** Several objects with the same address, at least one of them created by this run. */
export interface Duplicate {
  readonly address: string;
  /** The object that stays. */
  readonly keep: LiveResource;
  /** Objects of this run to roll back; empty when the other run must act. */
  readonly rollBack: readonly LiveResource[];
  /** Later objects of other runs, which are expected to roll them back. */
  readonly others: readonly LiveResource[];
}

interface DuplicateInput {
  readonly ownershipScope: OwnershipScope;
  readonly snapshot: Snapshot;
  readonly history: RunHistory;
}

/**
 * The oldest object stays, and the run that created a later one rolls it back; equal creation times, which are in whole
 * seconds, are decided by id. Both runs make the same choice, and only one of them ever acts: if both could act, both would
 * delete sooner or later. So the object of a killed run stays until a run with its journal plans to delete it
 * (`plan/match/redundant-duplicates.ts`), or a person decides.
 */
export function findDuplicates({ ownershipScope, snapshot, history }: DuplicateInput): Duplicate[] {
  const isOurs = ({ id }: LiveResource) => history.created.has(id) && !history.deleted.has(id);
  return [...byAddress(ownershipScope, snapshot, history)].flatMap(([address, objects]) => {
    const sorted = [...objects].sort(byAge);
    // If a creation was carried out twice, only the later object's answer arrived, with its returned-once values.
    const keep = (sorted.every(isOurs) ? sorted.find((live) => !isUnfinished(live)) : undefined) ?? sorted[0];
    const later = sorted.filter((live) => live !== keep);
    if (keep === undefined || later.length === 0 || !objects.some(isOurs)) return [];
    return [{ address, keep, rollBack: later.filter(isOurs), others: later.filter((live) => !isOurs(live)) }];
  });
}

/**
 * Records what this run created without knowing: if a creation was sent twice because an answer was lost, both may have been
 * carried out. `at`: the clock's milliseconds.
 */
export function noteRepeated({ ownershipScope, snapshot, history }: DuplicateInput, at: number): void {
  const { isOurs } = ownershipIn(ownershipScope, snapshot.resources);
  for (const live of snapshot.resources) {
    const { address, created_by: by } = live.marker ?? {};
    if (address === undefined || by === undefined || by !== history.runName || !history.repeated.has(address)) continue;
    if (history.created.has(live.id) || history.deleted.has(live.id) || !isOurs(live)) continue;
    const { id, kind, parentId } = live;
    noteCreation(history, { kind, address }, { id, parentId, at, stamp: String(live.computed[CREATED_AT]) });
  }
}

function byAddress(claims: OwnershipScope, { resources }: Snapshot, history: RunHistory): Map<string, LiveResource[]> {
  const { isOurs } = ownershipIn(claims, resources);
  // With a copy made by a person, nothing is guessed, so nothing is deleted.
  const counts = (live: LiveResource) => isOurs(live) && whyCopied(history, live) === undefined;
  const own = resources.filter((live) => counts(live) && !history.deleted.has(live.id));
  const replaced = replacedAmong(own);
  // The old object of a replacement has the same address as the new one.
  const counted = own.filter(({ id }) => !replaced.has(id));
  const found = groupBy(counted, (live) => `${live.kind} ${live.marker?.address ?? ''}`);
  return new Map([...found.values()].map((objects) => [objects[0].marker?.address ?? '', objects]));
}

function isUnfinished({ kind, marker }: LiveResource): boolean {
  return pendingValue(kindByName(kind), marker) !== undefined;
}
