// Decides what happens to one resource: nothing, create, update, adopt, replace, release or delete, with its requests.

import type { SourceRange } from '../base/diagnostic.ts';
import { plural } from '../base/text.ts';
import type { ValueObject } from '../base/value.ts';
import { METADATA } from '../catalog/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource, Marker } from '../live/snapshot.ts';
import { changesOf, creationChanges, metadataChange, realDiffs } from './changes.ts';
import type { PlanContext } from './context.ts';
import type { FieldDiff } from './diff.ts';
import { diffResource } from './diff.ts';
import { saltOf } from './digests.ts';
import type { Draft } from './draft.ts';
import { draftKey } from './draft.ts';
import { checkLength, markerFor, metadataText, userText } from './marker.ts';
import type { Pair } from './match.ts';
import type { Action, Blocked, Change, PlanDiagnostic } from './plan.ts';
import { escapeText } from './placeholder.ts';
import { addressesIn, idsIn } from './references.ts';
import { createRequests, deleteRequest, updateRequests } from './requests.ts';
import { resolveSpec } from './resolve.ts';
import { uniqueKeys } from './uniques.ts';

/** What was decided for one resource; no drafts means that nothing needs to be done. */
export interface Decision {
  readonly drafts: readonly Draft[];
  readonly blocked: readonly Blocked[];
  readonly diagnostics: readonly PlanDiagnostic[];
}

const NOTHING: Decision = { drafts: [], blocked: [], diagnostics: [] };

/** True when a create-only field differs, so that the object has to be replaced. */
export function needsReplacement(pair: Pair, known: PlanContext['known']): boolean {
  const { live, kind, desired } = pair;
  if (live === undefined) return false;
  const spec = resolveSpec(desired.spec, known);
  return diffResource(kind, spec, live.spec, desired.lifecycle.ignoreChanges).some((diff) => diff.replaces);
}

/** Decides for one resource that the manifest asks for. */
export function decide(pair: Pair, context: PlanContext): Decision {
  const { kind, desired, live } = pair;
  const spec = resolveSpec(desired.spec, context.known);
  const marker = markerFor(context.stack, desired, kind, spec);
  const user = userText(spec);
  const problems = checkLength(kind, desired.address, user, marker);
  const facts: Facts = { pair, spec, marker, metadata: metadataText(user, marker), context };
  const lostWithParent = desired.parent !== undefined && context.replaced.has(desired.parent);
  if (live === undefined || lostWithParent) {
    const reason = lostWithParent ? 'its parent is replaced' : 'not in the service';
    return { drafts: [creation(facts, 'create', reason)], blocked: [], diagnostics: problems };
  }
  const salt = saltOf(context.stack, desired.address);
  const diffs = realDiffs(diffResource(kind, spec, live.spec, desired.lifecycle.ignoreChanges), live, salt);
  const decision = context.replaced.has(desired.address) ? replacement(facts, live, diffs) : update(facts, live, diffs);
  return decision.drafts.length === 0 ? decision : { ...decision, diagnostics: [...problems, ...decision.diagnostics] };
}

interface Facts {
  readonly pair: Pair;
  readonly spec: ValueObject;
  readonly marker: Marker;
  readonly metadata: string;
  readonly context: PlanContext;
}

function sourceOf(range: SourceRange): string {
  return `${range.file}:${range.line}:${range.column}`;
}

function creation({ pair, spec, metadata, context }: Facts, action: 'create' | 'replace', reason: string): Draft {
  const { kind, desired } = pair;
  const target = { kind, address: desired.address, parent: desired.parent };
  const parentId = desired.parent === undefined ? undefined : context.known.get(desired.parent)?.id;
  const phase = action === 'replace' ? 'create' : undefined;
  return {
    key: draftKey(desired.address, action, phase),
    action,
    ...(phase && { phase }),
    address: desired.address,
    kind,
    live: undefined,
    reason,
    source: sourceOf(desired.range),
    changes: creationChanges(spec),
    requests: createRequests(target, spec, metadata, parentId),
    needs: [...addressesIn(spec), ...(desired.parent === undefined ? [] : [desired.parent])],
    lets: [],
    takes: uniqueKeys(kind, spec, parentId ?? desired.parent),
    frees: [],
    after: [],
  };
}

