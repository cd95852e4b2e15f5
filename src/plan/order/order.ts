// The order of steps, from a graph over single objects: references, parents, unique values and deletions.
// Linear in the number of steps and links; equal inputs in any order give the same sequence.

import { components } from '../../core/graph.ts';
import { groupEntries } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Draft } from '../decide/draft.ts';
import { isRemoval } from '../precondition.ts';
import { servedText, servedValues } from '../../resource/references.ts';
import { valueOfKey } from '../../resource/uniques.ts';

export interface Ordered {
  readonly drafts: readonly Draft[];
  /** Keys each draft waits for. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
  /** Groups of drafts that wait for each other; the order is meaningless while there are any. */
  readonly circles: readonly (readonly Draft[])[];
}

/** Sorts drafts so that each comes after all it waits for. */
export function order(drafts: readonly Draft[]): Ordered {
  const sorted = [...drafts].sort((a, b) => compareText(a.address, b.address) || compareText(a.key, b.key));
  const links = dependencies(sorted);
  const byKey = new Map(sorted.map((draft) => [draft.key, draft]));
  const groups = components(byKey.keys(), (key) => links.get(key) ?? []).map((keys) =>
    keys.flatMap((key) => byKey.get(key) ?? []),
  );
  return {
    drafts: groups.flat(),
    dependsOn: links,
    circles: groups.filter((group) => group.length > 1),
  };
}

function dependencies(drafts: readonly Draft[]): ReadonlyMap<string, readonly string[]> {
  const index = indexDrafts(drafts);
  return new Map(drafts.map((draft) => [draft.key, waitsFor(draft, index)]));
}

interface Index {
  /** Draft that makes the new object of an address, or changes the one that is there. */
  readonly makerByAddress: ReadonlyMap<string, string>;
  readonly freersByValue: ReadonlyMap<string, readonly string[]>;
  readonly lettersById: ReadonlyMap<string, readonly string[]>;
  /** Drafts that free a value, by the bare value: an address that an edge served, for example. */
  readonly freersByText: ReadonlyMap<string, readonly string[]>;
}

function indexDrafts(drafts: readonly Draft[]): Index {
  const makerByAddress = new Map<string, string>();
  for (const draft of drafts) {
    const makes = draft.action === 'create' || draft.phase === 'create';
    // A value that an update brings about, such as the URLs of a new module, is known only after it.
    const updates = draft.phase === undefined && (draft.action === 'update' || draft.action === 'adopt');
    if (makes || (updates && !makerByAddress.has(draft.address))) makerByAddress.set(draft.address, draft.key);
  }
  const frees = drafts.flatMap(({ frees, key }) => frees.map((value) => [value, key] as const));
  return {
    makerByAddress,
    freersByValue: groupEntries(frees),
    lettersById: groupEntries(drafts.flatMap(({ lets, key }) => lets.map((id) => [id, key] as const))),
    freersByText: groupEntries(frees.map(([value, key]) => [servedText(valueOfKey(value)), key] as const)),
  };
}

function waitsFor(draft: Draft, index: Index): string[] {
  const keys = new Set<string>(draft.after);
  for (const address of draft.needs) {
    const maker = index.makerByAddress.get(address);
    if (maker !== undefined) keys.add(maker);
  }
  for (const value of draft.takes) for (const key of index.freersByValue.get(value) ?? []) keys.add(key);
  for (const key of isRemoval(draft) && draft.live !== undefined ? usersOf(draft.kind, draft.live, index) : [])
    keys.add(key);
  keys.delete(draft.key);
  return [...keys].sort(compareText);
}

/** Drafts that let go of the object: of its id, or of a value of it that they serve, such as an address. */
function usersOf(kind: Kind, live: LiveResource, { lettersById, freersByText }: Index): string[] {
  const served = servedValues(kind, live).flatMap((text) => freersByText.get(text) ?? []);
  return [...(lettersById.get(live.id) ?? []), ...served];
}
