// The order of steps, from a graph over single objects: references, parents, unique values and deletions.
// Linear in the number of steps and links; equal inputs in any order give the same sequence.

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
  const groups = components(sorted, links);
  return {
    drafts: groups.flat(),
    dependsOn: links,
    circles: groups.filter((group) => group.length > 1),
  };
}

/** One draft on the way of the walk: `low` is the earliest one on the way that it leads back to. */
interface Visit {
  readonly draft: Draft;
  readonly index: number;
  low: number;
  next: number;
}

interface Walk {
  readonly byKey: ReadonlyMap<string, Draft>;
  readonly links: ReadonlyMap<string, readonly string[]>;
  readonly visits: Map<string, Visit>;
  /** Visited drafts whose group is not complete. */
  readonly open: Visit[];
  readonly isOpen: Set<string>;
  readonly groups: Draft[][];
}

/** Tarjan's strongly connected components, each after all it waits for; without circles, each is one draft. */
function components(drafts: readonly Draft[], links: ReadonlyMap<string, readonly string[]>): Draft[][] {
  const byKey = new Map(drafts.map((draft) => [draft.key, draft]));
  const walk: Walk = { byKey, links, visits: new Map(), open: [], isOpen: new Set(), groups: [] };
  for (const draft of drafts) if (!walk.visits.has(draft.key)) visitFrom(draft, walk);
  return walk.groups;
}

/** Depth first without recursion: chains of references may be longer than the stack. */
function visitFrom(start: Draft, walk: Walk): void {
  const path = [enter(start, walk)];
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const key = walk.links.get(top.draft.key)?.[top.next];
    top.next += 1;
    if (key === undefined) {
      path.pop();
      leave(top, path.at(-1), walk);
      continue;
    }
    const seen = walk.visits.get(key);
    const draft = walk.byKey.get(key);
    if (seen === undefined && draft !== undefined) path.push(enter(draft, walk));
    else if (seen !== undefined && walk.isOpen.has(key)) top.low = Math.min(top.low, seen.index);
  }
}

function enter(draft: Draft, { visits, open, isOpen }: Walk): Visit {
  const visit = { draft, index: visits.size, low: visits.size, next: 0 };
  visits.set(draft.key, visit);
  open.push(visit);
  isOpen.add(draft.key);
  return visit;
}

function leave(top: Visit, above: Visit | undefined, { open, isOpen, groups }: Walk): void {
  if (above !== undefined) above.low = Math.min(above.low, top.low);
  if (top.low !== top.index) return;
  const group = open.splice(open.lastIndexOf(top)).map((visit) => visit.draft);
  for (const { key } of group) isOpen.delete(key);
  groups.push(group);
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
  const freersByValue = new Map<string, string[]>();
  const lettersById = new Map<string, string[]>();
  const freersByText = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, at: string, key: string) => {
    const list = map.get(at);
    if (list === undefined) map.set(at, [key]);
    else list.push(key);
  };
  for (const draft of drafts) {
    const makes = draft.action === 'create' || draft.phase === 'create';
    // A value that an update brings about, such as the URLs of a new module, is known only after it.
    const updates = draft.phase === undefined && (draft.action === 'update' || draft.action === 'adopt');
    if (makes || (updates && !makerByAddress.has(draft.address))) makerByAddress.set(draft.address, draft.key);
    for (const value of draft.frees) {
      add(freersByValue, value, draft.key);
      add(freersByText, servedText(valueOfKey(value)), draft.key);
    }
    for (const id of draft.lets) add(lettersById, id, draft.key);
  }
  return { makerByAddress, freersByValue, lettersById, freersByText };
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
