// Breaks cycles in the order of steps, which only unique values can make (cycles of references are an input error).
//
// A step waits for another one that still holds the value it wants. In a swap, each waits for the other:
//
//   tls_edges.a   hostports [x:443] → [y:443]     waits for b to give up y:443
//   tls_edges.b   hostports [y:443] → [x:443]     waits for a to give up x:443
//
// There are two ways out, tried in this order:
//
//   delete first   If a replacement in the cycle creates its new object before it deletes the old one, it does so the other
//                  way round. The object is gone for a moment, but nothing is added to the plan.
//   detach         One object gives the value up before anything else happens: a step of its own removes it from the list, or
//                  puts a stand-in where the field is required. The object's own step then waits for everything else. One that
//                  is adopted, by its id or from another stack, is taken over before that, by a write of its marker alone.
//
// In the example, a is detached: PATCH a with `hostports: []`, PATCH b with [x:443], PATCH a with [y:443]. The marker of the
// detached object has the digest of what was sent (an empty list). So, if the run is killed after the first request, the next
// plan sees that this stack changed it, and not a stranger, and restores it.
//
// Objects that the stack owns and keeps are detached rather than those that it adopts or deletes, since a run that ends
// half-way should leave those as they were; and one that it adopts is the stack's before any of its values is touched. Each pass breaks one cycle at least, and a draft that was detached is never
// detached again, so there are at most as many passes as steps.

import { escapeText } from '../../core/text/template.ts';
import { itemField } from '../../catalog/walk.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { BugError } from '../../core/diagnostic.ts';
import { compareText, isList, mapObject, type JsonObject } from '../../core/json.ts';
import { revealed, type Value, type ValueObject } from '../../core/value.ts';
import { digestOfMany, saltOf } from '../../resource/digests.ts';
import { writeMarker } from '../../resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import { canonicalField } from '../../resource/canonical.ts';
import { withKeptDigests } from '../decide/marker.ts';
import { BARE_DRAFT, draftKey, type StepDraft } from '../decide/step-draft.ts';
import { order, type Ordered } from './order.ts';
import { encode } from '../../resource/placeholder.ts';
import { patchRequest } from '../decide/requests.ts';
import { displayChange } from '../../resource/display-change.ts';
import { uniqueValues, type UniqueValue } from '../../resource/uniques.ts';
import { detachedFor, differs } from '../decide/reason.ts';

/** The order of the drafts, with as few detach steps as possible. Only values are waited for in a circle, and each can be detached. */
export function breakCycles(drafts: readonly StepDraft[]): Ordered {
  let ordered = order(drafts);
  while (ordered.cycles.length > 0) {
    const broken = new Map<string, readonly StepDraft[]>();
    for (const cycle of ordered.cycles) {
      for (const { replaced, by } of deleteFirst(cycle) ?? detachOne(cycle) ?? []) broken.set(replaced, by);
    }
    if (broken.size === 0) throw new BugError('steps wait for each other');
    ordered = order(ordered.drafts.flatMap((draft) => broken.get(draft.key) ?? [draft]));
  }
  return ordered;
}

interface Substitution {
  /** Key of a draft, and the drafts that replace it. */
  readonly replaced: string;
  readonly by: readonly StepDraft[];
}

/** A replacement in a cycle that creates first is changed to delete first. */
function deleteFirst(cycle: readonly StepDraft[]): Substitution[] | undefined {
  const byKey = new Map(cycle.map((draft) => [draft.key, draft]));
  const flips = cycle.flatMap((removal): Substitution[] => {
    const creation = removal.after.map((key) => byKey.get(key)).find((draft) => draft?.phase === 'create');
    if (removal.phase !== 'delete' || creation === undefined || removal.live === undefined) return [];
    const { kind, live } = removal;
    const releases = uniqueValues(kind, live.spec, live.parentId).map((value) => value.key);
    return [
      {
        replaced: removal.key,
        by: [{ ...removal, after: removal.after.filter((key) => key !== creation.key), releases }],
      },
      { replaced: creation.key, by: [{ ...creation, after: [...creation.after, removal.key] }] },
    ];
  });
  return flips.length === 0 ? undefined : flips;
}

/** Detaches one object of the cycle from a value that others in it wait for. */
function detachOne(cycle: readonly StepDraft[]): Substitution[] | undefined {
  const claims = new Map(cycle.flatMap((draft) => draft.claims.map((key) => [key, draft])));
  const willing = [...cycle].sort((a, b) => rank(a) - rank(b) || compareText(a.key, b.key));
  for (const draft of willing) {
    const [taken, own] = owned(draft);
    const detached = detach(own, claims);
    if (detached !== undefined) return [{ replaced: draft.key, by: [...taken, ...detached] }];
  }
  return undefined;
}

/** Prefers to detach objects that are ours and stay over those that are only being adopted or deleted. */
function rank(draft: StepDraft): number {
  return draft.action === 'update' ? 0 : draft.action === 'adopt' ? 1 : 2;
}

