// Compares a plan with what the manifest of a revision would do on the same live state: which steps are there only because of the
// change between the two. For people; decides nothing that is applied. Pure.

import { canonicalJson, type Json } from '../core/json.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { revealed } from '../core/value.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { PlanInput } from './build.ts';
import { decideAll } from './decide-all.ts';
import type { StepDraft } from './decide/step-draft.ts';
import { orderSteps } from './order/order-steps.ts';
import type { FormerStep, Origin, Plan, Step } from './plan.ts';

/** As much of a step as says what it does. */
export type ComparableStep = FormerStep & Pick<Step, 'changes' | 'reason'>;

/** A revision, and what its manifest would do. */
export interface Comparison {
  readonly rev: string;
  readonly commit: string;
  readonly found:
    | { readonly is: 'compared'; readonly manifest: Manifest; readonly steps: readonly ComparableStep[] }
    | { readonly is: 'no-manifest' }
    | { readonly is: 'unreadable'; readonly problem: Diagnostic };
}

/** What the steps of a plan would do, without rules, policies and the dry run. */
export function stepsOf(input: PlanInput): readonly ComparableStep[] {
  return orderSteps(decideAll(input).drafts).drafts.map(comparableOf);
}

export function comparableOf({ action, phase, address, kind, live, changes, reason }: StepDraft): ComparableStep {
  return { action, ...(phase && { phase }), address, kind: kind.name, live_id: live?.id ?? null, changes, reason };
}

/** The plan with the origin of each step, and with what would no longer be done. */
export function withOrigins(plan: Plan, manifest: Manifest, { rev, commit, found }: Comparison): Plan {
  const base = { rev, commit, status: found.is, manifest_digest: null, no_longer_planned: [] };
  switch (found.is) {
    case 'unreadable':
      return { ...plan, base };
    case 'no-manifest':
      return { ...plan, base, steps: plan.steps.map((step) => ({ ...step, origin: 'this-change' })) };
    case 'compared': {
      const isPending = pendingIn(found.steps, secretsDiffer(manifest, found.manifest));
      // What a flag of this run allows is the doing of this run, whatever the manifest of the revision would do.
      const originOf = (step: Step): Origin =>
        step.allowed_by === undefined && isPending(step) ? 'already-pending' : 'this-change';
      return {
        ...plan,
        base: { ...base, manifest_digest: found.manifest.digest, no_longer_planned: formerSteps(found.steps, plan) },
        steps: plan.steps.map((step) => ({ ...step, origin: originOf(step) })),
      };
    }
    default:
      return found satisfies never;
  }
}

/** The same action on the same object, with the same changes and for the same reason. */
function pendingIn(
  steps: readonly ComparableStep[],
  isOtherSecret: (address: string) => boolean,
): (step: Step) => boolean {
  const known = new Map(steps.map((step) => [keyOf(step), step]));
  return (step) => {
    const former = known.get(keyOf(step));
    if (former === undefined || contentOf(former) !== contentOf(step)) return false;
    return !step.changes.some(({ sensitive }) => sensitive) || !isOtherSecret(step.address);
  };
}

function keyOf({ action, phase, address, live_id: id }: ComparableStep): string {
  return `${action} ${phase ?? ''} ${address} ${id ?? ''}`;
}

function contentOf({ changes, reason: { text: _, ...reason } }: ComparableStep): string {
  return canonicalJson({ changes, reason } as unknown as Json);
}

/** Changes do not show secrets, so that two of them look equal: whether the values of a resource are not the same. */
function secretsDiffer(one: Manifest, other: Manifest): (address: string) => boolean {
  const [first, second] = [one, other].map(({ resources }) => new Map(resources.map((it) => [it.address, it])));
  return (address) => textOf(first?.get(address)) !== textOf(second?.get(address));
}

function textOf(resource: DesiredResource | undefined): string | undefined {
  return resource && canonicalJson(revealed(resource.spec));
}

/**
 * Steps of which the plan has none with the same action on the same object. Without their values, which another manifest may call
 * secret.
 */
function formerSteps(steps: readonly ComparableStep[], { steps: now }: Plan): FormerStep[] {
  const kept = new Set(now.map(keyOf));
  return steps.flatMap((step) => {
    const { reason: _, changes: _changes, ...former } = step;
    return kept.has(keyOf(step)) ? [] : [former];
  });
}

/** The plan without what a comparison says: what is applied does not depend on that. */
export function withoutBase({ base: _, steps, diagnostics, ...plan }: Plan): Plan {
  return {
    ...plan,
    steps: steps.map(({ origin: _origin, ...step }) => step),
    diagnostics: diagnostics.filter(({ code }) => code !== 'base-unreadable'),
  };
}
