// plan(desired, live, options): the whole planner as one pure function, used by preview, saved plans and apply.

import { canonicalJson, type Json } from '../core/json.ts';
import { sha256 } from '../core/digest.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { diagnosticJson, type PlanDiagnostic } from '../core/diagnostic-json.ts';
import { Failure } from '../core/failure.ts';
import { otherOwner, type OwnershipStatus } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { StepDraft } from './decide/step-draft.ts';
import { checkPolicies } from './policies/policies.ts';
import { judgePlan, type JudgedPlan, type Judgement, type UserPolicies } from './policies/user-policies.ts';
import type { PlanOptions } from './plan-options.ts';
import type { Ordered } from './order/order.ts';
import { outputsOf } from './outputs.ts';
import { decideAll } from './decide-all.ts';
import { describeForeignChildren, foreignChildWarning, type DescribedChild } from './foreign-children.ts';
import { PLAN_FORMAT, type ForeignChildFound, type Plan, type Step } from './plan.ts';
import { fingerprintObject, fingerprintFields } from './fingerprint.ts';
import { dryRun } from './dry-run.ts';
import { countSteps } from './count-steps.ts';
import { breakCycles } from './order/break-cycles.ts';
import type { Match } from './match/match.ts';
import { plannedImports } from './match/imports.ts';
import { noticesOf } from './notices/notices.ts';
import { unreadKinds, unresolvedCreations } from './match/unread-kinds.ts';

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

/** Computes the plan, tries it on a copy of the live state, and returns intermediate results as well. */
export function analyse(input: PlanInput) {
  const { manifest, service, options, policies } = input;
  refuseIncomplete(manifest);
  const decided = decideAll(input);
  const { matched, all, context, decisions, blocked } = decided;
  const { snapshot } = all;
  const { ownership, imports } = matched;
  const ordered = breakCycles(decided.drafts);
  const { drafts } = ordered;
  const { children, known } = context;
  const guarded = { ...askedIn(all), manifest, drafts, options, ownership, imports, children };
  const { violations: refusals, isPossible } = checkPolicies(guarded);
  const steps = toSteps(ordered, snapshot);
  const summary = countSteps(steps, decisions, blocked.length);
  const facts = { stack: manifest.stack, service, summary, pairs: matched.pairs, drafts, known };
  const judged = judgePlan(policies, facts, snapshot);
  const foreign = describeForeign(decided.foreign, { stack: manifest.stack, matched, options });
  const problems = [...diagnosticsIn(input, decided), ...foreign.left.map(foreignChildWarning), ...judged.warnings];
  const diagnostics = problems.map(diagnosticJson);
  const bare: Plan = {
    format: PLAN_FORMAT,
    stack: manifest.stack,
    service,
    complete: options.targets.length === 0,
    fingerprint: '',
    manifest_digest: manifest.digest,
    ...madeWith(options, policies),
    summary,
    ...(options.destroy ? {} : plannedImports(manifest, known)),
    steps,
    blocked,
    refusals: [...refusals, ...judged.refusals],
    unmanaged: unmanagedOf(matched, snapshot, foreign.deleted),
    ...(foreign.left.length > 0 && { foreign_children: foreign.left.map(inPlanFile) }),
    outputs: options.destroy ? {} : outputsOf(manifest, known),
    diagnostics: [...diagnostics, ...dryRunPlan(input, { steps, isPossible, diagnostics, decided })],
  };
  const plan: Plan = { ...bare, fingerprint: fingerprintPlan(bare) };
  return {
    plan,
    drafts,
    matched,
    /** Objects of the stack that stay, and imports, by their address. */
    known,
    missing: context.missing,
    /** Children that are foreign to the stack, those that the plan deletes among them. */
    foreign: [...foreign.left, ...foreign.deleted],
    /** Policy violations of some of the steps, as if they were applied alone, with this summary. */
    violationsOf: (isChosen: (draft: StepDraft) => boolean, counted: Plan['summary']) => {
      const chosen = drafts.filter(isChosen);
      const own = judgePlan(policies, { ...facts, drafts: chosen, summary: counted }, snapshot);
      return [...checkPolicies({ ...guarded, drafts: chosen }).violations, ...own.refusals];
    },
    /** What policies of the user say of a plan of just these steps, or parts of steps, and of the resources that they are about. */
    judgeSteps: (chosen: readonly Step[], judges: UserPolicies | undefined) =>
      judgePlan(judges, partOf(chosen, facts, ordered), snapshot),
  };
}

