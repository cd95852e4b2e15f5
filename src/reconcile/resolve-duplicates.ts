// Rolls back objects of this run whose address another run had already filled. References to such an object are first changed
// to the one that stays, by the steps of a plan without the object.

import type { Duplicate } from '../apply/duplicates/duplicates.ts';
import type { StepResult } from '../apply/event.ts';
import { createGate } from '../apply/gate/gate.ts';
import type { GateScope } from '../apply/gate/gate-rules.ts';
import type { RunHistory } from '../apply/gate/run-history.ts';
import type { Recorder } from '../apply/recorder.ts';
import { rollBack } from '../apply/duplicates/roll-back.ts';
import type { WriteClient } from '../service/transport.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { kindByName } from '../catalog/lookup.ts';
import { components } from '../core/graph.ts';
import { groupEntries } from '../core/group.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { returnedOnceFields } from '../resource/marker/pending.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { addressesIn, idsIn } from '../resource/references.ts';
import { uniqueValues } from '../resource/uniques.ts';

export interface ResolveDuplicatesInput {
  readonly client: WriteClient;
  readonly history: RunHistory;
  readonly record: Recorder;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly duplicates: readonly Duplicate[];
  /** The plan for a live state. */
  readonly planFor: (snapshot: Snapshot) => Plan;
  /** Applies steps of a plan. */
  readonly carryOut: (plan: Plan, snapshot: Snapshot) => Promise<readonly StepResult[]>;
  /** Called for each object that was rolled back: what this run stored for it is useless. */
  readonly onRolledBack: (address: string, live: LiveResource) => void;
}

/** The result for one object. */
export interface RolledBack {
  readonly id: string;
  readonly diagnostic: Diagnostic;
  readonly isGone: boolean;
  /** Another object of this run at the same address: the creation was carried out twice. */
  readonly survivorId?: string;
  /** Ids of the children deleted with it, each with that of its replacement, if any. */
  readonly children: ReadonlyMap<string, string | undefined>;
}

interface DuplicateToRemove {
  readonly address: string;
  readonly ours: LiveResource;
  readonly keep: LiveResource;
}

/** Rolls back every object of this run that is a duplicate of one to be kept. */
export async function resolveDuplicates(input: ResolveDuplicatesInput): Promise<readonly RolledBack[]> {
  const losers = duplicatesToRemove(input);
  const ids = new Set(losers.map(({ ours }) => ours.id));
  const isLost = (live: LiveResource) => ids.has(live.id) || ids.has(live.parentId ?? '');
  const rest: Snapshot = { ...input.snapshot, resources: input.snapshot.resources.filter((live) => !isLost(live)) };
  const lost = input.snapshot.resources.filter(isLost);
  const { changed, made, why: failure } = await repoint(input, withoutOthers(rest, input.duplicates), lost);
  const gate = createGate(input.client, scopeOf(input));
  const ended: RolledBack[] = [];
  for (const loser of inTurn(losers, input.snapshot)) {
    const referrers = rest.resources.flatMap((live) =>
      !changed.has(live.marker?.address ?? '') && refersTo(live, loser.ours) ? [live.marker?.address ?? live.id] : [],
    );
    const why = failure ?? (await rollBack({ ...input, gate }, loser.address, { ...loser, referrers }));
    if (why === undefined) input.onRolledBack(loser.address, loser.ours);
    const children = lost.filter(({ parentId }) => parentId === loser.ours.id);
    const inside = new Map(children.map(({ id, marker }) => [id, made.get(marker?.address ?? '')]));
    const isTwice = why === undefined && input.history.created.has(loser.keep.id);
    ended.push({
      id: loser.ours.id,
      isGone: why === undefined,
      ...(isTwice && { survivorId: loser.keep.id }),
      children: inside,
      diagnostic: isTwice ? createdTwice(loser) : rollBackDiagnostic(loser, why),
    });
  }
  return ended;
}

/**
 * The live state with one object per address, because a plan would leave two of them alone. If the object to be kept is deleted
 * with its parent, the other run's is used.
 */
function withoutOthers(rest: Snapshot, duplicates: readonly Duplicate[]): Snapshot {
  const left = new Set(rest.resources.map(({ id }) => id));
  const ids = new Set(duplicates.flatMap(({ keep, others }) => (left.has(keep.id) ? others.map(({ id }) => id) : [])));
  return { ...rest, resources: rest.resources.filter(({ id, parentId }) => !ids.has(id) && !ids.has(parentId ?? '')) };
}

function scopeOf({ manifest, snapshot, history }: ResolveDuplicatesInput): GateScope {
  const pins = manifest.resources.flatMap(({ lifecycle: { id, adopt } }) => [id ?? [], adopt ?? []].flat());
  const live = new Map(snapshot.resources.map((one) => [one.id, one]));
  return { ownershipScope: manifest, live, known: new Set(), pinned: new Set(pins), history };
}

