// Orders steps by a graph over single objects: references, parents, unique values and deletions. Steps that wait for each
// other are a violation. Linear in the number of steps and links; equal inputs in any order give the same sequence.

import { components } from '../../core/graph.ts';
import { groupEntries, groupBy } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import { parseAddress } from '../../catalog/address.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import { isRemoval } from '../fingerprint.ts';
import { servedText, servedValues } from '../../resource/references.ts';
import { valueOfKey } from '../../resource/uniques.ts';

export interface Ordered {
  readonly drafts: readonly StepDraft[];
  /** Keys each draft waits for. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
  /** Keys of the drafts at the end that start when all others have ended. */
  readonly last: ReadonlySet<string>;
  /** Groups of drafts that wait for each other; with any, the order is meaningless. */
  readonly cycles: readonly (readonly StepDraft[])[];
}

/** Sorts drafts so that each comes after all that it waits for. */
export function order(drafts: readonly StepDraft[]): Ordered {
  const sorted = [...drafts].sort((a, b) => compareText(a.address, b.address) || compareText(a.key, b.key));
  const index = indexDrafts(sorted);
  const links = new Map(sorted.map((draft) => [draft.key, waitsFor(draft, index)]));
  const byKey = new Map(sorted.map((draft) => [draft.key, draft]));
  const groups = components(byKey.keys(), (key) => links.get(key) ?? []).map((keys) =>
    keys.flatMap((key) => byKey.get(key) ?? []),
  );
  const inOrder = groups.flat();
  const last = lastOf(inOrder, links);
  return {
    drafts: [...inOrder.filter(({ key }) => !last.has(key)), ...inOrder.filter(({ key }) => last.has(key))],
    dependsOn: links,
    last,
    cycles: groups.filter((group) => group.length > 1),
  };
}

/** Of drafts in their order, the deletions of what may authenticate the run itself, unless something else waits for them. */
function lastOf(inOrder: readonly StepDraft[], links: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const last = new Set<string>();
  const waitedFor = new Set<string>();
  for (const draft of [...inOrder].reverse()) {
    const mayBeLast = isRemoval(draft) && draft.kind.authenticates === true;
    if (mayBeLast && !waitedFor.has(draft.key)) last.add(draft.key);
    else for (const key of links.get(draft.key) ?? []) waitedFor.add(key);
  }
  return last;
}

interface Index {
  /** The draft that creates the object of an address, or changes the existing one. */
  readonly creatorByAddress: ReadonlyMap<string, string>;
  /** The draft that adopts an object, by its id and its address. */
  readonly adoptions: ReadonlyMap<string, string>;
  readonly releasersByValue: ReadonlyMap<string, readonly string[]>;
  readonly droppersById: ReadonlyMap<string, readonly string[]>;
  /** Drafts that release a value, by the bare value: an address that an edge served, for example. */
  readonly releasersByText: ReadonlyMap<string, readonly string[]>;
}

function indexDrafts(drafts: readonly StepDraft[]): Index {
  const creating = drafts.filter(({ action, phase }) => action === 'create' || phase === 'create');
  // A value that an update produces, such as the URLs of a new module, is known only after it; so is one of an adoption, which sorts first.
  const updating = drafts.filter(
    ({ action, phase }) => phase === undefined && (action === 'update' || action === 'adopt'),
  );
  const adopting = drafts.filter(({ action }) => action === 'adopt');
  const releases = drafts.flatMap(({ releases: values, key }) => values.map((value) => [value, key] as const));
  return {
    creatorByAddress: new Map([...updating, ...creating].map(({ address, key }) => [address, key])),
    adoptions: new Map(
      adopting.flatMap(({ address, live, key }) => [address, live?.id ?? address].map((name) => [name, key] as const)),
    ),
    releasersByValue: groupEntries(releases),
    droppersById: groupEntries(drafts.flatMap(({ drops, key }) => drops.map((id) => [id, key] as const))),
    releasersByText: groupEntries(releases.map(([value, key]) => [servedText(valueOfKey(value)), key] as const)),
  };
}

/** The drafts that a draft waits for. Nothing inside an object that is to be adopted is written before it is the stack's. */
function waitsFor(draft: StepDraft, index: Index): string[] {
  const keys = new Set<string>(draft.after);
  for (const address of draft.references) {
    const maker = index.creatorByAddress.get(address);
    if (maker !== undefined) keys.add(maker);
  }
  const adoption = index.adoptions.get(parentOf(draft));
  if (adoption !== undefined) keys.add(adoption);
  for (const value of draft.claims) for (const key of index.releasersByValue.get(value) ?? []) keys.add(key);
  for (const key of isRemoval(draft) && draft.live !== undefined ? usersOf(draft.kind, draft.live, index) : [])
    keys.add(key);
  keys.delete(draft.key);
  return [...keys].sort(compareText);
}

/** The parent of a step's object: its id, or its address for an object that is still to be created. */
function parentOf({ live, address }: StepDraft): string {
  return (live === undefined ? parseAddress(address)?.parent : live.parentId) ?? '';
}

/** Drafts that drop the object: its id, or a value of it that they serve, such as an address. */
function usersOf(kind: Kind, live: LiveResource, { droppersById, releasersByText }: Index): string[] {
  const served = servedValues(kind, live).flatMap((text) => releasersByText.get(text) ?? []);
  return [...(droppersById.get(live.id) ?? []), ...served];
}

/**
 * The drafts, with removals, renames and releases after the removal or release of children: a deletion would take them along unseen,
 * and the markers of children contain the old address, so a run that stopped in between would leave them without an owner (ADR-0017).
 */
export function childrenFirst(drafts: readonly StepDraft[]): StepDraft[] {
  const leaving = groupBy(drafts, (draft) =>
    isRemoval(draft) || draft.action === 'release' ? draft.live?.parentId : undefined,
  );
  return drafts.map((draft) => {
    const keys = (leaving.get(draft.live?.id ?? '') ?? []).map(({ key }) => key);
    return keys.length === 0 || !losesAddress(draft) ? draft : { ...draft, after: [...draft.after, ...keys] };
  });
}

/** Whether nothing has its old address afterwards. */
function losesAddress(draft: StepDraft): boolean {
  const { action, phase, address, live } = draft;
  if (action === 'release' || isRemoval(draft)) return true;
  const old = live?.marker?.address;
  return action === 'update' && phase === undefined && old !== undefined && old !== address;
}
