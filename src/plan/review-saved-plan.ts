// What of a saved plan is still to be done, and whether it may be. The rule: a saved plan is a subset (ADR-0094).
//
//   left   Each step that a new plan of the same manifest has at the saved plan's addresses is in the file, request for request, and
//          starts from what the plan saw or from what the file has written since.
//   done   A step that the new plan no longer has. It asks for nothing, so that the values are right, and only what it does not
//          ask about is looked at: what is deleted is gone, what is released is not ours, everything else is ours at its address,
//          and the secrets are those that were applied last.
//
// Anything else is out of date. A plan without steps was a review that found nothing to do: it is done when nothing is pending, and
// what is pending was reviewed by nobody. The limit: who has done a step cannot be told, so that what somebody else did alike counts as done.
// Pure.

import type { Diagnostic } from '../core/diagnostic.ts';
import { canonicalJson, type Json } from '../core/json.ts';
import { IMPORTS } from '../catalog/address.ts';
import { analyse, type PlanInput } from './build.ts';
import { countSteps } from './count-steps.ts';
import { secretLookup } from './lookup.ts';
import type { StepDraft } from './decide/step-draft.ts';
import type { PlanDiagnostic } from '../core/diagnostic-json.ts';
import type { PlanOptions } from './plan-options.ts';
import type { Blocked, Change, Plan, PolicyViolation, Step } from './plan.ts';
import { judgeFates, needsOf, newlyBlocked, type LeftFate } from './saved-plan/judge-fates.ts';
import { forgottenWithin } from './notices/find-moves.ts';
import { movedSince } from './saved-plan/moved-since.ts';
import { staleAt, stalePlan } from './saved-plan/stale.ts';
import { findWorkLeft, type WorkLeft } from './saved-plan/work-left.ts';

/** The result of checking a saved plan. */
interface Review {
  /** What is left to do otherwise than the plan says, what does not hold, and objects whose secrets changed. */
  readonly stale: readonly Diagnostic[];
  /** The steps that are left, with their numbers in the saved plan, as a new plan holds them. */
  readonly left: readonly Step[];
  readonly summary: Plan['summary'];
  /** The steps that were carried out before. */
  readonly done: readonly Step[];
  /** Current policy violations of what is left; the consent given with the plan still counts. */
  readonly violations: readonly PolicyViolation[];
  /** Errors of the new plan about its addresses, or without an address. */
  readonly diagnostics: readonly PlanDiagnostic[];
}

/**
 * Makes a new plan with the saved plan's options and the current ones, and compares. Live objects that the saved plan does not
 * touch may have changed.
 */
export function reviewSavedPlan(saved: Plan, input: PlanInput): Review {
  const options = withConsent(input.options, saved.made_with);
  const { plan: now, drafts, known, matched, whole, missing, violationsOf } = analyse({ ...input, options });
  const source = { stack: saved.stack, known, secret: secretLookup(input.manifest, matched.snapshot) };
  const work = findWorkLeft(saved.steps, now.steps, source);
  const judged = judgeFates(work.fates, { saved, now, matched, missing });
  const left = remaining(judged.left);
  const chosen = draftsOf(judged.left, now.steps, drafts);
  // What is counted is what is applied, whatever the file says.
  const summary = { ...countSteps(left, [], saved.blocked.length), unchanged: saved.summary.unchanged };
  const concerns = concernsOf(saved);
  const changedSince = () => [
    ...changedImports(saved, now),
    ...judged.stale,
    ...movedSince(saved, { now, left, renames: forgottenWithin({ manifest: input.manifest, matched: whole }).pairs }),
    ...unexplained(work.added, judged.stale),
    ...newSecrets({ ...now, steps: elsewhere(now.steps, work) }, saved.blocked),
  ];
  return {
    stale: hasReviewed(saved) ? changedSince() : unreviewed(saved, now),
    left,
    summary,
    done: judged.done,
    // Where nothing is left, nothing is refused.
    violations: left.length === 0 ? [] : violationsOf((draft) => chosen.has(draft), summary),
    diagnostics: now.diagnostics.filter((one) => one.severity === 'error' && concerns(one.address)),
  };
}

/** False for a plan without steps: nobody has looked at a change. */
export function hasReviewed({ steps }: Pick<Plan, 'steps'>): boolean {
  return steps.length > 0;
}

/** What is pending beside a plan without steps, and which imports made it so. */
function unreviewed(saved: Plan, now: Plan): Diagnostic[] {
  const pending = [
    ...now.steps.map((step) => [step.address, needsOf(step)] as const),
    ...newlyBlocked(now.blocked, saved.blocked).map(({ address, path }) => [address, path] as const),
  ];
  if (pending.length === 0) return [];
  const problems = pending.map(([address, what]) => ({
    ...stalePlan(`nobody has reviewed what is pending: ${what}`, REVIEW),
    address,
  }));
  return [...changedImports(saved, now), ...problems];
}

const REVIEW =
  'have it reviewed: save a plan (`edgeform plan --out FILE`; for a fleet, `fleet plan --out DIR`), read it, and apply it';