/** Children deleted with their parent are not rolled back separately. */
function duplicatesToRemove({ duplicates }: ResolveDuplicatesInput): DuplicateToRemove[] {
  const losers = duplicates.flatMap(({ address, keep, rollBack: going }) =>
    going.map((ours): DuplicateToRemove => ({ address, ours, keep })),
  );
  const ids = new Set(losers.map(({ ours }) => ours.id));
  return losers.filter(({ ours }) => !ids.has(ours.parentId ?? ''));
}

interface Repointed {
  /** Addresses that no longer refer to objects to be rolled back. */
  readonly changed: ReadonlySet<string>;
  /** Ids of new objects, by address. */
  readonly made: ReadonlyMap<string, string>;
  readonly why?: string;
}

/** Applies the changes that the remaining objects need before the duplicates are deleted. */
async function repoint(
  { manifest, planFor, carryOut }: ResolveDuplicatesInput,
  rest: Snapshot,
  lost: readonly LiveResource[],
): Promise<Repointed> {
  const addresses = new Set(lost.flatMap((live) => live.marker?.address ?? []));
  const referring = new Set(
    manifest.resources.flatMap(({ address, spec }) =>
      addressesIn(spec).some((one) => addresses.has(one)) ? [address] : [],
    ),
  );
  const plan = planFor(rest);
  // Children that exist only in a deleted duplicate are created in the object that stays; nothing else is created or replaced.
  const isNeeded = ({ action, address }: Step) =>
    (action === 'create' && addresses.has(address)) || (action === 'update' && referring.has(address));
  const steps = closed(plan.steps.filter(isNeeded));
  const forbidden = plan.refusals.find((one) => steps.some((step) => one.addresses.includes(step.address)));
  if (forbidden !== undefined) return { changed: new Set(), made: new Map(), why: forbidden.message };
  const results = steps.length === 0 ? [] : await carryOut({ ...plan, steps }, rest);
  const done = results.filter(({ status }) => status === 'done');
  const changed = new Set(done.map(({ address }) => address));
  const made = new Map(
    done.flatMap(({ action, address, live_id: id }) => (action === 'create' && id ? [[address, id]] : [])),
  );
  const failed = results.find((result) => result.status !== 'done');
  if (failed === undefined) return { changed, made };
  return { changed, made, why: `${failed.address} could not be changed first: ${failed.error ?? ''}` };
}

/** True for an object that refers to the other one, or to a value that the service assigned to it. */
function refersTo(live: LiveResource, other: LiveResource): boolean {
  const kind = kindByName(live.kind);
  if (idsIn(kind.fields, live.spec).includes(other.id)) return true;
  const assigned = new Set(Object.values(other.computed));
  return uniqueValues(kind, live.spec, live.parentId).some(({ text }) => assigned.has(text));
}

/** The steps that do not wait for an omitted one. */
function closed(steps: readonly Step[]): readonly Step[] {
  const ids = new Set(steps.map((step) => step.id));
  const kept = steps.filter((step) => step.depends_on.every((id) => ids.has(id)));
  return kept.length === steps.length ? steps : closed(kept);
}

/** Referring objects before those they refer to. */
function inTurn(losers: readonly DuplicateToRemove[], { resources }: Snapshot): readonly DuplicateToRemove[] {
  const referrers = groupEntries(
    resources.flatMap((live) =>
      idsIn(kindByName(live.kind).fields, live.spec).flatMap((id): [string, string][] => [
        [id, live.parentId ?? live.id],
        [id, live.id],
      ]),
    ),
  );
  const byId = new Map(losers.map((one) => [one.ours.id, one]));
  const order = components(byId.keys(), (id) => referrers.get(id) ?? []);
  return order.flat().flatMap((id) => byId.get(id) ?? []);
}

function createdTwice({ address, ours, keep }: DuplicateToRemove): Diagnostic {
  const message = `${address} was created twice, because an answer was lost: ${keep.id} was kept, and ${ours.id} was deleted`;
  return { code: 'created-twice', severity: 'warning', address, message };
}

function rollBackDiagnostic({ address, ours, keep }: DuplicateToRemove, why: string | undefined): Diagnostic {
  const once = why === undefined ? returnedOnceFields(kindByName(ours.kind)) : [];
  const lost = once.length === 0 ? '' : `, and its ${once.join(', ')} with it`;
  const end = why === undefined ? `${ours.id} was deleted${lost}` : `${ours.id} could not be deleted: ${why}`;
  return {
    code: 'created-twice',
    severity: 'error',
    address,
    message: `another run created ${address} at the same time, as ${keep.id}; ${end}`,
    fix:
      why === undefined
        ? 'make sure that only one run at a time applies a stack, then plan and apply again'
        : `pin the right one with \`lifecycle: { id: … }\` under ${address}, or delete one of them yourself`,
  };
}
