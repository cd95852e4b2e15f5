// Policies that the user wrote, as the planner asks them. How they are written and evaluated is known in `policy/`.

import type { KnownObjects } from '../../resource/resolve.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Pair } from '../match/match.ts';
import type { Plan, PlanDiagnostic, PolicyViolation } from '../plan.ts';

/** What policies judge: the resources of the manifest, the steps, and the whole. */
export interface JudgedPlan extends Pick<Plan, 'stack' | 'service' | 'summary'> {
  readonly pairs: readonly Pair[];
  readonly drafts: readonly StepDraft[];
  readonly known: KnownObjects;
}

/** Violations stop apply; warnings are only shown. */
export interface Judgement {
  readonly refusals: readonly PolicyViolation[];
  readonly warnings: readonly PlanDiagnostic[];
}

export interface UserPolicies {
  /** Digest of their files: a saved plan is applied with the policies that it was made with. */
  readonly digest: string;
  /** Pure. Throws a `Failure` if an expression cannot be evaluated. */
  readonly judge: (plan: JudgedPlan) => Judgement;
}
