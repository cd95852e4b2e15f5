// Checks saved plans: rejects those for another stack, service or manifest before any request, and stale ones after reading the
// live state. Afterwards it says which differences are left of what they touch.

import { identityOf, type Diagnostic } from '../core/diagnostic.ts';
import { diagnosticOf, type PlanDiagnostic } from '../core/diagnostic-json.ts';
import { Failure } from '../core/failure.ts';
import { isSameService } from '../core/service-address.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { exposuresAmong } from '../plan/exposure.ts';
import type { PlanInput } from '../plan/build.ts';
import { withoutBase } from '../plan/compare.ts';
import type { Plan } from '../plan/plan.ts';
import type { UserPolicies } from '../plan/policies/user-policies.ts';
import { concernsOf, hasReviewed, reviewSavedPlan } from '../plan/review-saved-plan.ts';
import { stalePlan } from '../plan/saved-plan/stale.ts';
import { NO_PLACE, TOKEN_FILE_TAKEN } from './execution/token-files.ts';

/**
 * Rejects a plan made for another stack, service or manifest, or with other policies; the others are the current ones. Whatever the
 * manifest says now, a plan of the whole manifest without steps changes nothing; one of targets has looked at them only.
 */
export function checkOrigin(plan: Plan, manifest: Manifest, service: string, policies?: UserPolicies): void {
  if (plan.stack !== manifest.stack)
    throw unusable(`it was made for stack ${plan.stack}, but the manifest is for stack ${manifest.stack}`);
  if (!isSameService(plan.service, service)) throw unusable(`it was made for ${plan.service}, but this is ${service}`);
  if (!hasReviewed(plan) && plan.complete) return;
  if (plan.manifest_digest !== manifest.digest)
    throw new Failure('stale', [stalePlan('the manifest or a variable has changed since the plan was made')]);
  if (plan.made_with?.policies === policies?.digest) return;
  const why = 'the plan was not made with the policies that are given now';
  const fix = 'give the policies that it was made with, or make a new plan';
  throw new Failure('stale', [stalePlan(why, fix)]);
}

function unusable(why: string): Failure {
  const fix = 'use the plan that belongs here, or make a new one';
  return Failure.of('invalid', 'bad-plan-file', `the saved plan cannot be used: ${why}`, fix);
}

/**
 * What is left of the plan, with its current violations and errors. Fails if the live state needs something else, with every
 * object and field that changed.
 */
export function recheckSavedPlan(given: Plan, input: PlanInput): Plan {
  const saved = withoutBase(given);
  const { stale: found, left, summary, done, violations, diagnostics } = reviewSavedPlan(saved, input);
  if (found.length > 0) throw new Failure('stale', found);
  refuseSolvedErrors(saved, diagnostics);
  // Whether there is a place for tokens is checked again.
  const kept = saved.diagnostics.filter(({ code }) => code !== NO_PLACE && code !== TOKEN_FILE_TAKEN);
  const known = new Set(kept.map(keyOf));
  const news = diagnostics.filter((problem) => !known.has(keyOf(problem)));
  const already = done.map(({ id, address, action }) => ({ id, address, action }));
  return {
    ...saved,
    summary,
    steps: left,
    exposures: exposuresAmong(saved.exposures, left),
    ...(already.length > 0 && { already_done: already }),
    refusals: violations,
    diagnostics: [...kept, ...news],
  };
}

function keyOf(problem: PlanDiagnostic): string {
  return identityOf(diagnosticOf(problem));
}

/** A plan lacks what an error excluded, even after the error is solved. */
function refuseSolvedErrors(saved: Plan, now: readonly PlanDiagnostic[]): void {
  const errors = saved.diagnostics.filter(({ severity }) => severity === 'error');
  const current = new Set(now.map(keyOf));
  if (errors.some((error) => current.has(keyOf(error)))) return;
  const problems = errors.map(({ code, address }): Diagnostic => {
    const why = `the plan was saved with an error (${code}), so it cannot be carried out`;
    const fix = 'plan again: run apply without the plan file, or make a new plan, read it, and apply it';
    return { ...stalePlan(why, fix), ...(address !== null && { address }) };
  });
  if (problems.length > 0) throw new Failure('stale', problems);
}

/** A saved plan is judged by what it touches; changes of other objects are only reported. */
export function leftOver(
  after: Plan,
  done: Plan,
  isSaved: boolean,
): { readonly left: Plan; readonly others: Diagnostic[] } {
  if (!isSaved) return { left: after, others: [] };
  const touched = new Set(done.steps.map((step) => step.address));
  const concerns = concernsOf(done);
  const steps = after.steps.filter((step) => touched.has(step.address));
  const errors = after.diagnostics.filter((one) => one.severity === 'error' && !concerns(one.address));
  const others = new Set([
    ...[...after.steps, ...after.blocked].flatMap(({ address }) => (touched.has(address) ? [] : [address])),
    ...errors.flatMap((one) => one.address ?? []),
  ]);
  const left = {
    ...after,
    steps,
    blocked: after.blocked.filter((one) => touched.has(one.address)),
    refusals: [],
    diagnostics: after.diagnostics.filter((one) => concerns(one.address)),
  };
  if (others.size === 0) return { left, others: [] };
  const message = `changes outside the saved plan are pending: ${[...others].sort().join(', ')}`;
  return {
    left,
    others: [{ code: 'not-converged', severity: 'warning', message, fix: 'run plan to see what differs' }],
  };
}
