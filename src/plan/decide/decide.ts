// Decides for one resource of the manifest: nothing, create, update, adopt or replace, with the requests.

import { rangeText, type Diagnostic } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import type { ValueObject } from '../../core/value.ts';
import { ID } from '../../catalog/fields/common.ts';
import { writeMarker } from '../../resource/marker/marker-codec.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { effectiveSpec } from '../../resource/carry.ts';
import { checkFilledTexts } from './filled-texts.ts';
import { changesOf, creationChanges, droppingDiffs, realDiffs } from './changes.ts';
import type { PlanContext } from '../plan-options.ts';
import { compareFields, differsForGood, type FieldDiff } from '../../resource/diff.ts';
import { saltOf } from '../../resource/digests.ts';
import { importsCarried } from './effects.ts';
import { BARE_DRAFT, draftKey, type StepDraft } from './step-draft.ts';
import { checkText, withKeptDigests, markerFor, withReplaced, userText } from './marker.ts';
import { creationMarker } from '../../resource/marker/pending.ts';
import type { Pair } from '../match/match.ts';
import { returnedOnceLoss } from './returned-once.ts';
import { unappliedFields } from './outdated-digests.ts';
import type { Reason } from '../step-facts.ts';
import { attributePlaceholder } from '../../resource/placeholder.ts';
import { addressesIn, idsIn } from '../../resource/references.ts';
import { lossOfReplacement, removalOf } from './removal.ts';
import { createRequests } from './requests.ts';
import { resolveSpec } from '../../resource/resolve.ts';
import { secretValues, uniqueKeys } from '../../resource/uniques.ts';
import { createOnly, deletedOutside, NOT_IN_SERVICE, parentReplaced, REPLACED } from './reason.ts';

import { NOTHING, type Decision, type DecisionInput } from './decision.ts';
import { exposuresOfChanges, exposuresOfCreation } from './exposures.ts';
import { shownUntaken, splitByTaking, untakenWarnings, withAnswers } from './untaken.ts';
import { update } from './update.ts';

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
  const judged = { live, salt, journal: context.options.journal };
  const compared = withAnswers(compareFields(kind, spec, live, desired.lifecycle.ignoreChanges), judged);
  const { taken: real, untaken } = splitByTaking(realDiffs(compared, live, salt), judged);
  const diffs = [...real, ...droppingDiffs(compared, context.deletedIds)];
  if (context.replaced.has(desired.address)) return replacement(facts, live, diffs);
  const same = compared.filter((diff) => !real.includes(diff) && !untaken.includes(diff));
  const decision = update(facts, live, { diffs, same, salt });
  if (untaken.length === 0) return decision;
  const warnings = shownUntaken(untaken, judged).flatMap((diff) => untakenWarnings(diff, desired.address, judged));
  return { ...decision, diagnostics: [...decision.diagnostics, ...warnings] };
}

/** Salt of the digests in an object's marker: after a rename, that of its old address. */
function appliedSalt({ marker }: LiveResource, stack: string, address: string): string {
  return saltOf(marker ?? { stack, address });
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
    exposures: exposuresOfCreation({ kind, address, spec }),
    requests,
    imports: importsCarried(desired, requests),
    references: [...addressesIn(spec), ...(parent === undefined || parentId !== undefined ? [] : [parent])],
    referencedIds: idsIn(kind.fields, spec),
    claims: uniqueKeys(kind, spec, parentId ?? parent),
    secretClaims: secretValues(kind, spec, parentId ?? parent),
  };
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
    exposures: exposuresOfChanges(desired.address, { diffs, changes }),
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
    // The new object's step says what the exchange does.
    exposures: [],
    after: deleteFirst ? [] : [created.key],
  };
  return {
    drafts: [{ ...created, after: deleteFirst ? [removal.key] : [] }, removal],
    blocked: [],
    diagnostics: checkNewMetadata(facts, replaces),
  };
}
