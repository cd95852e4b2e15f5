// plan(desired, live, options): the whole planner as one pure function. Preview, saved plans and apply all use it.

import { groupBy } from '../core/group.ts';
import { canonicalJson } from '../core/json.ts';
import type { Json } from '../core/json.ts';
import { sha256 } from '../core/digest.ts';
import { Failure } from '../core/failure.ts';
import type { OwnershipStatus } from '../resource/marker/ownership.ts';
import { originsOf } from '../resource/marker/moves.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { replacedAmong } from '../resource/marker/succession.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { cycleViolations } from './order/cycles.ts';
import type { PlanContext } from './decide/plan-context.ts';
import type { Decision } from './decide/decide.ts';
import { decide, needsReplacement } from './decide/decide.ts';
import type { StepDraft, Successor } from './decide/step-draft.ts';
import { checkPolicies } from './policies/policies.ts';
import type { Match, Pair } from './match/match.ts';
import { childrenFirst } from './order/children-first.ts';
import { redundantAddresses, match } from './match/match.ts';
import type { PlanOptions } from './plan-options.ts';
import type { Ordered } from './order/order.ts';
import { outputsOf } from './outputs.ts';
import type { Blocked, Plan, PlanDiagnostic, PolicyViolation, Step } from './plan.ts';
import { inPlan, PLAN_FORMAT } from './plan.ts';
import type { MissingByAddress } from './match/missing-objects.ts';
import { explainMissing } from './match/missing-objects.ts';
import { fingerprintObject, fingerprintFields } from './fingerprint.ts';
import { deletion, release } from './decide/removal.ts';
import { dryRun } from './dry-run.ts';
import { countSteps } from './count-steps.ts';
import { withoutUnsupported } from './policies/unsupported-steps.ts';
import { selectTargets } from './select-targets.ts';
import { breakCycles } from './order/break-cycles.ts';
import { maskSnapshot } from './match/mask-snapshot.ts';
import { unreadKinds, unresolvedCreations } from './match/unread-kinds.ts';

export interface PlanInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  /** Origin and path of the service, for the plan's header. */
  readonly service: string;
  readonly options: PlanOptions;
}

/**
 * Computes the plan. Pure: the same inputs, in any order, give the same plan to the byte. Fails with a `Failure` when the
 * manifest lacks something.
 */
export function buildPlan(input: PlanInput): Plan {
  return analyse(input).plan;
}

/** The plan with what led to it. */
interface Analysis {
  readonly plan: Plan;
  readonly matched: Match;
  readonly missing: MissingByAddress;
  /** What the safety rules say of some of the steps, were they carried out alone. */
  readonly violationsOf: (isChosen: (draft: StepDraft) => boolean) => readonly PolicyViolation[];
}

/** Computes the plan, tries it on a copy of the live state, and keeps what was found on the way. */
export function analyse(input: PlanInput): Analysis {
  const { manifest, service, options } = input;
  if (manifest.lacks !== undefined && manifest.lacks.length > 0) throw new Failure('invalid', manifest.lacks);
  const decided = decideAll(input);
  const { matched, decisions, blocked } = decided;
  const ordered = breakCycles(decided.drafts);
  const steps = toSteps(ordered);
  const complete = options.targets.length === 0;
  const { pairs } = decided;
  const { ownership } = matched;
  const { snapshot, context } = decided;
  const { children } = context;
  const guarded = { manifest, snapshot, drafts: ordered.drafts, pairs, options, ownership, children };
  const refusals = [...checkPolicies(guarded), ...cycleViolations(ordered.cycles)];
  const unresolved = unresolvedCreations(options.journal?.creating ?? [], options.capabilities);
  const unread = unreadKinds({ snapshot, pairs, isDestroyed: options.destroy, unresolved });
  const diagnostics = [
    ...matched.diagnostics,
    ...decisions.flatMap((decision) => decision.diagnostics),
    ...unresolved.map(inPlan),
    ...unread,
  ];
  const plan: Plan = {
    format: PLAN_FORMAT,
    stack: manifest.stack,
    service,
    complete,
    fingerprint: '',
    manifest_digest: manifest.digest,
    ...madeWith(options),
    summary: countSteps(steps, decisions, blocked.length),
    steps,
    blocked,
    refusals,
    unmanaged: matched.unmanaged.map((live) => ({
      kind: live.kind,
      id: live.id,
      owner: ownerOf(ownership.of(live)),
    })),
    outputs: options.destroy ? {} : outputsOf(manifest, context.known),
    diagnostics: [...diagnostics, ...dryRunPlan(input, { steps, refusals, diagnostics })],
  };
  return {
    plan: { ...plan, fingerprint: fingerprintPlan(plan) },
    matched,
    missing: context.missing,
    violationsOf: (isChosen) => checkPolicies({ ...guarded, drafts: ordered.drafts.filter(isChosen) }),
  };
}

