// Policies that the user wrote, as the planner asks them. How they are written and evaluated is known in `policy/`.

import { rangeText, type Diagnostic } from '../../core/diagnostic.ts';
import type { KnownObjects } from '../../resource/resolve.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import type { Pair } from '../match/match.ts';
import type { Plan, PlanDiagnostic, PolicyViolation } from '../plan.ts';

/** What policies judge: the resources of the manifest, the steps, and the whole. */
interface JudgedPlan extends Pick<Plan, 'stack' | 'service' | 'summary'> {
  readonly pairs: readonly Pair[];
  readonly drafts: readonly StepDraft[];
  readonly known: KnownObjects;
}

export interface UserPolicies {
  /** Digest of their files: a saved plan is applied with the policies that it was made with. */
  readonly digest: string;
  /** Every violation. Pure. Throws a `Failure` if an expression cannot be evaluated. */
  readonly judge: (plan: JudgedPlan) => readonly Diagnostic[];
}

/** Violations, which stop apply, and warnings, which are only shown. */
export function judgePlan(policies: UserPolicies | undefined, plan: JudgedPlan) {
  const found = (policies?.judge(plan) ?? []).map(({ code, severity, message, address, range, related = [] }) => ({
    ...{ code, severity, message, address, source: range === undefined ? null : rangeText(range) },
    ...(related[0] && { policy: rangeText(related[0].range) }),
  }));
  const refusals = found.filter(({ severity }) => severity === 'error');
  const warnings = found.filter(({ severity }) => severity === 'warning');
  return {
    refusals: refusals.map(({ code: rule, message, address, source, policy }): PolicyViolation => {
      const places = { source, ...(policy !== undefined && { policy }) };
      return { rule, message, addresses: address === undefined ? [] : [address], flag: null, ...places };
    }),
    warnings: warnings.map(({ address = null, ...one }): PlanDiagnostic => ({ ...one, address })),
  };
}