/** The drafts of the steps that are left, which are in the order of the new plan's steps. */
function draftsOf(
  left: readonly LeftFate[],
  steps: readonly Step[],
  drafts: readonly StepDraft[],
): ReadonlySet<StepDraft> {
  const draftOf = new Map(steps.map((step, at) => [step, drafts[at]]));
  return new Set(left.flatMap((fate) => draftOf.get(fate.now) ?? []));
}

/** Steps that the saved plan does not hold, at its addresses of which nothing else is said. */
function unexplained(added: readonly Step[], stale: readonly Diagnostic[]): Diagnostic[] {
  const explained = new Set(stale.map(({ address }) => address));
  return added.filter(({ address }) => !explained.has(address)).map((step) => lacking(step.address, needsOf(step)));
}

/** The new plan's steps at addresses that the saved plan does not touch. */
function elsewhere(steps: readonly Step[], { fates, added }: WorkLeft): Step[] {
  const here = new Set([...fates.flatMap((fate) => (fate.is === 'missing' ? [] : [fate.now])), ...added]);
  return steps.filter((step) => !here.has(step));
}

/** The steps that are left, in the order of the saved plan and with its numbers. */
function remaining(left: readonly LeftFate[]): Step[] {
  const numbers = new Map(left.map(({ step, now }) => [now.id, step.id]));
  return left.map(({ step, now }) => ({
    ...now,
    id: step.id,
    depends_on: now.depends_on.flatMap((id) => numbers.get(id) ?? []),
  }));
}

/** True for the addresses of a plan and their parents, and for no address, which may be about anything; a plan without steps is about all. */
export function concernsOf({ steps }: Pick<Plan, 'steps'>): (address: string | null) => boolean {
  if (!hasReviewed({ steps })) return () => true;
  const touched = new Set(
    steps.flatMap(({ address }) => address.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))),
  );
  return (address) => address === null || touched.has(address);
}

/** What was allowed when the plan was made stays allowed, and what it was judged by holds. */
function withConsent(options: PlanOptions, made: NonNullable<Plan['made_with']> = {}): PlanOptions {
  const { allow_loss: loss = [], allow_takeover: takeover = [], allow_opening: opening = [] } = made;
  return {
    ...options,
    allowDeletes: more(options.allowDeletes, made.allow_deletes),
    allowLoss: [...options.allowLoss, ...loss],
    allowTakeover: [...(options.allowTakeover ?? []), ...takeover],
    refusesOpenings: options.refusesOpenings === true || made.refuses_openings === true,
    allowOpening: [...(options.allowOpening ?? []), ...opening],
    recreate: options.recreate === true || made.recreate === true,
    targets: made.targets ?? [],
  };
}

type Allowed = PlanOptions['allowDeletes'];

function more(a: Allowed, b: Allowed): Allowed {
  if (a === 'all' || b === 'all') return 'all';
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Imports whose object or values are no longer those that the plan was made with. One that was pending is filled in. */
function changedImports({ imports = [] }: Plan, now: Plan): Diagnostic[] {
  const current = new Map(now.imports?.map((one) => [one.name, one]));
  return imports.flatMap(({ name, live_id: id, values }): Diagnostic[] => {
    const address = `${IMPORTS}.${name}`;
    const found = current.get(name);
    if (found !== undefined && id === null) return [];
    if (found === undefined || found.live_id === null)
      return [staleAt(address, `${address} (${id ?? ''}) is gone, or cannot be told from others`)];
    const attrs = Object.keys(values).filter((attr) => shown(values[attr]) !== shown(found.values[attr]));
    if (id === found.live_id && attrs.length === 0) return [];
    const what = attrs.map((attr) => `${attr} was ${shown(values[attr])}, and is ${shown(found.values[attr])}`);
    const which = id === found.live_id ? '' : ` is another object now, ${found.live_id} in place of ${id ?? ''}`;
    const why = `${address}${which || ' has changed since the plan was made'}${what.length === 0 ? '' : `: ${what.join('; ')}`}`;
    return [staleAt(address, why)];
  });
}

function shown(value: Json = null): string {
  return canonicalJson(value);
}

function lacking(address: string, what: string): Diagnostic {
  return staleAt(address, `${address} needs a change that the plan lacks: ${what}`);
}

/** The manifest's digest covers no secrets: a changed one shows as a change that the saved plan lacks, at whichever address. */
function newSecrets({ steps, blocked }: Pick<Plan, 'steps' | 'blocked'>, known: readonly Blocked[]): Diagnostic[] {
  const tasks = [...steps.filter(({ action }) => action !== 'create'), ...newlyBlocked(blocked, known)];
  return tasks.flatMap(({ address, changes = [] }) => {
    const isSecret = ({ sensitive, cause }: Change) => sensitive && (cause === 'config' || cause === 'both');
    const paths = changes.filter(isSecret).map(({ path }) => path);
    if (paths.length === 0) return [];
    return [lacking(address, `the sensitive value of ${paths.join(', ')} is not the one applied last`)];
  });
}
