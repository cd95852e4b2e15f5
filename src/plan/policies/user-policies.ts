// Policies that the user wrote, as the planner asks them. `policy/` parses and evaluates them.

import { rangeText, type Diagnostic } from '../../core/diagnostic.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import type { KnownObjects } from '../../resource/resolve.ts';
import { removalOf } from '../decide/removal.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Pair } from '../match/match.ts';
import type { Plan, PolicyViolation } from '../plan.ts';

/** What policies judge: the resources of the manifest, the steps, and the whole. */
export interface JudgedPlan extends Pick<Plan, 'stack' | 'service' | 'summary'> {
  readonly pairs: readonly Pair[];
  readonly drafts: readonly StepDraft[];
  readonly known: KnownObjects;
  readonly live: LeftObjects;
}

/** Live objects that the plan neither writes nor deletes, and all of them for what these are in. */
export interface LeftObjects {
  readonly resources: readonly LiveResource[];
  readonly byId: ReadonlyMap<string, LiveResource>;
}

/**
 * What the steps leave as it is. A part of the live state has some objects of other stacks and not others: those are left to the
 * plans of their stacks.
 */
export function leftObjects(drafts: readonly StepDraft[], { resources, whole }: Snapshot, stack: string): LeftObjects {
  const touched = new Set(drafts.flatMap(({ live, children = [] }) => [...(live ? [live.id] : []), ...children]));
  const isJudged = ({ id, marker }: LiveResource) =>
    !touched.has(id) && (whole === undefined || marker === undefined || marker.stack === stack);
  return {
    resources: resources.filter(isJudged),
    byId: whole?.byId ?? new Map(resources.map((live) => [live.id, live])),
  };
}

export interface UserPolicies {
  /** Digest of their files: a saved plan is applied with the policies that it was made with. */
  readonly digest: string;
  /** Every violation. Pure. Throws a `Failure` if an expression cannot be evaluated. */
  readonly judge: (plan: JudgedPlan) => readonly Diagnostic[];
}

/** What the policies of the user say of a plan: violations, which stop apply, and warnings, which are only shown. */
export interface Judgement {
  readonly refusals: readonly PolicyViolation[];
  readonly warnings: readonly Diagnostic[];
}

/** What the policies say. What is deleted with its parent counts as a deletion. */
export function judgePlan(policies: UserPolicies | undefined, plan: JudgedPlan, snapshot: Snapshot): Judgement {
  if (policies === undefined) return { refusals: [], warnings: [] };
  const implied = impliedDeletions(plan.drafts, snapshot);
  const drafts = [...plan.drafts, ...implied];
  const summary = { ...plan.summary, delete: plan.summary.delete + implied.length };
  const found = policies.judge({ ...plan, drafts, summary });
  return {
    refusals: found.filter(({ severity }) => severity === 'error').map(violationOf),
    warnings: found.filter(({ severity }) => severity === 'warning'),
  };
}

/** Deletions of what is inside the objects that the steps delete. */
function impliedDeletions(drafts: readonly StepDraft[], { resources }: Snapshot): StepDraft[] {
  const reasons = new Map(drafts.flatMap(({ children = [], reason }) => children.map((id) => [id, reason])));
  return resources.flatMap((live) => {
    const reason = reasons.get(live.id);
    return reason === undefined ? [] : removalOf({ live, children: [], reason });
  });
}

/** A violation that no flag allows. */
function violationOf({
  code: rule,
  message,
  fix,
  address,
  range,
  related: [policy] = [],
}: Diagnostic): PolicyViolation {
  return {
    rule,
    message,
    ...(fix !== undefined && { fix }),
    addresses: address === undefined ? [] : [address],
    flag: null,
    source: range === undefined ? null : rangeText(range),
    ...(policy && { policy: rangeText(policy.range) }),
  };
}
