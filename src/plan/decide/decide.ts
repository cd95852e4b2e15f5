// Decides for one resource of the manifest: nothing, create, update, adopt or replace, with the requests.

import { rangeText, type Diagnostic } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import type { ValueObject } from '../../core/value.ts';
import { ID } from '../../catalog/fields/common.ts';
import { writeMarker } from '../../resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import { effectiveSpec } from '../../resource/carry.ts';
import { checkFilledTexts } from './filled-texts.ts';
import { changesOf, creationChanges, droppingDiffs, metadataChange, realDiffs, unsentSecrets } from './changes.ts';
import type { PlanContext } from '../plan-options.ts';
import { compareFields, differsForGood, type FieldDiff } from '../../resource/diff.ts';
import { saltOf } from '../../resource/digests.ts';
import { changedClaims, importsCarried, referencedAfter } from './effects.ts';
import { BARE_DRAFT, draftKey, type StepDraft } from './step-draft.ts';
import { checkText, withKeptDigests, markerFor, reasonToRewrite, withReplaced, userText } from './marker.ts';
import { creationMarker } from '../../resource/marker/pending.ts';
import type { Pair } from '../match/match.ts';
import { returnedOnceLoss } from './returned-once.ts';
import { outdatedFields, unappliedFields } from './outdated-digests.ts';
import type { Action, Blocked, Change } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import { escapeText } from '../../core/text/template.ts';
import { attributePlaceholder } from '../../resource/placeholder.ts';
import { addressesIn, idsIn } from '../../resource/references.ts';
import { lossOfReplacement, removalOf } from './removal.ts';
import { createRequests, updateRequests, updateObstacles, type UpdateRequests } from './requests.ts';
import { resolveSpec } from '../../resource/resolve.ts';
import { secretValues, uniqueKeys } from '../../resource/uniques.ts';
import { createOnly, deletedOutside, differs, NOT_IN_SERVICE, parentReplaced, REPLACED } from './reason.ts';