function madeWith({ allowDeletes, allowReplace, targets }: PlanOptions): Pick<Plan, 'made_with'> {
  const given = {
    ...(allowDeletes !== undefined && { allow_deletes: allowDeletes }),
    ...(allowReplace.length > 0 && { allow_replace: allowReplace }),
    ...(targets.length > 0 && { targets }),
  };
  return Object.keys(given).length === 0 ? {} : { made_with: given };
}

/** The stack that an object belongs to, in words; null when none owns it. */
function ownerOf(status: OwnershipStatus): string | null {
  if (status.is !== 'foreign') return null;
  return `${status.stack}: ${status.address ?? 'its marker cannot be read'}`;
}

interface Decided {
  /** The live state as far as it may be seen. */
  readonly snapshot: Snapshot;
  readonly matched: Match;
  /** All of the manifest, also what the plan leaves out. */
  readonly pairs: readonly Pair[];
  readonly context: PlanContext;
  readonly decisions: readonly Decision[];
  readonly blocked: readonly Blocked[];
  readonly drafts: readonly StepDraft[];
}

function decideAll({ manifest, snapshot: read, options }: Omit<PlanInput, 'service'>): Decided {
  const snapshot = maskSnapshot(manifest, read);
  // What a target leaves out keeps its objects, so that all of the manifest is matched.
  const all = match(manifest, manifest.resources, snapshot);
  const matched = options.destroy ? match(manifest, [], snapshot) : selectTargets(all, manifest, options.targets);
  const { ownership } = all;
  const pairs = [...all.pairs, ...all.held].sort((a, b) => depthOf(a) - depthOf(b));
  const pasts = explainMissing({ manifest, snapshot, ownership, pairs, journal: options.journal });
  const context = contextOf(matched, { manifest, snapshot, options, missing: pasts });
  const decisions = matched.pairs.map((pair) => decide(pair, context));
  const removals = options.targets.length === 0 ? removalDrafts(matched, manifest, context) : [];
  const wanted = [...decisions.flatMap((decision) => decision.drafts), ...removals];
  const possible = withoutUnsupported(wanted, options.capabilities);
  return {
    snapshot,
    matched,
    pairs: all.pairs,
    context,
    decisions,
    blocked: [...decisions.flatMap((decision) => decision.blocked), ...possible.blocked],
    drafts: childrenFirst(possible.drafts),
  };
}

/** Parents are 0, and what is inside them 1. */
function depthOf({ desired }: Pair): number {
  return desired.parent === undefined ? 0 : 1;
}

/** Plans again after a dry run on a copy: what is left then, the steps would not reach. */
function dryRunPlan(
  { manifest, snapshot, options }: PlanInput,
  made: Pick<Plan, 'steps' | 'refusals' | 'diagnostics'>,
): PlanDiagnostic[] {
  // What cannot be carried out anyway need not be tried.
  const isStuck =
    made.diagnostics.some((one) => one.severity === 'error') ||
    made.refusals.some((one) => SKIPS_DRY_RUN.includes(one.rule));
  if (made.steps.length === 0 || isStuck) return [];
  const { snapshot: after, problems } = dryRun(manifest, snapshot, made.steps);
  const left = decideAll({ manifest, snapshot: after, options }).drafts.map((draft): PlanDiagnostic => {
    const paths = draft.changes.map((change) => change.path).join(', ');
    const what = paths === '' ? draft.action : `${draft.action} of ${paths}`;
    return notConverging(draft.address, `after its steps ${draft.address} would still need: ${what}`);
  });
  return [...problems.map((problem) => notConverging(null, problem)), ...left];
}

/** Safety rules that stop a plan because its steps cannot all be carried out. */
const SKIPS_DRY_RUN: readonly string[] = [
  'circular-order',
  'foreign-object',
  'value-kept',
  'still-referenced',
  'release-inside',
];

function notConverging(address: string | null, message: string): PlanDiagnostic {
  return { code: 'would-not-converge', severity: 'error', address, message };
}

/** Digest of all that the plan says, but for where its lines stand in a file. */
export function fingerprintPlan({ fingerprint: _, steps, ...rest }: Plan): string {
  const bare = steps.map(({ source: _source, ...step }) => step);
  return sha256(canonicalJson({ ...rest, steps: bare } as unknown as Json));
}

