// Decides for a whole manifest: matches live objects, decides for each resource, and removes the rest.

import { kindByName } from '../catalog/lookup.ts';
import { groupBy, partition } from '../core/group.ts';
import { perObject } from '../core/lazy.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { originsOf } from '../resource/marker/moves.ts';
import { otherOwner } from '../resource/marker/ownership.ts';
import { replacedAmong } from '../resource/marker/succession.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import { decide, needsReplacement } from './decide/decide.ts';
import type { Decision } from './decide/decision.ts';
import { release, removalOf } from './decide/removal.ts';
import { returnedOnceLoss } from './decide/returned-once.ts';
import type { StepDraft, Successor } from './decide/step-draft.ts';
import { foreignChildrenIn, type ForeignChild } from './match/foreign-children.ts';
import { disposedAs, isListedRemoval, redundantAddresses } from './match/disposition.ts';
import { match, type Match, type Pair } from './match/match.ts';
import { explainMissing } from './match/missing-objects.ts';
import { withDoors } from './door-exposures.ts';
import { childrenFirst } from './order/order.ts';
import type { Blocked } from './plan.ts';
import type { PlanOptions, PlanContext } from './plan-options.ts';
import type { Reason } from './step-facts.ts';
import { withoutUnsupported } from './policies/unsupported-steps.ts';
import { addressesIn } from '../resource/references.ts';
import { DESTROYED, exclusiveParent, NOT_IN_MANIFEST, notOfAddress, UNFINISHED_REPLACEMENT } from './decide/reason.ts';

interface DecideInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
}

export interface Decided {
  readonly matched: Match;
  /** The whole manifest, including what the plan leaves out. */
  readonly all: Match;
  readonly context: PlanContext;
  readonly decisions: readonly Decision[];
  readonly blocked: readonly Blocked[];
  readonly drafts: readonly StepDraft[];
  /** Foreign children: those that a draft deletes, and those that stay. */
  readonly foreign: { readonly deleted: readonly ForeignChild[]; readonly left: readonly ForeignChild[] };
}

/** Decides for every resource. */
export function decideAll({ manifest, snapshot: whole, options }: DecideInput): Decided {
  const read = withoutTransferred(whole, options.transferredElsewhere);
  // Objects outside the targets are kept, so the whole manifest is matched.
  const all = match(manifest, manifest.resources, read);
  const { snapshot } = all;
  const matched = options.destroy ? match(manifest, [], snapshot) : selectTargets(all, manifest, options.targets);
  const pairs = [...all.pairs].sort((a, b) => depthOf(a) - depthOf(b));
  const { ownership } = all;
  const isNamed = namedIn(all);
  const pasts = explainMissing({ manifest, snapshot, ownership, pairs, isNamed, journal: options.journal });
  const context = contextOf(matched, { manifest, snapshot, options, missing: pasts });
  const decisions = matched.pairs.map((pair) => decide(pair, context));
  const removals = options.targets.length === 0 ? removalDrafts(matched, manifest, context) : [];
  const wanted = [...decisions.flatMap((decision) => decision.drafts), ...removals];
  const own = withoutUnsupported(wanted, options.capabilities);
  const { expulsions, ...foreign } = options.destroy
    ? expelDestroyed(all, orphansIn(matched))
    : expel(matched, own.drafts, options);
  const possible = withoutUnsupported([...own.drafts, ...expulsions], options.capabilities);
  return {
    matched,
    all,
    context,
    decisions,
    blocked: [...decisions.flatMap((decision) => decision.blocked), ...own.blocked, ...possible.blocked],
    drafts: withDoors(childrenFirst(possible.drafts), { pairs: all.pairs, children: context.children }),
    foreign,
  };
}

/** Whether a block asks for the object, or `removed` lists it. */
function namedIn({ dispositions }: Match): (live: LiveResource) => boolean {
  const named = disposedAs(dispositions, 'kept', 'contested', 'released').map(({ live }) => live.id);
  const ids = new Set(named);
  return (live) => ids.has(live.id) || isListedRemoval(dispositions, live);
}

