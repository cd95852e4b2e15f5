// Policies that the user wrote, as the planner asks them. `policy/` parses and evaluates them.

import { rangeText, type Diagnostic } from '../../core/diagnostic.ts';
import type { LiveResource, Snapshot } from '../../resource/snapshot.ts';
import { ownerNamed } from '../../resource/marker/ownership.ts';
import type { KnownObjects } from '../../resource/resolve.ts';
import { removalOf } from '../decide/removal.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Pair } from '../match/match.ts';
import type { Plan, PolicyViolation } from '../plan.ts';
import type { LiveJudges } from '../plan-options.ts';

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

/** Whose plan it is, and who else of its run judges what. */
export interface Judge {
  readonly stack: string;
  readonly judges: LiveJudges | undefined;
}

/**
 * What the steps leave as it is and this stack has to judge. In a fleet, each stack sees what it owns and touches; what no stack of
 * the run has to do with is seen by one of them, in the whole live state.
 */
export function leftObjects(drafts: readonly StepDraft[], { resources, whole }: Snapshot, judge: Judge): LeftObjects {
  const { stack, judges } = judge;
  const touched = new Set(drafts.flatMap(({ live, children = [] }) => [...(live ? [live.id] : []), ...children]));
  const byId = whole?.byId ?? new Map(resources.map((live) => [live.id, live]));
  const judgeOf = (live: LiveResource) => (judges === undefined ? stack : judgeAmong(judges, live, byId));
  const own = resources.filter((live) => judgeOf(live) === stack);
  const rest = judges?.rest === stack ? [...byId.values()].filter((live) => judgeOf(live) === undefined) : [];
  return { resources: [...own, ...rest].filter(({ id }) => !touched.has(id)), byId };
}

/** The stack that owns the object, or will, or has what it is in; undefined for none of the run. */
function judgeAmong(judges: LiveJudges, live: LiveResource, byId: LeftObjects['byId']): string | undefined {
  const found = judges.byOwner.get(ownerNamed(live) ?? '') ?? judges.byId.get(live.id);
  const around = byId.get(live.parentId ?? '');
  return found ?? (around && judgeAmong(judges, around, byId));
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