function detach(draft: StepDraft, claims: ReadonlyMap<string, StepDraft>): readonly StepDraft[] | undefined {
  const { kind, live, address } = draft;
  const key = draftKey(address, 'update', 'detach');
  if (live === undefined || draft.key === key || draft.after.includes(key)) return undefined;
  const values = uniqueValues(kind, live.spec, live.parentId).filter(
    (value) => draft.releases.includes(value.key) && claims.has(value.key) && claims.get(value.key) !== draft,
  );
  const left = withoutValues(draft, live, values);
  const names = Object.keys(left);
  if (names.length === 0) return undefined;
  const body = { ...mapObject(left, encode), ...metadataOf(live, markerWith(draft, live, left)) };
  const freed = values.filter((value) => names.includes(value.field)).map((value) => value.key);
  const aside: StepDraft = {
    ...BARE_DRAFT,
    key,
    action: 'update',
    phase: 'detach',
    address,
    kind,
    live,
    reason: detachedFor(addressesOf(freed.map((value) => claims.get(value)))),
    source: draft.source,
    changes: names.map((name) => ({
      path: name,
      ...displayChange(live.spec[name], left[name], kind.fields[name]),
      effect: 'update',
      cause: 'config',
    })),
    requests: [patchRequest(kind, live, body)],
    releases: freed,
    after: draft.after,
  };
  const rest: StepDraft = {
    ...draft,
    releases: draft.releases.filter((key) => !freed.includes(key)),
    after: [...draft.after, aside.key],
    requests: restoreDetached(draft, live, names),
  };
  return [aside, rest];
}

/**
 * The draft of an object that has its marker already: a renamed one gets it when it is detached, an adopted one by a step of its own
 * before that, which takes it over as it is found.
 */
function owned(draft: StepDraft): readonly [readonly StepDraft[], StepDraft] {
  const { live, markerAsFound: marker, action } = draft;
  if (live === undefined || marker === undefined) return [[], draft];
  const { markerAsFound: _marker, fromStack: _from, ...left } = draft;
  const own: StepDraft = { ...left, live: { ...live, marker, markerProblem: undefined } };
  if (action !== 'adopt') return [[], own];
  const taking = takingOver(draft, live, marker);
  const rest = { key: draftKey(draft.address, 'update'), action: 'update' } as const;
  const reason = differs(draft.changes.map(({ path }) => path));
  return [[taking], { ...own, ...rest, reason, after: [...draft.after, taking.key] }];
}

/** Writes the marker and nothing else. */
function takingOver(draft: StepDraft, live: LiveResource, marker: Marker): StepDraft {
  const { key, action, address, kind, reason, source, fromStack } = draft;
  return {
    ...BARE_DRAFT,
    ...{ key, action, address, kind, live, reason, source },
    ...(fromStack !== undefined && { fromStack }),
    requests: [patchRequest(kind, live, metadataOf(live, marker))],
  };
}

/** The requests, with the last PATCH also restoring the marker, and detached fields that have no other difference. */
function restoreDetached({ requests }: StepDraft, live: LiveResource, names: readonly string[]): StepDraft['requests'] {
  const last = requests.findLast(({ method }) => method === 'PATCH');
  const missing = names.filter((name) => !isList(live.spec[name]) && !Object.hasOwn(last?.body ?? {}, name));
  const given = Object.fromEntries(missing.map((name) => [name, encode(live.spec[name] ?? null)]));
  const body = { ...metadataOf(live, live.marker), ...last?.body, ...given };
  return requests.map((one) => (one === last ? { ...one, body } : one));
}

/** The marker of the detached object: if the run ends before it is restored, it is known that this stack changed it. */
function markerWith({ kind }: StepDraft, { marker }: LiveResource, left: ValueObject): Marker | undefined {
  if (marker === undefined) return undefined;
  const detached = { ...marker, applied: digestOfMany(kind, left, saltOf(marker)) };
  const names = Object.keys(left).filter((name) => Object.hasOwn(marker.applied, name));
  return withKeptDigests(marker, detached, kind, names);
}

function metadataOf({ userMetadata }: LiveResource, marker: Marker | undefined): JsonObject {
  return marker === undefined ? {} : { [METADATA]: writeMarker(escapeText(userMetadata), marker) };
}

function addressesOf(drafts: readonly (StepDraft | undefined)[]): string[] {
  return [...new Set(drafts.flatMap((draft) => draft?.address ?? []))];
}

/** Lists without the values; a required single value gets its stand-in. */
function withoutValues({ kind }: StepDraft, live: LiveResource, values: readonly UniqueValue[]): ValueObject {
  const body: Record<string, Value> = {};
  for (const name of new Set(values.map((value) => value.field))) {
    const field = kind.fields[name];
    const given = live.spec[name];
    const gone = new Set(values.filter((value) => value.field === name).map((value) => value.text));
    const items = itemField(field);
    const isGone = (item: Value) =>
      items !== undefined && gone.has(String(revealed(canonicalField(items, item) ?? item)));
    if (field?.write !== undefined && field.write !== 'always') continue;
    if (given !== undefined && isList(given)) {
      body[name] = given.filter((item) => !isGone(item));
    } else if (field?.standIn !== undefined) body[name] = field.standIn.replace('{id}', live.id);
  }
  return body;
}