const orphansIn = perObject(({ dispositions }: Match): readonly LiveResource[] =>
  disposedAs(dispositions, 'orphan').map(({ live }) => live),
);

/** The foreign children that are deleted, by which drafts, and those that stay; a plan with targets deletes none. */
function expel(matched: Match, drafts: readonly StepDraft[], { targets }: PlanOptions) {
  const foreign = foreignChildrenIn(matched);
  const held = targets.length === 0 ? heldAddresses(matched, drafts) : undefined;
  const [deleted, left] = partition(
    foreign,
    ({ isExpendable, parent }) => isExpendable && held?.has(parent.address) === true,
  );
  return { expulsions: deleted.map((child) => expulsion(child)), deleted, left };
}

/** A parent that is destroyed is as exclusive as its block says; a foreign child of any other is in the way of its deletion. */
function expelDestroyed(all: Match, destroyed: readonly LiveResource[]) {
  const parents = new Set(destroyed.map(({ id }) => id));
  const deleted = foreignChildrenIn(all).filter(
    ({ isExpendable, live }) => isExpendable && parents.has(live.parentId ?? ''),
  );
  return { expulsions: deleted.map((child) => expulsion(child)), deleted, left: [] };
}

/** The deletion of a foreign child of an exclusive parent. */
function expulsion({ live, address, parent }: ForeignChild): StepDraft {
  const reason = exclusiveParent(parent.address);
  return { ...removalOf({ live, address, children: [], reason }), isForeignChild: true };
}

/** Addresses of objects that are the stack's, or that a draft adopts. */
function heldAddresses({ pairs, ownership }: Match, drafts: readonly StepDraft[]): ReadonlySet<string> {
  const owned = pairs.filter(({ live }) => live !== undefined && ownership.isOurs(live));
  const adopting = drafts.filter(({ action }) => action === 'adopt');
  return new Set([...owned.map(({ desired }) => desired.address), ...adopting.map(({ address }) => address)]);
}

/** The live state with the objects that other stacks of the same run take as theirs already: whichever comes first, none is lost. */
function withoutTransferred(snapshot: Snapshot, taken: PlanOptions['transferredElsewhere']): Snapshot {
  if (taken === undefined || taken.size === 0) return snapshot;
  const resources = snapshot.resources.map((live) => {
    const next = taken.get(live.id);
    return next === undefined || live.marker === undefined ? live : { ...live, marker: { ...live.marker, ...next } };
  });
  return { ...snapshot, resources };
}

/** 0 for parents, 1 for children. */
function depthOf({ desired }: Pair): number {
  return desired.parent === undefined ? 0 : 1;
}

type Surroundings = DecideInput & Pick<PlanContext, 'missing'>;

function contextOf(matched: Match, { manifest, snapshot, options, missing }: Surroundings): PlanContext {
  const paired = new Map<string, LiveResource>();
  // What is pending is known after apply, even if something like it exists by now.
  for (const [address, live] of matched.imports.known)
    if (options.pendingImports?.has(address) !== true) paired.set(address, live);
  for (const { desired, live } of matched.pairs) if (live !== undefined) paired.set(desired.address, live);
  const replaced = replacedIn(matched.pairs, paired, options);
  const known = new Map([...paired].filter(([address]) => !replaced.has(address)));
  const leftovers = options.targets.length === 0 ? orphansIn(matched) : [];
  const lost = matched.pairs.flatMap(({ desired, live }) => (replaced.has(desired.address) && live ? [live] : []));
  const gone = new Set([...leftovers, ...lost].map((live) => live.id));
  const present = new Set(snapshot.resources.map((live) => live.id));
  return {
    stack: manifest.stack,
    options,
    known,
    transferredFrom: (live) => {
      const status = matched.ownership.of(live);
      return status.is === 'transferred' ? otherOwner(status)?.stack : undefined;
    },
    replaced,
    deletedIds: gone,
    present,
    children: groupBy(snapshot.resources, ({ parentId }) => parentId),
    missing,
  };
}