type Surroundings = Omit<PlanInput, 'service'> & Pick<PlanContext, 'missing'>;

function contextOf(matched: Match, { manifest, snapshot, options, missing }: Surroundings): PlanContext {
  const paired = new Map<string, LiveResource>();
  for (const { desired, live } of matched.pairs) if (live !== undefined) paired.set(desired.address, live);
  // What refers to an object whose marker was removed goes on referring to it.
  for (const { live, address } of matched.unclear)
    if (address !== null && !paired.has(address)) paired.set(address, live);
  const replaced = new Set<string>();
  for (const pair of matched.pairs) {
    const parentGoes = pair.desired.parent !== undefined && replaced.has(pair.desired.parent);
    if (pair.live !== undefined && (parentGoes || needsReplacement(pair, paired, options)))
      replaced.add(pair.desired.address);
  }
  const known = new Map([...paired].filter(([address]) => !replaced.has(address)));
  const leftovers = options.targets.length === 0 ? matched.orphans : [];
  const lost = matched.pairs.flatMap(({ desired, live }) => (replaced.has(desired.address) && live ? [live] : []));
  const gone = new Set([...leftovers, ...lost].map((live) => live.id));
  const present = new Set(snapshot.resources.map((live) => live.id));
  return {
    stack: manifest.stack,
    options,
    known,
    replaced,
    deletedIds: gone,
    present,
    children: groupBy(snapshot.resources, ({ parentId }) => parentId),
    missing,
  };
}

/** Deletions and releases; an object inside a deleted one goes with it and has no step of its own (§4, cascade). */
function removalDrafts(matched: Match, { moved }: Manifest, { options, deletedIds }: PlanContext): StepDraft[] {
  const takers = new Map(matched.pairs.flatMap(({ desired, live }) => (live ? [[live.id, desired.address]] : [])));
  const owned = matched.pairs.flatMap(({ live }) => live ?? []);
  const heirs = replacedAmong([...owned, ...matched.orphans], originsOf(moved));
  // What goes together with the object in its place goes because no block asks for either.
  const heirOf = ({ id }: LiveResource): Successor | undefined => {
    const live = heirs.get(id);
    const address = takers.get(live?.id ?? '');
    return live === undefined || address === undefined ? undefined : { live, address };
  };
  const asked = new Map(matched.pairs.map(({ desired, live }) => [desired.address, live?.id]));
  const doubled = redundantAddresses(matched);
  const reasonFor = (live: LiveResource) => {
    if (options.destroy) return 'the stack is destroyed';
    if (heirOf(live) !== undefined) return 'the old object of an unfinished replacement';
    const other = asked.get(doubled.get(live.id) ?? live.marker?.address ?? '');
    return other === undefined ? 'no longer in the manifest' : `${other} is the object of this address`;
  };
  const inside = groupBy(matched.orphans, ({ parentId }) => parentId);
  const deletions = matched.orphans
    .filter((live) => live.parentId === undefined || !deletedIds.has(live.parentId))
    .map((live) => {
      const successor = heirOf(live);
      return deletion({
        live,
        children: inside.get(live.id) ?? [],
        reason: reasonFor(live),
        ...(successor && { successor }),
      });
    });
  return [...deletions, ...matched.released.map((live) => release(live))];
}

function toSteps({ drafts, dependsOn }: Ordered): Step[] {
  const idByKey = new Map(drafts.map((draft, index) => [draft.key, `s${index + 1}`]));
  return drafts.map((draft) => ({
    id: idByKey.get(draft.key) ?? '',
    action: draft.action,
    ...(draft.phase && { phase: draft.phase }),
    address: draft.address,
    kind: draft.kind.name,
    live_id: draft.live?.id ?? null,
    reason: draft.reason,
    source: draft.source,
    ...(draft.loss !== undefined && { loss: draft.loss }),
    ...(draft.deletedOutside && { deleted_outside: draft.deletedOutside }),
    depends_on: (dependsOn.get(draft.key) ?? []).flatMap((key) => idByKey.get(key) ?? []),
    ...fingerprintsOf(draft),
    changes: draft.changes,
    requests: draft.requests,
  }));
}

function fingerprintsOf({ kind, live, children }: StepDraft): Pick<Step, 'precondition' | 'seen'> {
  if (live === undefined) return { precondition: null };
  const seen = fingerprintFields(kind, live, { children });
  return { precondition: fingerprintObject(live, seen), seen };
}
