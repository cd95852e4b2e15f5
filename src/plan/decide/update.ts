// The update of a live object: the fields that differ and can be sent, and its marker.

import { rangeText } from '../../core/diagnostic.ts';
import { writeMarker } from '../../resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import { changesOf, metadataChange, unsentSecrets } from './changes.ts';
import { changedClaims, importsCarried, referencedAfter } from './effects.ts';
import { exposuresOfChanges, exposuresOutside } from './exposures.ts';
import { draftKey, type StepDraft } from './step-draft.ts';
import { checkText, withKeptDigests, reasonToRewrite, withReplaced, userText } from './marker.ts';
import { outdatedFields, unappliedFields } from './outdated-digests.ts';
import type { Action, Change } from '../plan.ts';
import type { Reason } from '../step-facts.ts';
import { escapeText } from '../../core/text/template.ts';
import { addressesIn, idsIn } from '../../resource/references.ts';
import { updateRequests, updateObstacles, type Obstacles, type UpdateRequests } from './requests.ts';
import { digestOfMany, saltOf } from '../../resource/digests.ts';
import { secretValues } from '../../resource/uniques.ts';
import { differs } from './reason.ts';
import { NOTHING, type Compared, type Decision, type DecisionInput } from './decision.ts';

export function update(facts: DecisionInput, live: LiveResource, compared: Compared): Decision {
  const { kind, desired } = facts.pair;
  const held = heldFields(facts, live, compared);
  const rewrite = rewriteOf(facts, live, compared, held);
  if (compared.diffs.length === 0 && rewrite.reason === undefined) return NOTHING;
  const marker = nextMarker(facts, live, held);
  const metadata = writeMarker(userText(facts.next), marker);
  // Changes that are impossible are no reason to write.
  const isIdle = compared.diffs.length === held.unsendable.length && rewrite.reason === undefined;
  const isSame = isIdle || isWritten(facts, live, marker);
  const planned = updateRequests({
    kind,
    address: desired.address,
    live,
    effective: facts.next,
    diffs: compared.diffs,
    metadata: isSame ? undefined : metadata,
    capabilities: facts.context.options.capabilities,
    deletedIds: facts.context.deletedIds,
    obstacles: held.obstacles,
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
  const { diffs } = compared;
  const draft = updateDraft(facts, live, { ...rewrite, diffs, changes, planned, marker, unsendable: held.unsendable });
  const texts = { next: facts.next, marker, spec: facts.next };
  return { drafts: [draft], blocked, diagnostics: isSame ? [] : checkText(kind, desired.address, texts) };
}

/** Whether the object has this marker and text already; another commit is no reason to write (ADR-0062). */
function isWritten({ next }: DecisionInput, live: LiveResource, marker: Marker): boolean {
  const commit = live.marker?.commit;
  const asWritten = commit === undefined ? marker : { ...marker, commit };
  return writeMarker(userText(next), asWritten) === escapeText(live.metadata);
}

/** Fields that an update does not send, by the reason; their digests stay those of what was applied. */
interface HeldFields {
  readonly obstacles: Obstacles;
  /** Those with obstacles: the service cannot make the change. */
  readonly unsendable: readonly string[];
  /** The manifest's value is ignored. */
  readonly ignored: readonly string[];
}

function heldFields(facts: DecisionInput, live: LiveResource, compared: Compared): HeldFields {
  const { capabilities } = facts.context.options;
  const { kind, desired } = facts.pair;
  const obstacles = updateObstacles({
    kind,
    live,
    effective: facts.next,
    wanted: facts.spec,
    ignored: desired.lifecycle.ignoreChanges,
    diffs: compared.diffs,
    capabilities,
  });
  return { obstacles, unsendable: [...obstacles.keys()], ignored: unsentFields(facts, live, compared) };
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
  readonly diffs: Compared['diffs'];
  readonly changes: readonly Change[];
  readonly planned: UpdateRequests;
  readonly marker: Marker;
  readonly unsendable: readonly string[];
}

function updateDraft(facts: DecisionInput, live: LiveResource, update: PlannedUpdate): StepDraft {
  const { kind, desired } = facts.pair;
  const { next: spec } = facts;
  const { planned, changes, fromStack, diffs } = update;
  const action: Action = live.marker === undefined || fromStack !== undefined ? 'adopt' : 'update';
  const refers = referencedAfter({ kind, next: spec }, live, { ...planned, unsendable: update.unsendable });
  const values = changedClaims({ kind, next: spec }, live);
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
    exposures: exposuresOfChanges(desired.address, { diffs, changes }),
    exposedOutside: exposuresOutside(desired.address, { diffs, changes }),
    requests: planned.requests,
    imports: importsCarried(desired, planned.requests),
    references: addressesIn(spec),
    drops: idsIn(kind.fields, live.spec).filter((id) => !refers.includes(id)),
    referencedIds: refers,
    ...values,
    ...(values.releases.length > 0 &&
      isNamedAnew(live, update.marker) && { markerAsFound: markerAsFound(facts, live, update) }),
    secretClaims: secretValues(kind, spec, live.parentId),
    after: [],
  };
}

/** Whether the object gets another stack or address, which are the salt of its digests. */
function isNamedAnew({ marker: before }: LiveResource, marker: Marker): boolean {
  return before === undefined || saltOf(before) !== saltOf(marker);
}

/** The marker of the stack with digests of the live values of all fields that still differ: they are what it took over. */
function markerAsFound({ pair }: DecisionInput, { spec }: LiveResource, { marker, changes }: PlannedUpdate): Marker {
  const found = { ...marker, applied: digestOfMany(pair.kind, spec, saltOf(marker)) };
  return withKeptDigests(marker, found, pair.kind, [...new Set(changes.map(({ path }) => path.split('.')[0] ?? ''))]);
}

/** Fields that keep the digests of what was applied, because the manifest's value is ignored and not sent. */
function unsentFields(facts: DecisionInput, live: LiveResource, { diffs, same, salt }: Compared): string[] {
  const kept = same.filter((diff) => unsentSecrets(diff, live, salt).length > 0).map(({ name }) => name);
  return [...unappliedFields(facts), ...kept].filter((name) => !diffs.some((diff) => diff.name === name));
}