/** Addresses whose objects are replaced, with what is inside them. */
function replacedIn(
  pairs: readonly Pair[],
  known: ReadonlyMap<string, LiveResource>,
  options: PlanOptions,
): ReadonlySet<string> {
  const replaced = new Set<string>();
  for (const pair of pairs) {
    const { address, parent } = pair.desired;
    const parentGoes = parent !== undefined && replaced.has(parent);
    if (pair.live !== undefined && (parentGoes || needsReplacement(pair, known, options))) replaced.add(address);
  }
  return replaced;
}

/** Deletions and releases; a child of a deleted object has no step of its own, because the deletion cascades (§4). */
function removalDrafts(matched: Match, { moved }: Manifest, context: PlanContext): StepDraft[] {
  const { options, deletedIds } = context;
  const successorOf = successorsIn(matched, moved);
  const reasonFor = removalReasons(matched, options, successorOf);
  const orphans = orphansIn(matched);
  const inside = groupBy(orphans, ({ parentId }) => parentId);
  const deletions = orphans
    .filter(({ parentId }) => parentId === undefined || !deletedIds.has(parentId))
    .map((live) => {
      const successor = successorOf(live);
      return removalOf({
        live,
        children: inside.get(live.id) ?? [],
        reason: reasonFor(live),
        once: returnedOnceLoss(kindByName(live.kind), live, options),
        ...(successor && { successor }),
      });
    });
  return [...deletions, ...disposedAs(matched.dispositions, 'released').map(({ live }) => release(live))];
}

type SuccessorOf = (live: LiveResource) => Successor | undefined;

/**
 * The object that a block has in place of another one, however often that was replaced. What is deleted together with all that
 * replaced it is deleted because no block asks for any of them.
 */
function successorsIn(matched: Match, moved: Manifest['moved']): SuccessorOf {
  const { pairs } = matched;
  const addresses = new Map(pairs.flatMap(({ desired, live }) => (live ? [[live.id, desired.address]] : [])));
  const owned = pairs.flatMap(({ live }) => live ?? []);
  const successors = replacedAmong([...owned, ...orphansIn(matched)], originsOf(moved));
  const successorOf: SuccessorOf = ({ id }) => {
    const live = successors.get(id);
    if (live === undefined) return undefined;
    const address = addresses.get(live.id);
    return address === undefined ? successorOf(live) : { live, address };
  };
  return successorOf;
}

function removalReasons(
  matched: Match,
  options: PlanOptions,
  successorOf: SuccessorOf,
): (live: LiveResource) => Reason {
  const taken = new Map(matched.pairs.map(({ desired, live }) => [desired.address, live?.id]));
  const redundant = redundantAddresses(matched.dispositions);
  return (live) => {
    if (options.destroy) return DESTROYED;
    if (successorOf(live) !== undefined) return UNFINISHED_REPLACEMENT;
    const other = taken.get(redundant.get(live.id) ?? live.marker?.address ?? '');
    return other === undefined ? NOT_IN_MANIFEST : notOfAddress(other);
  };
}

/** The match for the targets and what they refer to; the whole match without targets. Never adds deletions. */
function selectTargets(all: Match, { resources }: Manifest, targets: readonly string[]): Match {
  if (targets.length === 0) return all;
  const wanted = new Set(withTargets(resources, targets).map((resource) => resource.address));
  return {
    ...all,
    pairs: all.pairs.filter(({ desired }) => wanted.has(desired.address)),
    duplicates: new Map([...all.duplicates].filter(([address]) => wanted.has(address))),
    diagnostics: all.diagnostics.filter(({ address }) => address === undefined || wanted.has(address)),
  };
}

/** The targets with their children, parents and everything they refer to. */
function withTargets(resources: readonly DesiredResource[], targets: readonly string[]): readonly DesiredResource[] {
  const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
  const wanted = new Set<string>();
  const queue = resources
    .filter((r) => targets.some((target) => r.address === target || r.parent === target))
    .map((r) => r.address);
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    const resource = byAddress.get(address);
    if (resource === undefined || wanted.has(address)) continue;
    wanted.add(address);
    queue.push(...addressesIn(resource.spec), ...(resource.parent === undefined ? [] : [resource.parent]));
  }
  return resources.filter((resource) => wanted.has(resource.address));
}
