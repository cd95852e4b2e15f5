// The order of steps, from a graph over single objects: references, parents, unique values and deletions.
// Linear in the number of steps and links; equal inputs in any order give the same sequence.

import { compareText } from '../base/json.ts';
import type { LiveResource } from '../live/snapshot.ts';
import type { Draft } from './draft.ts';
import { valueOfKey } from './uniques.ts';

export interface Ordered {
  readonly drafts: readonly Draft[];
  /** Keys each draft waits for. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
  /** A circle of drafts that wait for each other, or undefined. */
  readonly cycle: readonly Draft[] | undefined;
}

/** Sorts drafts so that each comes after all it waits for. */
export function order(drafts: readonly Draft[]): Ordered {
  const sorted = [...drafts].sort((a, b) => compareText(a.address, b.address) || compareText(a.key, b.key));
  const byKey = new Map(sorted.map((draft) => [draft.key, draft]));
  const links = dependencies(sorted);
  const done = new Set<string>();
  const result: Draft[] = [];
  for (const draft of sorted) {
    const cycle = visit(draft, { byKey, links, done, result });
    if (cycle !== undefined) return { drafts: sorted, dependsOn: links, cycle };
  }
  return { drafts: result, dependsOn: links, cycle: undefined };
}

interface Walk {
  readonly byKey: ReadonlyMap<string, Draft>;
  readonly links: ReadonlyMap<string, readonly string[]>;
  readonly done: Set<string>;
  readonly result: Draft[];
}

/** Depth first without recursion: chains of references may be longer than the stack. */
function visit(start: Draft, { byKey, links, done, result }: Walk): Draft[] | undefined {
  const path: { readonly draft: Draft; next: number }[] = [];
  const onPath = new Set<string>();
  const enter = (draft: Draft) => {
    path.push({ draft, next: 0 });
    onPath.add(draft.key);
  };
  if (!done.has(start.key)) enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const key = links.get(top.draft.key)?.[top.next];
    top.next += 1;
    if (key === undefined) {
      path.pop();
      onPath.delete(top.draft.key);
      done.add(top.draft.key);
      result.push(top.draft);
      continue;
    }
    if (onPath.has(key)) return path.slice(path.findIndex((step) => step.draft.key === key)).map((step) => step.draft);
    const next = byKey.get(key);
    if (next !== undefined && !done.has(key)) enter(next);
  }
  return undefined;
}

function dependencies(drafts: readonly Draft[]): ReadonlyMap<string, readonly string[]> {
  const index = indexDrafts(drafts);
  return new Map(drafts.map((draft) => [draft.key, waitsFor(draft, index)]));
}

interface Index {
  /** Draft that makes the new object of an address. */
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
    if (draft.action === 'create' || draft.phase === 'create') makerByAddress.set(draft.address, draft.key);
    for (const value of draft.frees) {
      add(freersByValue, value, draft.key);
      add(freersByText, valueOfKey(value), draft.key);
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
  const deletes = draft.action === 'delete' || draft.phase === 'delete';
  for (const key of deletes && draft.live !== undefined ? usersOf(draft.live, index) : []) keys.add(key);
  keys.delete(draft.key);
  return [...keys].sort(compareText);
}

/** Drafts that let go of the object: of its id, or of a value the service assigned to it, such as an address. */
function usersOf(live: LiveResource, { lettersById, freersByText }: Index): string[] {
  const assigned = Object.values(live.computed).filter((value) => typeof value === 'string');
  return [...(lettersById.get(live.id) ?? []), ...assigned.flatMap((text) => freersByText.get(text) ?? [])];
}
