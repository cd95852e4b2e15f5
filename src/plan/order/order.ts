// Orders steps by a graph over single objects: references, parents, unique values and deletions. Steps that wait for each
// other are a violation. Linear in the number of steps and links; equal inputs in any order give the same sequence.

import { components } from '../../core/graph.ts';
import { groupEntries, groupBy } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import { parseAddress } from '../../catalog/address.ts';
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
  const giversByToken = groupEntries(
    sorted.flatMap((draft) => givesOf(draft).map((token) => [token, draft.key] as const)),
  );
  const links = new Map(sorted.map((draft) => [draft.key, waitsFor(draft, giversByToken)]));
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

/** What a step gives to others once it has ended, or needs from them before it starts: equal texts mean the same thing. */
type Token = string;

/**
 * Everything that a step gives: its object, the values that it gives up, and what it no longer uses.
 *
 * Example: `tls_edges.a` gives up the hostport `x:443`, which `tls_edges.b` claims. The update of a gives `free …x:443`, the update of b
 * needs it, and so b waits for a.
 */
function givesOf({ action, phase, address, live, releases, drops }: StepDraft): Token[] {
  const isNew = action === 'create' || phase === 'create';
  // A value that an update produces, such as the URLs of a new module, is known only after it.
  const isChanged = phase === undefined && (action === 'update' || action === 'adopt');
  return [
    ...(isNew || isChanged ? [`object ${address}`] : []),
    ...(action === 'adopt' ? [`adopted ${address}`, `adopted ${live?.id ?? address}`] : []),
    ...releases.flatMap((value) => [`free ${value}`, `unserved ${servedText(valueOfKey(value))}`]),
    ...drops.map((id) => `dropped ${id}`),
  ];
}

/**
 * Everything that a step needs: the objects that it refers to, the values that it claims, and, to delete an object, that nothing uses
 * it. Nothing inside an object that is to be adopted is written before it is the stack's.
 */
function needsOf(draft: StepDraft): Token[] {
  const { references, claims, kind, live } = draft;
  const inUse =
    isRemoval(draft) && live !== undefined
      ? [`dropped ${live.id}`, ...servedValues(kind, live).map((text) => `unserved ${text}`)]
      : [];
  return [
    ...references.map((address) => `object ${address}`),
    `adopted ${parentOf(draft)}`,
    ...claims.map((value) => `free ${value}`),
    ...inUse,
  ];
}

/** The drafts that a draft waits for. */
function waitsFor(draft: StepDraft, giversByToken: ReadonlyMap<Token, readonly string[]>): string[] {
  const givers = needsOf(draft).flatMap((token) => giversByToken.get(token) ?? []);
  const keys = new Set([...draft.after, ...givers]);
  keys.delete(draft.key);
  return [...keys].sort(compareText);
}

/** The parent of a step's object: its id, or its address for an object that is still to be created. */
function parentOf({ live, address }: StepDraft): string {
  return (live === undefined ? parseAddress(address)?.parent : live.parentId) ?? '';
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
