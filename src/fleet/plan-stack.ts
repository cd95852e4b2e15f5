// The plan of one stack of a fleet: what it would be alone, with what the plans of the other stacks tell of imports, of objects that
// they take, and of values that they give up.

import { analyse, type PlanInput } from '../plan/build.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import { isRemoval } from '../plan/fingerprint.ts';
import { importsIn } from '../plan/match/imports.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { withFileProblems } from '../reconcile/plan.ts';
import type { RunInput } from '../reconcile/run.ts';
import { recheckSavedPlan } from '../reconcile/saved-plan.ts';
import { failed, type FailedStack } from './fleet.ts';
import type { KnownImport } from './order.ts';
import type { OpenStack } from './service.ts';
import { transferredFrom } from './transfers.ts';

/** A stack with its plan. */
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
  /** Plans of the stacks that must be done before, by their names. */
  readonly before: ReadonlyMap<string, Plan>;
  readonly imports: readonly KnownImport[];
  /** Imports of its own objects that stay. */
  readonly importers: readonly Importer[];
  /** Names of the stacks of the fleet at its service. */
  readonly siblings: ReadonlySet<string>;
  /** The manifests there that take objects from others. */
  readonly takers: readonly Manifest[];
}

/** The plan of a stack among the others. */
export function planAmong(open: OpenStack, others: OtherStacks): StackPlan {
  const snapshot = others.destroy ? withoutDeleted(open.preview.snapshot, others.before) : open.preview.snapshot;
  const { input } = open.preview;
  const preview = {
    ...open.preview,
    input: { ...input, snapshot, options: { ...input.options, destroy: others.destroy } },
  };
  return planStack(
    { ...open, preview },
    {
      importedBy: new Map(others.importers.map(({ to, address }) => [address, to])),
      pendingImports: pendingImports(open, others),
      transferredElsewhere: transferredFrom(open.run.manifest, snapshot, others.takers),
      siblings: others.siblings,
      entry: open.name,
    },
  );
}

/** The plan, knowing more of what the other stacks do. */
export function planStack(open: OpenStack, more: RunInput['elsewhere']): StackPlan {
  const elsewhere = { ...open.run.elsewhere, ...more };
  const { input } = open.preview;
  const known: PlanInput = { ...input, options: { ...input.options, ...elsewhere } };
  try {
    const { plan, drafts } = analyse(known);
    return {
      ...open,
      run: { ...open.run, elsewhere },
      preview: { ...open.preview, input: known },
      plan: shownPlan(open, plan, known),
      drafts,
    };
  } catch (error) {
    return failed(open.stack, error);
  }
}

/** The plan with problems of its files; in place of a new one, the saved plan as far as it may still be done. */
function shownPlan({ stack, run, preview }: OpenStack, plan: Plan, input: PlanInput): Plan {
  return stack.saved === undefined
    ? withFileProblems(plan, run, preview.problem)
    : recheckSavedPlan(stack.saved, input);
}

/** Imports of what a plan before this one is about to create or take over. */
function pendingImports({ run, preview }: OpenStack, { imports, before }: OtherStacks): ReadonlySet<string> {
  const { known } = importsIn(run.manifest, preview.snapshot);
  const isPlanned = ({ from, address }: KnownImport) =>
    before.get(from)?.steps.some((step) => step.address === address && !isRemoval(step)) === true;
  return new Set(imports.filter((link) => !known.has(link.as) && isPlanned(link)).map(({ as }) => as));
}

/** Stacks that are destroyed before no longer use the objects of this one. */
function withoutDeleted(snapshot: Snapshot, before: ReadonlyMap<string, Plan>): Snapshot {
  const deleted = new Set([...before.values()].flatMap(({ steps }) => steps.flatMap((step) => step.live_id ?? [])));
  const resources = snapshot.resources.filter(({ id, parentId = '' }) => !deleted.has(id) && !deleted.has(parentId));
  return { ...snapshot, resources };
}
