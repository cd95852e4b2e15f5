// Drafts in their order → the steps of a plan, with ids and fingerprints.

import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { StepDraft } from './decide/step-draft.ts';
import { type JudgedPlan } from './policies/user-policies.ts';
import type { Ordered } from './order/order.ts';
import { type Step } from './plan.ts';
import { fingerprintObject, fingerprintFields } from './fingerprint.ts';
import { countSteps } from './count-steps.ts';

export function toSteps({ drafts, dependsOn, last }: Ordered, { resources }: Snapshot): Step[] {
  const liveById = new Map(resources.map((live) => [live.id, live]));
  const idByKey = stepIds(drafts);
  return drafts.map((draft) => ({
    id: idByKey.get(draft.key) ?? '',
    action: draft.action,
    ...(draft.phase && { phase: draft.phase }),
    address: draft.address,
    kind: draft.kind.name,
    live_id: draft.live?.id ?? null,
    reason: draft.reason,
    ...(draft.fromStack !== undefined && { from_stack: draft.fromStack }),
    ...appliedFrom(draft),
    source: draft.source,
    ...(draft.loss && { loss: draft.loss }),
    ...(draft.deletes && { deletes: draft.deletes }),
    ...(draft.deletedOutside && { deleted_outside: draft.deletedOutside }),
    ...(draft.isForeignChild === true && { foreign_child: true }),
    depends_on: (dependsOn.get(draft.key) ?? []).flatMap((key) => idByKey.get(key) ?? []),
    ...(last.has(draft.key) && { last: true as const }),
    ...(draft.imports && draft.imports.length > 0 && { imports: draft.imports }),
    ...fingerprintsOf(draft, liveById),
    changes: draft.changes,
    requests: draft.requests,
  }));
}

function appliedFrom({ live }: StepDraft): Pick<Step, 'applied_from'> {
  const commit = live?.marker?.commit;
  return commit === undefined ? {} : { applied_from: commit };
}

/** What policies see of a plan of just these steps. */
export function partOf(steps: readonly Step[], whole: JudgedPlan, ordered: Ordered): JudgedPlan {
  const addresses = new Set(steps.map(({ address }) => address));
  const pairs = whole.pairs.filter(({ desired }) => addresses.has(desired.address));
  return { ...whole, pairs, drafts: draftsOf(steps, ordered), summary: countSteps(steps, [], 0) };
}

/** The ids of the steps of ordered drafts, by the keys of the drafts. */
function stepIds(drafts: readonly StepDraft[]): ReadonlyMap<string, string> {
  return new Map(drafts.map((draft, index) => [draft.key, `s${index + 1}`]));
}

/** The drafts of these steps, with as much of each as the step holds. */
function draftsOf(steps: readonly Step[], { drafts }: Ordered): StepDraft[] {
  const idByKey = stepIds(drafts);
  const draftById = new Map(drafts.map((draft) => [idByKey.get(draft.key), draft]));
  return steps.flatMap(({ id, changes, requests }) => {
    const draft = draftById.get(id);
    return draft === undefined ? [] : [{ ...draft, changes, requests }];
  });
}

function fingerprintsOf(
  { kind, live, children: ids = [] }: StepDraft,
  liveById: ReadonlyMap<string, LiveResource>,
): Pick<Step, 'precondition' | 'seen'> {
  if (live === undefined) return { precondition: null };
  const children = ids.flatMap((id) => liveById.get(id) ?? []);
  const seen = fingerprintFields(kind, live, { children });
  return { precondition: fingerprintObject(live, seen), seen };
}
