// plan(desired, live, options): the whole planner as one pure function, used by preview, saved plans and apply.

import { canonicalJson, type Json } from '../core/json.ts';
import { sha256 } from '../core/digest.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { diagnosticJson, type PlanDiagnostic } from '../core/diagnostic-json.ts';
import { Failure } from '../core/failure.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { StepDraft } from './decide/step-draft.ts';
import { unmanagedOf } from './unmanaged.ts';
import { withFlags } from './policies/allowed.ts';
import { checkPolicies, type PolicyResult } from './policies/policies.ts';
import type { PolicyInput } from './policies/policy.ts';
import {
  judgePlan,
  leftObjects,
  type JudgedPlan,
  type Judgement,
  type UserPolicies,
} from './policies/user-policies.ts';
import type { PlanContext, PlanOptions } from './plan-options.ts';
import type { Ordered } from './order/order.ts';
import { outputsOf } from './outputs.ts';
import { decideAll, type Decided } from './decide-all.ts';
import { describeForeignChildren, foreignChildWarning, type DescribedChild } from './foreign-children.ts';
import { madeWith } from './made-with.ts';
import { PLAN_FORMAT, type ForeignChildFound, type Plan, type PolicyViolation, type Step } from './plan.ts';
import { dryRun } from './dry-run.ts';
import { exposuresAmong } from './exposure.ts';
import { countSteps } from './count-steps.ts';
import { orderSteps } from './order/order-steps.ts';
import type { Match } from './match/match.ts';
import { plannedImports } from './match/imports.ts';
import { noticesOf } from './notices/notices.ts';
import { unreadKinds, unresolvedCreations } from './match/unread-kinds.ts';
import { partOf, toSteps } from './steps.ts';

export interface PlanInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  /** Origin and path of the service, for the plan's header. */
  readonly service: string;
  readonly options: PlanOptions;
  /** Undefined without any. */
  readonly policies?: UserPolicies | undefined;
}

/**
 * Computes the plan. Pure: the same inputs, in any order, give the same plan, byte for byte. Throws a `Failure` if the manifest
 * lacks something.
 */
export function buildPlan(input: PlanInput): Plan {
  return analyse(input).plan;
}

/** A plan with what it was made from. */
export interface Analysis {
  readonly plan: Plan;
  readonly drafts: readonly StepDraft[];
  /** What the targets name, and the whole manifest. */
  readonly matched: Match;
  readonly whole: Match;
  /** Objects of the stack that stay, and imports, by their address. */
  readonly known: PlanContext['known'];
  readonly missing: PlanContext['missing'];
  /** Children that are foreign to the stack, those that the plan deletes among them. */
  readonly foreign: readonly DescribedChild[];
  /** Policy violations of some of the steps, as if they were applied alone, with this summary. */
  readonly violationsOf: (isChosen: (draft: StepDraft) => boolean, counted: Plan['summary']) => PolicyViolation[];
  /** What policies of the user say of a plan of just these steps, or parts of steps, and of the resources that they are about. */
  readonly judgeSteps: (chosen: readonly Step[], judges: UserPolicies | undefined) => Judgement;
}

/**
 * Computes the plan, tries it on a copy of the live state, and returns intermediate results as well. The dry run decides everything
 * a second time, on the state that the steps would leave: what is left then, the plan would not achieve.
 */
export function analyse(input: PlanInput): Analysis {
  const { manifest, options, policies } = input;
  refuseIncomplete(manifest, options);
  const decided = decideAll(input);
  const { matched, context } = decided;
  const { snapshot } = decided.all;
  const ordered = orderSteps(decided.drafts);
  const judging = judgingOf(input, decided, ordered);
  const foreign = describeForeign(decided.foreign, { stack: manifest.stack, matched, options });
  const plan = planOf(input, decided, { judging, foreign });
  return {
    plan,
    drafts: ordered.drafts,
    matched,
    whole: decided.all,
    known: context.known,
    missing: context.missing,
    foreign: [...foreign.left, ...foreign.deleted],
    violationsOf: (isChosen, counted) => {
      const drafts = ordered.drafts.filter(isChosen);
      const own = judgePlan(policies, { ...judging.judged, drafts, summary: counted }, snapshot);
      return [...checkPolicies({ ...judging.asked, drafts }).violations, ...own.refusals];
    },
    judgeSteps: (chosen, judges) => judgePlan(judges, partOf(chosen, judging.judged, ordered), snapshot),
  };
}

