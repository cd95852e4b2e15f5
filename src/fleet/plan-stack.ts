// The plan of one stack of a fleet: what it would be alone, with what the plans of the other stacks tell of imports, of objects that
// they take, and of values that they give up. A saved plan is compared once, with a plan that knows all of that: what the run itself does
// before is no change by somebody else.

import { disposedAs } from '../plan/match/disposition.ts';
import { analyse, type PlanInput } from '../plan/build.ts';
import type { LostTogether } from '../plan/account.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { LiveJudges } from '../plan/plan-options.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { importsIn } from '../plan/match/imports.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { withFileProblems } from '../reconcile/plan.ts';
import type { RunInput } from '../reconcile/run.ts';
import { recheckSavedPlan } from '../reconcile/saved-plan.ts';
import { failed, type FailedStack } from './fleet.ts';
import type { KnownImport } from './order.ts';
import type { Side } from '../plan/notices/find-moves.ts';
import type { OpenStack } from './service.ts';
import { takenBesides, transferredFrom } from './transfers.ts';

/** A stack with a new plan, as far as it knows what the other stacks do. */
export interface AnalysedStack extends OpenStack {
  readonly newPlan: Plan;
  readonly drafts: readonly StepDraft[];
  /** What the new plan deletes and creates; undefined where it does neither. */
  readonly side?: Side | undefined;
}

/** A stack with its plan: a new one, or what is left of a saved one. */
export interface PlannedStack extends OpenStack {
  readonly plan: Plan;
  readonly drafts: readonly StepDraft[];
}

/** A stack that was planned, or could not be. */
export type StackPlan = PlannedStack | FailedStack;

/** Who imports, and the address or the id of what. */
export type Importer = Pick<KnownImport, 'to' | 'address'>;

/** What the plan of one stack has to know of the others. */
export interface OtherStacks {
  readonly destroy: boolean;
  /** What the stacks do that must be done before, by their names. */
  readonly before: ReadonlyMap<string, readonly Step[]>;
  readonly imports: readonly KnownImport[];
  /** Imports of its own objects that stay. */
  readonly importers: readonly Importer[];
  /** Names of the stacks of the fleet at its service. */
  readonly siblings: ReadonlySet<string>;
  /** The manifests there that take objects from others. */
  readonly takers: readonly Manifest[];
  /** What the journals of the stacks there know, while the service has none of it. */
  readonly lostTogether?: LostTogether | undefined;
  readonly liveJudges?: LiveJudges | undefined;
}

/** The plan of a stack among the others. */
export function analyseAmong(open: OpenStack, others: OtherStacks): AnalysedStack | FailedStack {
  const snapshot = others.destroy ? withoutDeleted(open.preview.snapshot, others.before) : open.preview.snapshot;
  const { input } = open.preview;
  const preview = {
    ...open.preview,
    input: { ...input, snapshot, options: { ...input.options, destroy: others.destroy } },
  };
  return analyseStack(
    { ...open, preview },
    {
      importedBy: new Map(others.importers.map(({ to, address }) => [address, to])),
      pendingImports: pendingImports(open, others),
      transferredElsewhere: transferredFrom(open.run.manifest, snapshot, others.takers),
      takenBesides: takenBesides(open.run.manifest, snapshot, others.takers),
      siblings: others.siblings,
      entry: open.name,
      ...(others.liveJudges && { liveJudges: others.liveJudges }),
      ...(others.lostTogether && { lostTogether: others.lostTogether }),
    },
  );
}

/** The plan, knowing more of what the other stacks do. */
export function analyseStack(open: OpenStack, more: RunInput['elsewhere']): AnalysedStack | FailedStack {
  const elsewhere = { ...open.run.elsewhere, ...more };
  const { input } = open.preview;
  const known: PlanInput = { ...input, options: { ...input.options, ...elsewhere } };
  try {
    const { plan: newPlan, drafts, matched } = analyse(known);
    const run = { ...open.run, elsewhere };
    return { ...open, run, preview: { ...open.preview, input: known }, newPlan, drafts, side: sideOf(open, matched) };
  } catch (error) {
    return failed(open.stack, error);
  }
}

/** The stack, or none for one that failed. */
export function plannedIn<Stack extends OpenStack>(planned: Stack | FailedStack | undefined): Stack[] {
  return planned === undefined || 'failure' in planned ? [] : [planned];
}

/** What a whole plan deletes and creates; undefined where it does neither. */
function sideOf({ run }: Pick<OpenStack, 'run'>, matched: Side['matched']): Side | undefined {
  const isWhole = run.options.targets.length === 0;
  const hasOrphans = disposedAs(matched.dispositions, 'orphan').length > 0;
  const isOpen = hasOrphans || matched.pairs.some(({ live }) => live === undefined);
  return isWhole && isOpen ? { manifest: run.manifest, matched } : undefined;
}

/** The steps of a new plan that are carried out: beside a saved plan, those that it has, too. */
export function stepsToDo({ stack: { saved }, newPlan }: AnalysedStack): readonly Step[] {
  if (saved === undefined) return newPlan.steps;
  const known = new Set(saved.steps.map(keyOf));
  return newPlan.steps.filter((step) => known.has(keyOf(step)));
}

function keyOf({ action, address, live_id: id }: Step): string {
  return `${action} ${address} ${id ?? ''}`;
}

/** The plan with problems of its files; in place of a new one, the saved plan as far as it may still be done. */
export function withItsPlan({ newPlan, ...analysed }: AnalysedStack): StackPlan {
  const { stack, run, preview } = analysed;
  try {
    const plan =
      stack.saved === undefined
        ? withFileProblems(newPlan, run, preview.problem)
        : recheckSavedPlan(stack.saved, preview.input);
    return { ...analysed, plan };
  } catch (error) {
    return failed(stack, error);
  }
}

/** Imports of what a plan before this one is about to create or take over. */
function pendingImports({ run, preview }: OpenStack, { imports, before }: OtherStacks): ReadonlySet<string> {
  const { known } = importsIn(run.manifest, preview.snapshot);
  const isPlanned = ({ from, address }: KnownImport) =>
    before.get(from)?.some((step) => step.address === address && !isRemoval(step)) === true;
  return new Set(imports.filter((link) => !known.has(link.as) && isPlanned(link)).map(({ as }) => as));
}

/** Stacks that are destroyed before no longer use the objects of this one. */
function withoutDeleted(snapshot: Snapshot, before: OtherStacks['before']): Snapshot {
  const deleted = new Set([...before.values()].flatMap((steps) => steps.flatMap((step) => step.live_id ?? [])));
  const resources = snapshot.resources.filter(({ id, parentId = '' }) => !deleted.has(id) && !deleted.has(parentId));
  return { ...snapshot, resources };
}
