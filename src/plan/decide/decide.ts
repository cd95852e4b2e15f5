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
import type { Action, Blocked } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import { escapeText } from '../../core/text/template.ts';
import { attributePlaceholder } from '../../resource/placeholder.ts';
import { addressesIn, idsIn } from '../../resource/references.ts';
import { lossOfReplacement, removalOf } from './removal.ts';
import { createRequests, updateRequests, updateObstacles } from './requests.ts';
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

function update(facts: DecisionInput, live: LiveResource, { diffs, same, salt }: Compared): Decision {
  const { pair, next: spec, context } = facts;
  const { kind, desired } = pair;
  const { capabilities } = context.options;
  const unsendable = [...updateObstacles({ kind, live, effective: spec, diffs, capabilities }).keys()];
  const textChanges = metadataChange(spec, live);
  const unsent = unsentFields(facts, live, { diffs, same, salt });
  const applied = same.filter((diff) => !unsent.includes(diff.name));
  const outdated = () =>
    diffs.length > unsendable.length ? [] : outdatedFields(desired, live, { same: applied, salt });
  const fromStack = context.transferredFrom(live);
  const reasons = { isTransfer: fromStack !== undefined, textChanges, outdated };
  const reason = reasonToRewrite(live.marker, { stack: context.stack, desired, kind }, reasons);
  if (diffs.length === 0 && reason === undefined) return NOTHING;
  const user = userText(spec);
  const old = live.marker?.replaces ?? '';
  // While the replaced object exists, only the marker distinguishes the two (ADR-0014).
  const own = withReplaced(facts.marker(), context.present.has(old) ? old : undefined);
  const marker = withKeptDigests(own, live.marker, kind, [...unsendable, ...unsent]);
  const metadata = writeMarker(user, marker);
  // Changes that are impossible are no reason to write.
  const isIdle = diffs.length === unsendable.length && reason === undefined;
  const isSame = isIdle || metadata === escapeText(live.metadata);
  const target = { kind, address: desired.address, live, effective: spec };
  const { deletedIds } = context;
  const made = updateRequests({
    ...target,
    ...{ diffs, metadata: isSame ? undefined : metadata, capabilities, deletedIds },
  });
  const told = (names: (name: string) => boolean) =>
    diffs.flatMap((d) => (names(d.name) ? changesOf(d, live, salt, made.switchedOff[d.name]) : []));
  const blocked = made.blocked.map((one) => ({ ...one, changes: told((name) => name === one.path.split('.')[0]) }));
  const changes = told((name) => !unsendable.includes(name));
  const action: Action = live.marker === undefined || fromStack !== undefined ? 'adopt' : 'update';
  if (made.requests.length === 0) return { drafts: [], blocked, diagnostics: [] };
  const refers = referencedAfter({ kind, next: spec }, live, { ...made, unsendable });
  const draft: StepDraft = {
    key: draftKey(desired.address, action),
    action,
    address: desired.address,
    kind,
    live,
    reason: reason ?? differs(changes.map(({ path }) => path)),
    ...(fromStack !== undefined && { fromStack }),
    source: rangeText(desired.range()),
    changes: [...changes, ...textChanges],
    requests: made.requests,
    imports: importsCarried(desired, made.requests),
    references: addressesIn(spec),
    drops: idsIn(kind.fields, live.spec).filter((id) => !refers.includes(id)),
    referencedIds: refers,
    ...changedClaims({ kind, next: spec }, live),
    secretClaims: secretValues(kind, spec, live.parentId),
    after: afterMoveOfParent(facts),
  };
  const diagnostics = isSame ? [] : checkText(kind, desired.address, { next: spec, marker, spec });
  return { drafts: [draft], blocked, diagnostics };
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