/** The decision for one resource; without drafts, nothing needs to be done. */
export interface Decision {
  readonly drafts: readonly StepDraft[];
  readonly blocked: readonly Blocked[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Nothing to do and nothing to report. */
const NOTHING: Decision = { drafts: [], blocked: [], diagnostics: [] };

/** True when a create-only field differs, so that the object must be replaced. */
export function needsReplacement(
  pair: Pair,
  known: PlanContext['known'],
  held: Pick<PlanContext['options'], 'stored' | 'journal'>,
): boolean {
  const { live, kind, desired } = pair;
  if (live === undefined) return false;
  if (returnedOnceLoss(kind, live, held) !== undefined) return true;
  return differsForGood(kind, () => resolveSpec(desired.spec, known), live, desired.lifecycle.ignoreChanges);
}

export function decide(pair: Pair, context: PlanContext): Decision {
  const { kind, desired } = pair;
  const spec = resolveSpec(desired.spec, context.known);
  const decision = decideFilled(pair, spec, context);
  const problems = checkFilledTexts({ kind, address: desired.address, written: desired.spec, filled: spec });
  return problems.length === 0 ? decision : { ...decision, diagnostics: [...decision.diagnostics, ...problems] };
}

function decideFilled(pair: Pair, spec: ValueObject, context: PlanContext): Decision {
  const { desired, live } = pair;
  const next = live === undefined ? spec : effectiveSpec(pair.kind, spec, live, desired.lifecycle.ignoreChanges);
  const marker = lazy(() => markerFor(context.stack, desired, pair.kind, spec));
  const facts: DecisionInput = { pair, spec, next, context, marker };
  const lostWithParent = desired.parent !== undefined && context.replaced.has(desired.parent);
  if (live !== undefined && !lostWithParent) return decideExisting(facts, live);
  const { parent = '' } = desired;
  const made = creation(facts, 'create', lostWithParent ? parentReplaced(parent) : NOT_IN_SERVICE);
  return { ...NOTHING, drafts: [{ ...made, ...deletedOutsideReason(facts) }], diagnostics: checkNewMetadata(facts) };
}

/** The reason of a creation whose object was deleted outside. */
function deletedOutsideReason({
  pair,
  context,
}: DecisionInput): Pick<StepDraft, 'reason' | 'deletedOutside'> | undefined {
  const past = context.missing.get(pair.desired.address);
  if (past?.is !== 'deleted') return undefined;
  const { id, evidence } = past;
  return { reason: deletedOutside(evidence), deletedOutside: { live_id: id, evidence } };
}

/** Problems with the length of a new object's metadata; `replaces` is the id that its marker records. */
function checkNewMetadata(facts: DecisionInput, replaces?: string): Diagnostic[] {
  const { kind, desired } = facts.pair;
  const settled = withReplaced(facts.marker(), replaces);
  const marker = { ...settled, applied: { ...settled.applied, ...creationMarker(settled, kind).applied } };
  return checkText(kind, desired.address, { next: facts.next, marker, spec: facts.spec, isNew: true });
}

function decideExisting(facts: DecisionInput, live: LiveResource): Decision {
  const { pair, spec, context } = facts;
  const { kind, desired } = pair;
  const salt = appliedSalt(live, context.stack, desired.address);
  const compared = compareFields(kind, spec, live, desired.lifecycle.ignoreChanges);
  const real = realDiffs(compared, live, salt);
  const diffs = [...real, ...droppingDiffs(compared, context.deletedIds)];
  if (context.replaced.has(desired.address)) return replacement(facts, live, diffs);
  return update(facts, live, { diffs, same: compared.filter((diff) => !real.includes(diff)), salt });
}

/** Salt of the digests in an object's marker: after a rename, that of its old address. */
function appliedSalt({ marker }: LiveResource, stack: string, address: string): string {
  return saltOf(marker ?? { stack, address });
}

interface DecisionInput {
  readonly pair: Pair;
  /** The spec with every known reference filled in. */
  readonly spec: ValueObject;
  /** The spec that the service will have: with live values for ignored paths, even in a new object. */
  readonly next: ValueObject;
  readonly context: PlanContext;
  /** The marker for the desired state; slow, because of the digests. */
  readonly marker: () => Marker;
}

function creation(facts: DecisionInput, action: 'create' | 'replace', reason: Reason, replaces?: string): StepDraft {
  const { pair, next: spec, context } = facts;
  const { kind, desired } = pair;
  const user = userText(spec);
  const { address, parent } = desired;
  const parentId = parent === undefined ? undefined : context.known.get(parent)?.id;
  const phase = action === 'replace' ? 'create' : undefined;
  const own = withReplaced(facts.marker(), replaces);
  const settled = withKeptDigests(own, pair.live?.marker, kind, unappliedFields(facts));
  const requests = createRequests({
    kind,
    address,
    parentId: parentId ?? (parent && attributePlaceholder(parent, ID)),
    spec,
    metadata: writeMarker(user, creationMarker(settled, kind)),
    finalMetadata: writeMarker(user, settled),
  });
  return {
    ...BARE_DRAFT,
    key: draftKey(address, action, phase),
    action,
    ...(phase && { phase }),
    address,
    kind,
    live: undefined,
    reason,
    source: rangeText(desired.range()),
    changes: creationChanges(spec),
    requests,
    imports: importsCarried(desired, requests),
    references: [...addressesIn(spec), ...(parent === undefined || parentId !== undefined ? [] : [parent])],
    referencedIds: idsIn(kind.fields, spec),
    claims: uniqueKeys(kind, spec, parentId ?? parent),
    secretClaims: secretValues(kind, spec, parentId ?? parent),
    after: afterMoveOfParent(facts),
  };
}

/** A child is written only when its parent is ours. */
function afterMoveOfParent({ pair: { desired }, context }: DecisionInput): readonly string[] {
  const { parent = '' } = desired;
  const live = context.known.get(parent);
  return live === undefined || context.transferredFrom(live) === undefined ? [] : [draftKey(parent, 'adopt')];
}

/** The fields of a live object compared with the manifest. */
interface Compared {
  readonly diffs: readonly FieldDiff[];
  readonly same: readonly FieldDiff[];
  /** Salt of the digests in the object's marker. */
  readonly salt: string;
}

function update(facts: DecisionInput, live: LiveResource, compared: Compared): Decision {
  const { kind, desired } = facts.pair;
  const held = heldFields(facts, live, compared);
  const rewrite = rewriteOf(facts, live, compared, held);
  if (compared.diffs.length === 0 && rewrite.reason === undefined) return NOTHING;
  const marker = nextMarker(facts, live, held);
  const metadata = writeMarker(userText(facts.next), marker);
  // Changes that are impossible are no reason to write.
  const isIdle = compared.diffs.length === held.unsendable.length && rewrite.reason === undefined;
  const isSame = isIdle || metadata === escapeText(live.metadata);
  const planned = updateRequests({
    kind,
    address: desired.address,
    live,
    effective: facts.next,
    diffs: compared.diffs,
    metadata: isSame ? undefined : metadata,
    capabilities: facts.context.options.capabilities,
    deletedIds: facts.context.deletedIds,
  });
  const changesIn = (isIncluded: (name: string) => boolean) =>
    compared.diffs.flatMap((diff) =>
      isIncluded(diff.name) ? changesOf(diff, live, compared.salt, planned.switchedOff[diff.name]) : [],
    );
  const blocked = planned.blocked.map((obstacle) => ({
    ...obstacle,
    changes: changesIn((name) => name === obstacle.path.split('.')[0]),
  }));
  if (planned.requests.length === 0) return { drafts: [], blocked, diagnostics: [] };
  const changes = changesIn((name) => !held.unsendable.includes(name));
  const draft = updateDraft(facts, live, { ...rewrite, changes, planned, unsendable: held.unsendable });
  const texts = { next: facts.next, marker, spec: facts.next };
  return { drafts: [draft], blocked, diagnostics: isSame ? [] : checkText(kind, desired.address, texts) };
}

/** Fields that an update does not send, by the reason; their digests stay those of what was applied. */
interface HeldFields {
  /** The service cannot make the change. */
  readonly unsendable: readonly string[];
  /** The manifest's value is ignored. */
  readonly ignored: readonly string[];
}

function heldFields(facts: DecisionInput, live: LiveResource, compared: Compared): HeldFields {
  const { capabilities } = facts.context.options;
  const { kind } = facts.pair;
  const obstacles = updateObstacles({ kind, live, effective: facts.next, diffs: compared.diffs, capabilities });
  return { unsendable: [...obstacles.keys()], ignored: unsentFields(facts, live, compared) };
}

/** Why the marker or the user's text is written anew, whatever the fields say. */
interface Rewrite {
  readonly reason: Reason | undefined;
  readonly textChanges: readonly Change[];
  /** The stack that the object is taken over from. */
  readonly fromStack: string | undefined;
}

function rewriteOf(facts: DecisionInput, live: LiveResource, compared: Compared, held: HeldFields): Rewrite {
  const { pair, context } = facts;
  const { kind, desired } = pair;
  const { diffs, same, salt } = compared;
  const applied = same.filter((diff) => !held.ignored.includes(diff.name));
  const isSent = diffs.length > held.unsendable.length;
  const fromStack = context.transferredFrom(live);
  const textChanges = metadataChange(facts.next, live);
  const reason = reasonToRewrite(
    live.marker,
    { stack: context.stack, desired, kind },
    {
      isTransfer: fromStack !== undefined,
      textChanges,
      outdated: () => (isSent ? [] : outdatedFields(desired, live, { same: applied, salt })),
    },
  );
  return { reason, textChanges, fromStack };
}

/** The marker after the update; fields that are not sent keep the digests of what was applied. */
function nextMarker(facts: DecisionInput, live: LiveResource, { unsendable, ignored }: HeldFields): Marker {
  const { present } = facts.context;
  const replaced = live.marker?.replaces ?? '';
  // While the replaced object exists, only the marker distinguishes the two (ADR-0014).
  const own = withReplaced(facts.marker(), present.has(replaced) ? replaced : undefined);
  return withKeptDigests(own, live.marker, facts.pair.kind, [...unsendable, ...ignored]);
}

interface PlannedUpdate extends Rewrite {
  readonly changes: readonly Change[];
  readonly planned: UpdateRequests;
  readonly unsendable: readonly string[];
}

function updateDraft(facts: DecisionInput, live: LiveResource, update: PlannedUpdate): StepDraft {
  const { kind, desired } = facts.pair;
  const { next: spec } = facts;
  const { planned, changes, fromStack } = update;
  const action: Action = live.marker === undefined || fromStack !== undefined ? 'adopt' : 'update';
  const refers = referencedAfter({ kind, next: spec }, live, { ...planned, unsendable: update.unsendable });
  return {
    key: draftKey(desired.address, action),
    action,
    address: desired.address,
    kind,
    live,
    reason: update.reason ?? differs(changes.map(({ path }) => path)),
    ...(fromStack !== undefined && { fromStack }),
    source: rangeText(desired.range()),
    changes: [...changes, ...update.textChanges],
    requests: planned.requests,
    imports: importsCarried(desired, planned.requests),
    references: addressesIn(spec),
    drops: idsIn(kind.fields, live.spec).filter((id) => !refers.includes(id)),
    referencedIds: refers,
    ...changedClaims({ kind, next: spec }, live),
    secretClaims: secretValues(kind, spec, live.parentId),
    after: afterMoveOfParent(facts),
  };
}

/** Fields that keep the digests of what was applied, because the manifest's value is ignored and not sent. */
function unsentFields(facts: DecisionInput, live: LiveResource, { diffs, same, salt }: Compared): string[] {
  const kept = same.filter((diff) => unsentSecrets(diff, live, salt).length > 0).map(({ name }) => name);
  return [...unappliedFields(facts), ...kept].filter((name) => !diffs.some((diff) => diff.name === name));
}

function replacement(facts: DecisionInput, live: LiveResource, diffs: readonly FieldDiff[]): Decision {
  const { pair, context } = facts;
  const { kind, desired } = pair;
  const culprits = diffs.filter((diff) => diff.replaces).map((diff) => diff.name);
  const once = returnedOnceLoss(kind, live, context.options);
  const reason = once?.reason ?? createOnly(culprits);
  const salt = appliedSalt(live, context.stack, desired.address);
  const changes = diffs.flatMap((diff) => changesOf(diff, live, salt));
  const loss = lossOfReplacement(live, once);
  const inside = context.children.get(live.id) ?? [];
  const gone = removalOf({ live, address: desired.address, children: inside, reason: REPLACED });
  const takes = new Set(uniqueKeys(kind, facts.next, live.parentId));
  const deleteFirst = gone.releases.some((key) => takes.has(key));
  const replaces = deleteFirst ? undefined : live.id;
  const created: StepDraft = {
    ...creation(facts, 'replace', reason, replaces),
    changes,
    loss,
    ...(once !== undefined && { returnedOnce: once.is }),
  };
  const removal: StepDraft = {
    ...gone,
    key: draftKey(desired.address, 'replace', 'delete'),
    action: 'replace',
    phase: 'delete',
    source: created.source,
    loss,
    after: deleteFirst ? [] : [created.key],
  };
  return {
    drafts: [{ ...created, after: [...created.after, ...(deleteFirst ? [removal.key] : [])] }, removal],
    blocked: [],
    diagnostics: checkNewMetadata(facts, replaces),
  };
}