/** What policies ask of the whole manifest's match. */
function askedIn({ snapshot, pairs, taken, orphans, isRemoved }: Match) {
  return { snapshot, pairs, taken, orphans, isRemoved };
}

/** Nothing is planned for a manifest that lacks something, such as the value of a variable. */
function refuseIncomplete({ lacks = [] }: PlanInput['manifest']): void {
  if (lacks.length > 0) throw new Failure('invalid', lacks);
}

/** What the match and the decisions found, and what could not be read. */
function diagnosticsIn(
  { manifest, options }: PlanInput,
  { matched, all, context, decisions }: ReturnType<typeof decideAll>,
) {
  const unresolved = unresolvedCreations(options.journal?.creating ?? [], options.capabilities);
  return [
    ...matched.diagnostics,
    ...decisions.flatMap((decision) => decision.diagnostics),
    ...noticesOf({ manifest, matched: all, missing: context.missing, options }),
    ...unresolved,
    ...unreadKinds(all.snapshot, all.pairs, options.destroy, unresolved),
  ];
}

/** What is said of the foreign children that stay, and of those that the plan deletes. */
function describeForeign(
  { deleted, left }: ReturnType<typeof decideAll>['foreign'],
  { options, ...around }: { readonly stack: string; readonly matched: Match } & Pick<PlanInput, 'options'>,
) {
  const isWhole = options.targets.length === 0;
  return {
    left: describeForeignChildren(left, { ...around, fate: isWhole ? 'left' : 'left-by-targets' }),
    deleted: describeForeignChildren(deleted, { ...around, fate: 'deleted' }),
  };
}

function madeWith(
  { allowDeletes, allowLoss, recreate, targets }: PlanOptions,
  policies: UserPolicies | undefined,
): Pick<Plan, 'made_with'> {
  const given = {
    ...(allowDeletes !== undefined && { allow_deletes: allowDeletes }),
    ...(allowLoss.length > 0 && { allow_loss: allowLoss }),
    ...(recreate === true && { recreate }),
    ...(targets.length > 0 && { targets }),
    ...(policies && { policies: policies.digest }),
  };
  return Object.keys(given).length === 0 ? {} : { made_with: given };
}

function inPlanFile({ range: _range, fix: _fix, secrets: _secrets, ...child }: DescribedChild): ForeignChildFound {
  return child;
}

/** Objects outside the stack that stay; a part of the live state lists only those that no stack owns. */
function unmanagedOf(
  { unmanaged, ownership }: Match,
  { whole }: Snapshot,
  deleted: readonly DescribedChild[],
): Plan['unmanaged'] {
  const gone = new Set(deleted.map(({ live_id: id }) => id));
  const staying = unmanaged.filter(({ id }) => !gone.has(id));
  const all = staying.map((live) => ({ kind: live.kind, id: live.id, owner: ownerOf(ownership.of(live)) }));
  return whole === undefined ? all : all.filter(({ owner }) => owner === null);
}

/** The stack that an object belongs to, in words; null when none owns it. */
function ownerOf(status: OwnershipStatus): string | null {
  const other = otherOwner(status);
  return other === undefined ? null : `${other.stack}: ${other.address ?? 'its marker cannot be read'}`;
}

/** Plans again after a dry run on a copy: whatever is left, the steps would not achieve. */
function dryRunPlan(
  { manifest, snapshot, options }: PlanInput,
  made: Pick<Plan, 'steps' | 'diagnostics'> & {
    readonly isPossible: boolean;
    readonly decided: ReturnType<typeof decideAll>;
  },
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
    blocked: [],
    refusals,
    diagnostics: warnings.map(diagnosticJson),
  };
  return { ...bare, fingerprint: fingerprintPlan(bare) };
}

/** Digest of the whole plan, except for line positions in files. */
export function fingerprintPlan({ fingerprint: _, steps, ...rest }: Plan): string {
  const bare = steps.map(({ source: _source, ...step }) => step);
  return sha256(canonicalJson({ ...rest, steps: bare } as unknown as Json));
}

export function withDiagnostics(plan: Plan, more: readonly Diagnostic[]): Plan {
  if (more.length === 0) return plan;
  const told = { ...plan, diagnostics: [...plan.diagnostics, ...more.map(diagnosticJson)] };
  return { ...told, fingerprint: fingerprintPlan(told) };
}

function toSteps({ drafts, dependsOn, last }: Ordered, { resources }: Snapshot): Step[] {
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

/** What policies see of a plan of just these steps. */
function partOf(steps: readonly Step[], whole: JudgedPlan, ordered: Ordered): JudgedPlan {
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
