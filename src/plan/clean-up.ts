// The second plan of a run: what another run created first stays, and this run's later object goes. A part of the ordinary plan,
// holding only deletions of such objects and re-pointed references to them; the next plan decides about everything else, because
// two machines may have different manifests (ADR-0022).

import { kindByName } from '../catalog/lookup.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { idsInField } from '../resource/references.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { uniqueValues } from '../resource/uniques.ts';
import { Failure } from '../core/failure.ts';
import { analyse, planOfSteps, type PlanInput } from './build.ts';
import type { Plan, Step } from './plan.ts';
import type { Judgement } from './policies/user-policies.ts';

/** Names of fields that refer to objects that go, by the id of the referring object. */
type FieldsById = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The clean-up of these redundant objects; it has no steps where something must stay. Policies of the user judge what it does, as
 * every plan that is carried out: with refusals it must not be.
 */
export function cleanUpPlan(input: PlanInput, going: readonly LiveResource[]): Plan {
  const { snapshot, options, policies } = input;
  const goingIds = new Set(going.map(({ id }) => id));
  const fields = referringFields(snapshot, goingIds);
  const staying = new Set(keptAtTheirAddresses(snapshot, going));
  const manifest = forReferences(input.manifest, snapshot, fields, staying);
  const asked: PlanInput = { ...input, manifest, options: { ...options, targets: [], allowDeletes: 'all' } };
  // What policies say of the rest of the manifest is no matter of the clean-up.
  const { plan, judgeSteps } = analyse({ ...asked, policies: undefined });
  const steps = closed(partOfSteps(plan, goingIds, (step) => referencesOnly(step, fields, staying)));
  const judgement = unlessUndecided(() => judgeSteps(steps, policies));
  return planOfSteps(plan, steps, judgement);
}

/** Fields of objects that stay, and that refer to those that go or to what is inside them. */
function referringFields({ resources }: Snapshot, goingIds: ReadonlySet<string>): FieldsById {
  const isGoing = ({ id, parentId = '' }: LiveResource) => goingIds.has(id) || goingIds.has(parentId);
  const gone = resources.filter(isGoing);
  const staying = resources.filter((live) => !isGoing(live));
  return new Map(staying.map((live) => [live.id, new Set(fieldsNaming(live, gone))]));
}

/** Deletions of the objects that go, and of the other steps only what `referencesIn` leaves of them. */
function partOfSteps(
  { steps, refusals }: Plan,
  goingIds: ReadonlySet<string>,
  referencesIn: (step: Step) => Step[],
): Step[] {
  const refused = new Set(refusals.flatMap(({ addresses }) => addresses));
  const creations = new Set(steps.flatMap(({ id, live_id: live }) => (live === null ? [id] : [])));
  return steps.flatMap((step): Step[] => {
    if (refused.has(step.address)) return [];
    if (step.action === 'delete') return goingIds.has(step.live_id ?? '') ? [step] : [];
    // Nothing else is changed first, so only what must exist is waited for.
    return referencesIn({ ...step, depends_on: step.depends_on.filter((id) => creations.has(id)) });
  });
}

/** A policy that cannot be evaluated never passes; writes of the run are done by now, so that this is no failure of its input. */
function unlessUndecided(judge: () => Judgement): Judgement {
  try {
    return judge();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refusals = error.diagnostics.map(({ code: rule, message, fix }) => ({
      rule,
      message,
      ...(fix !== undefined && { fix }),
      addresses: [],
      flag: null,
    }));
    return { refusals, warnings: [] };
  }
}

/** Ids of the objects that stay at the addresses of those that go. */
function keptAtTheirAddresses({ resources }: Snapshot, going: readonly LiveResource[]): string[] {
  const addresses = new Set(going.map(({ marker }) => marker?.address));
  return resources.filter((live) => !going.includes(live) && addresses.has(live.marker?.address)).map(({ id }) => id);
}

/** The manifest that leaves the objects that stay as they are, and that wants references changed, even ignored ones. */
function forReferences(
  manifest: Manifest,
  { resources }: Snapshot,
  fields: FieldsById,
  staying: ReadonlySet<string>,
): Manifest {
  const byAddress = new Map(
    resources.filter((live) => fields.has(live.id)).map((live) => [live.marker?.address, live]),
  );
  const changed = manifest.resources.map((one) => {
    const { id = '', parentId = '' } = byAddress.get(one.address) ?? {};
    const isKept = staying.has(id) || staying.has(parentId);
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
function referencesOnly(step: Step, fields: FieldsById, staying: ReadonlySet<string>): Step[] {
  const id = step.live_id ?? '';
  const names = fields.get(id);
  if (step.action !== 'update' || step.phase !== undefined || !names?.size) return [];
  const changes = step.changes.filter(({ path }) => names.has(fieldOf(path)));
  if (!staying.has(id) && changes.length === step.changes.length) return [step];
  const requests = step.requests.flatMap(({ body, ...request }) => {
    const kept = Object.entries(body ?? {}).filter(([name]) => names.has(name));
    return kept.length === 0 ? [] : [{ ...request, body: Object.fromEntries(kept) }];
  });
  return requests.length === 0 ? [] : [{ ...step, changes, requests }];
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