function update(facts: Facts, live: LiveResource, diffs: readonly FieldDiff[]): Decision {
  const { pair, spec, marker, context } = facts;
  const { kind, desired } = pair;
  const ignoresMetadata = desired.lifecycle.ignoreChanges.includes(METADATA);
  const textChanges = ignoresMetadata ? [] : metadataChange(spec, live);
  const reason = reasonToRewrite(live.marker, marker, textChanges);
  if (diffs.length === 0 && reason === undefined) return NOTHING;
  const metadata = metadataText(ignoresMetadata ? escapeText(live.userMetadata) : userText(spec), marker);
  const isSame = metadata === escapeText(live.metadata);
  const made = updateRequests({
    target: { kind, address: desired.address, parent: desired.parent },
    live,
    desired: spec,
    diffs,
    metadata: isSame ? undefined : metadata,
    capabilities: context.options.capabilities,
  });
  const salt = saltOf(context.stack, desired.address);
  const changes = diffs.flatMap((diff) => changesOf(diff, live, salt, made.switchedOff.includes(diff.name)));
  const action: Action = live.marker === undefined ? 'adopt' : 'update';
  if (made.requests.length === 0) return { drafts: [], blocked: made.blocked, diagnostics: [] };
  const before = new Set(uniqueKeys(kind, live.spec, live.parentId));
  const after = new Set(uniqueKeys(kind, spec, live.parentId));
  const refersAfter = new Set(idsIn(kind.fields, spec));
  const draft: Draft = {
    key: draftKey(desired.address, action),
    action,
    address: desired.address,
    kind,
    live,
    reason: reason ?? `${plural(changes.length, 'value')} ${changes.length === 1 ? 'differs' : 'differ'}`,
    source: sourceOf(desired.range),
    changes: [...changes, ...textChanges],
    requests: made.requests,
    needs: addressesIn(spec),
    lets: idsIn(kind.fields, live.spec).filter((id) => !refersAfter.has(id)),
    takes: [...after].filter((key) => !before.has(key)),
    frees: [...before].filter((key) => !after.has(key)),
    after: [],
  };
  return { drafts: [draft], blocked: made.blocked, diagnostics: [] };
}

/** Why the metadata must be written although no field differs; undefined when it need not. */
function reasonToRewrite(live: Marker | undefined, wanted: Marker, textChanges: readonly Change[]): string | undefined {
  if (live === undefined) return 'taken over by `lifecycle.adopt`';
  if (live.stack !== wanted.stack || live.address !== wanted.address) return `renamed from ${live.address}`;
  if (live.protect !== wanted.protect)
    return wanted.protect ? 'protection is switched on' : 'protection is switched off';
  return textChanges.length > 0 ? 'its metadata differs' : undefined;
}

function replacement(facts: Facts, live: LiveResource, diffs: readonly FieldDiff[]): Decision {
  const { pair, context } = facts;
  const { kind, desired } = pair;
  const culprits = diffs.filter((diff) => diff.replaces).map((diff) => diff.name);
  const reason = `${culprits.join(', ')} cannot be changed after creation`;
  const salt = saltOf(context.stack, desired.address);
  const changes = diffs.flatMap((diff) => changesOf(diff, live, salt, false));
  const loss = lossOf(kind, live);
  const created = { ...creation(facts, 'replace', reason), changes, loss };
  const shared = uniqueKeys(kind, live.spec, live.parentId).filter((key) => created.takes.includes(key));
  const deleteFirst = shared.length > 0;
  const removal: Draft = {
    ...removalOf(kind, desired.address, live, 'the old object of a replacement'),
    key: draftKey(desired.address, 'replace', 'delete'),
    action: 'replace',
    phase: 'delete',
    source: created.source,
    loss,
    after: deleteFirst ? [] : [created.key],
    frees: uniqueKeys(kind, live.spec, live.parentId).filter((key) => deleteFirst || !created.takes.includes(key)),
  };
  return { drafts: [{ ...created, after: deleteFirst ? [removal.key] : [] }, removal], blocked: [], diagnostics: [] };
}

function lossOf(kind: Kind, live: LiveResource): string {
  return `${live.id} is deleted: ${kind.irreplaceable ?? kind.loss ?? 'its id changes'}`;
}

function removalOf(kind: Kind, address: string, live: LiveResource, reason: string): Draft {
  return {
    key: draftKey(address, 'delete'),
    action: 'delete',
    address,
    kind,
    live,
    reason,
    source: null,
    loss: `${live.id} is deleted: ${kind.loss ?? kind.irreplaceable ?? 'it cannot be had back'}`,
    changes: [],
    requests: [deleteRequest(kind, live)],
    needs: [],
    lets: idsIn(kind.fields, live.spec),
    takes: [],
    frees: uniqueKeys(kind, live.spec, live.parentId),
    after: [],
  };
}

/** The deletion of an object that the stack owns and the manifest no longer has. `inside` are objects that go with it. */
export function deletion(live: LiveResource, inside: readonly LiveResource[], reason: string): Draft {
  const kind = kindByName(live.kind);
  const draft = removalOf(kind, live.marker?.address ?? live.id, live, reason);
  // Unique values of children live inside the parent only, but ids they refer to are let go with them.
  const lets = [...draft.lets, ...inside.flatMap((child) => idsIn(kindByName(child.kind).fields, child.spec))];
  if (inside.length === 0) return { ...draft, lets };
  const names = inside.map((child) => child.marker?.address ?? child.id).join(', ');
  return { ...draft, lets, loss: `${draft.loss ?? ''}; with it go ${names}` };
}

/** Takes our marker off an object without touching anything else. */
export function release(live: LiveResource): Draft {
  const kind = kindByName(live.kind);
  const address = live.marker?.address ?? live.id;
  return {
    key: draftKey(address, 'release'),
    action: 'release',
    address,
    kind,
    live,
    reason: 'listed under `removed` with destroy: false',
    source: null,
    changes: [],
    requests: updateRequests({
      target: { kind, address, parent: undefined },
      live,
      desired: live.spec,
      diffs: [],
      metadata: escapeText(live.userMetadata),
      capabilities: new Set(),
    }).requests,
    needs: [],
    lets: [],
    takes: [],
    frees: [],
    after: [],
  };
}