/** What rules and policies are asked of, and what they say. */
interface Judging {
  readonly steps: readonly Step[];
  readonly summary: Plan['summary'];
  /** Of the built-in rules. */
  readonly asked: PolicyInput;
  readonly ruled: PolicyResult;
  /** Of the policies of the user. */
  readonly judged: JudgedPlan;
  readonly judgement: Judgement;
}

function judgingOf({ manifest, service, options, policies }: PlanInput, decided: Decided, ordered: Ordered): Judging {
  const { matched, all, context, decisions, blocked } = decided;
  const { drafts } = ordered;
  const { ownership, imports } = matched;
  const { children, known, missing } = context;
  const asked = { ...askedIn(all), manifest, drafts, options, ownership, imports, children, missing };
  const steps = withFlags(toSteps(ordered, all.snapshot), asked);
  const summary = countSteps(steps, decisions, blocked.length);
  const live = leftObjects(drafts, all.snapshot, { stack: manifest.stack, judges: options.liveJudges });
  const judged = { stack: manifest.stack, service, summary, pairs: matched.pairs, drafts, known, live };
  return {
    steps,
    summary,
    asked,
    ruled: checkPolicies(asked),
    judged,
    judgement: judgePlan(policies, judged, all.snapshot),
  };
}

interface PlanParts {
  readonly judging: Judging;
  readonly foreign: ForeignDescribed;
}

function planOf(input: PlanInput, decided: Decided, { judging, foreign }: PlanParts): Plan {
  const { manifest, service, options, policies } = input;
  const { known } = decided.context;
  const { steps, ruled, judgement } = judging;
  const problems = [...diagnosticsIn(input, decided), ...foreign.left.map(foreignChildWarning), ...judgement.warnings];
  const diagnostics = problems.map(diagnosticJson);
  const tried = dryRunPlan(input, { steps, isPossible: ruled.isPossible, diagnostics, decided });
  const bare: Plan = {
    format: PLAN_FORMAT,
    stack: manifest.stack,
    service,
    complete: options.targets.length === 0,
    fingerprint: '',
    manifest_digest: manifest.digest,
    ...madeWith(options, policies),
    summary: judging.summary,
    ...(options.destroy ? {} : plannedImports(manifest, known)),
    steps,
    exposures: judging.asked.drafts.flatMap(({ exposures = [] }) => exposures),
    blocked: decided.blocked,
    refusals: [...ruled.violations, ...judgement.refusals],
    unmanaged: unmanagedOf(decided.matched, decided.all.snapshot, idsOf(foreign.deleted)),
    ...(foreign.left.length > 0 && { foreign_children: foreign.left.map(inPlanFile) }),
    outputs: options.destroy ? {} : outputsOf(manifest, known),
    diagnostics: [...diagnostics, ...tried],
  };
  return { ...bare, fingerprint: fingerprintPlan(bare) };
}

/** What policies ask of the whole manifest's match. */
function askedIn({ snapshot, pairs, dispositions }: Match) {
  return { snapshot, pairs, dispositions };
}

/** Nothing is planned for a manifest that lacks something, such as the value of a variable; a deletion needs no value but its stack's name. */
function refuseIncomplete(manifest: PlanInput['manifest'], { destroy }: PlanInput['options']): void {
  const { lacks = [], lacksInName = [] } = manifest;
  const isNeeded = (one: Diagnostic) => one.code !== 'unset-variable' || lacksInName.includes(one);
  const needed = destroy ? lacks.filter(isNeeded) : lacks;
  if (needed.length > 0) throw new Failure('invalid', needed);
}

/** What the match and the decisions found, and what could not be read. */
function diagnosticsIn(
  { manifest, snapshot, options }: PlanInput,
  { matched, all, context, decisions }: Decided,
): Diagnostic[] {
  const unresolved = unresolvedCreations(options.journal?.creating ?? [], options);
  return [
    ...matched.diagnostics,
    ...decisions.flatMap((decision) => decision.diagnostics),
    ...noticesOf({ manifest, snapshot, matched: all, chosen: matched, missing: context.missing, options }),
    ...unresolved,
    ...unreadKinds(all.snapshot, all.pairs, options.destroy, unresolved),
  ];
}

