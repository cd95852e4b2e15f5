// Rolls back what this run created although another run had created it first. Before that the references to it are re-pointed
// to the object that stays, and nothing else is changed: the rest of the manifest is left to a plan made after the roll-back.

import type { Duplicate } from '../apply/duplicates/duplicates.ts';
import type { StepResult } from '../apply/event.ts';
import { createGate } from '../apply/gate/gate.ts';
import type { FieldsById, GateScope } from '../apply/gate/gate-rules.ts';
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
import { idsIn, idsInField } from '../resource/references.ts';
import { uniqueValues } from '../resource/uniques.ts';

export interface ResolveDuplicatesInput {
  readonly client: WriteClient;
  readonly history: RunHistory;
  readonly record: Recorder;
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly duplicates: readonly Duplicate[];
  /** The plan of a manifest for a live state. */
  readonly planFor: (snapshot: Snapshot, manifest: Manifest) => Plan;
  /** Carries out steps of a plan, which write only these fields of live objects, by id. */
  readonly carryOut: (plan: Plan, snapshot: Snapshot, fields: FieldsById) => Promise<readonly StepResult[]>;
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
  const { deleted, created } = input.history;
  const stays = ({ id, parentId = '' }: LiveResource) => !deleted.has(id) && !deleted.has(parentId);
  const refersTo = (ours: LiveResource) => (live: LiveResource) =>
    stays(live) && fieldsNaming(live, [ours]).some((name) => !changed.has(`${live.id}.${name}`));
  const ended: RolledBack[] = [];
  for (const loser of inTurn(losers, input.snapshot)) {
    const referring = input.snapshot.resources.filter(refersTo(loser.ours));
    const referrers = referring.map((live) => live.marker?.address ?? live.id);
    const isStuck = failure !== undefined && referrers.length > 0;
    const why = isStuck ? failure : await rollBack({ ...input, gate }, loser.address, { ...loser, referrers });
    if (why === undefined) input.onRolledBack(loser.address, loser.ours);
    const children = lost.filter(({ parentId }) => parentId === loser.ours.id);
    const inside = new Map(children.map(({ id, marker }) => [id, made.get(marker?.address ?? '')]));
    const isTwice = why === undefined && created.has(loser.keep.id);
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
  /** `ID.FIELD` of what was written, and no longer refers to objects to be rolled back. */
  readonly changed: ReadonlySet<string>;
  /** Ids of new objects, by address. */
  readonly made: ReadonlyMap<string, string>;
  readonly why?: string;
}

/** Points references to the objects to be rolled back to the ones that stay. */
async function repoint(
  { manifest, planFor, carryOut, history, duplicates }: ResolveDuplicatesInput,
  rest: Snapshot,
  lost: readonly LiveResource[],
): Promise<Repointed> {
  const fields: FieldsById = new Map(rest.resources.map((live) => [live.id, new Set(fieldsNaming(live, lost))]));
  const kept = new Set(duplicates.map(({ keep }) => keep.id));
  const plan = planFor(rest, forReferences(manifest, rest, fields, kept));
  // Children of one of two objects that this run created are created again in the other one; another run's object is left as it is.
  const own = duplicates.flatMap(({ keep, rollBack: going }) => (history.created.has(keep.id) ? going : []));
  const inOwn = lost.filter(({ parentId }) => own.some(({ id }) => id === parentId));
  const again = new Set(inOwn.map(({ marker }) => marker?.address));
  const needed = plan.steps.flatMap((step) =>
    step.action === 'create' && again.has(step.address) ? [step] : referencesOnly(step, fields, kept),
  );
  // Nothing else is changed first, so only what must exist is waited for.
  const creations = new Set(plan.steps.flatMap(({ id, live_id: live }) => (live === null ? [id] : [])));
  const steps = closed(
    needed.map((step) => ({ ...step, depends_on: step.depends_on.filter((id) => creations.has(id)) })),
  );
  const forbidden = plan.refusals.find((one) => steps.some((step) => one.addresses.includes(step.address)));
  if (forbidden !== undefined) return { changed: new Set(), made: new Map(), why: forbidden.message };
  const results = steps.length === 0 ? [] : await carryOut({ ...plan, steps }, rest, fields);
  const done = results.filter(({ status }) => status === 'done');
  const isDone = new Set(done.map(({ live_id: id }) => id));
  const sent = steps.flatMap(({ live_id: id, requests }) =>
    isDone.has(id) ? requests.map(({ body }) => ({ id, body })) : [],
  );
  const changed = new Set(sent.flatMap(({ id, body }) => Object.keys(body ?? {}).map((name) => `${id ?? ''}.${name}`)));
  const made = new Map(
    done.flatMap(({ action, address, live_id: id }) => (action === 'create' && id ? [[address, id]] : [])),
  );
  const failed = results.find((result) => result.status !== 'done');
  if (failed === undefined) return { changed, made };
  return { changed, made, why: `${failed.address} could not be changed first: ${failed.error ?? ''}` };
}

/** The manifest that leaves the objects to be kept as they are, and that wants references changed, even ignored ones. */
function forReferences(
  manifest: Manifest,
  { resources }: Snapshot,
  fields: FieldsById,
  kept: ReadonlySet<string>,
): Manifest {
  const byAddress = new Map(resources.map((live) => [live.marker?.address, live]));
  const changed = manifest.resources.map((one) => {
    const { id = '', parentId = '' } = byAddress.get(one.address) ?? {};
    const isKept = kept.has(id) || kept.has(parentId);
    const ignored = isKept ? Object.keys(kindByName(one.kind).fields) : one.lifecycle.ignoreChanges;
    const isReference = (path: string) => fields.get(id)?.has(fieldOf(path)) === true;
    return { ...one, lifecycle: { ...one.lifecycle, ignoreChanges: ignored.filter((path) => !isReference(path)) } };
  });
  return { ...manifest, resources: changed };
}

function fieldOf(path: string): string {
  return /^\w+/.exec(path)?.[0] ?? '';
}

/** The part of an update that writes these fields. */
function referencesOnly(step: Step, fields: FieldsById, kept: ReadonlySet<string>): Step[] {
  const id = step.live_id ?? '';
  const names = fields.get(id);
  if (step.action !== 'update' || step.phase !== undefined || !names?.size) return [];
  if (!kept.has(id) && step.changes.every(({ path }) => names.has(fieldOf(path)))) return [step];
  const requests = step.requests.flatMap(({ body, ...request }) => {
    const kept = Object.entries(body ?? {}).filter(([name]) => names.has(name));
    return kept.length === 0 ? [] : [{ ...request, body: Object.fromEntries(kept) }];
  });
  return requests.length === 0 ? [] : [{ ...step, requests }];
}

/** Names of the fields that refer to one of the objects, or have a value that the service assigned to it. */
function fieldsNaming({ kind: name, spec, parentId }: LiveResource, others: readonly LiveResource[]): string[] {
  const kind = kindByName(name);
  const ids = new Set(others.map(({ id }) => id));
  const assigned = new Set(others.flatMap(({ computed }) => Object.values(computed)));
  const served = uniqueValues(kind, spec, parentId).filter(({ text }) => assigned.has(text));
  const referring = Object.entries(kind.fields).filter(([at, field]) =>
    idsInField(field, spec[at]).some((id) => ids.has(id)),
  );
  return [...served.map(({ field }) => field), ...referring.map(([field]) => field)];
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