interface ForeignDescribed {
  readonly left: readonly DescribedChild[];
  readonly deleted: readonly DescribedChild[];
}

/** What is said of the foreign children that stay, and of those that the plan deletes. */
function describeForeign(
  { deleted, left }: Decided['foreign'],
  { options, ...around }: { readonly stack: string; readonly matched: Match } & Pick<PlanInput, 'options'>,
): ForeignDescribed {
  const isWhole = options.targets.length === 0;
  return {
    left: describeForeignChildren(left, { ...around, fate: isWhole ? 'left' : 'left-by-targets' }),
    deleted: describeForeignChildren(deleted, { ...around, fate: 'deleted' }),
  };
}

function inPlanFile({
  range: _range,
  fix: _fix,
  secrets: _secrets,
  mark: _mark,
  ...child
}: DescribedChild): ForeignChildFound {
  return child;
}

function idsOf(children: readonly DescribedChild[]): ReadonlySet<string> {
  return new Set(children.map(({ live_id: id }) => id));
}

/** Plans again after a dry run on a copy: whatever is left, the steps would not achieve. */
function dryRunPlan(
  { manifest, snapshot, options }: PlanInput,
  made: Pick<Plan, 'steps' | 'diagnostics'> & { readonly isPossible: boolean; readonly decided: Decided },
): PlanDiagnostic[] {
  // A plan that cannot be applied anyway needs no dry run.
  const isStuck = !made.isPossible || made.diagnostics.some((one) => one.severity === 'error');
  if (made.steps.length === 0 || isStuck) return [];
  const { pendingImports: pending, ...settled } = options;
  const released = options.releasedElsewhere?.keys() ?? [];
  const tried = { manifest, snapshot, matched: made.decided.all, pending, released };
  const { problems, ...after } = dryRun(tried, made.steps);
  const left = decideAll({ ...after, options: settled }).drafts.map((draft) => {
    const paths = draft.changes.map((change) => change.path).join(', ');
    const what = paths === '' ? draft.action : `${draft.action} of ${paths}`;
    return notConverging({ address: draft.address }, `after its steps ${draft.address} would still need: ${what}`);
  });
  return [...problems.map((problem) => notConverging({}, problem)), ...left];
}

function notConverging(about: Pick<Diagnostic, 'address'>, message: string): PlanDiagnostic {
  const fix = 'please report this plan';
  return diagnosticJson({ code: 'would-not-converge', severity: 'error', ...about, message, fix });
}

/** What a plan has besides its steps and what follows from them. */
type PlanHeader = Omit<Plan, 'format' | 'fingerprint' | 'summary' | 'steps' | 'blocked' | 'refusals' | 'diagnostics'>;

/** A plan of just these steps, without what keeps others from being carried out, and with what policies say of them. */
export function planOfSteps(
  header: PlanHeader,
  steps: readonly Step[],
  { refusals, warnings }: Judgement = { refusals: [], warnings: [] },
): Plan {
  const summary = countSteps(steps, [], 0);
  const bare: Plan = {
    ...header,
    format: PLAN_FORMAT,
    fingerprint: '',
    summary,
    steps,
    exposures: exposuresAmong(header.exposures, steps),
    blocked: [],
    refusals,
    diagnostics: warnings.map(diagnosticJson),
  };
  return { ...bare, fingerprint: fingerprintPlan(bare) };
}

/** Digest of the whole plan, except for what is for people only: positions in files, claims, and what it was compared with. */
export function fingerprintPlan({ fingerprint: _, base: _base, steps, ...rest }: Plan): string {
  const bare = steps.map(({ source: _source, origin: _origin, applied_from: _from, ...step }) => step);
  return sha256(canonicalJson({ ...rest, steps: bare } as unknown as Json));
}

export function withDiagnostics(plan: Plan, more: readonly Diagnostic[]): Plan {
  if (more.length === 0) return plan;
  const extended = { ...plan, diagnostics: [...plan.diagnostics, ...more.map(diagnosticJson)] };
  return { ...extended, fingerprint: fingerprintPlan(extended) };
}
