// What apply would do beside putting back what drift found: because the manifest changed, or because of a finding. Pure.

import type { Json } from '../core/json.ts';
import { canonicalJson, isList, isObject } from '../core/json.ts';
import { tokensOf, unescapeText } from '../core/template.ts';
import { splitReference } from '../catalog/address.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Match, Pair } from '../plan/match/match.ts';
import { redundantAddresses } from '../plan/match/match.ts';
import type { Action, Change, Plan } from '../plan/plan.ts';

/** A difference that nobody made outside: apply would make it. */
export interface Pending {
  readonly address: string;
  readonly action: Action;
  readonly reason: string;
}

interface Work {
  /** What the manifest alone caused. */
  readonly pending: readonly Pending[];
  /** What nothing but a finding caused, by the address of the finding, or by the id of what has none. */
  readonly consequences: ReadonlyMap<string, readonly Pending[]>;
}

/** What another object takes the place of, or one of several that are there. */
interface Renewed {
  readonly ids: readonly string[];
  /** Addresses or ids of the findings that are the reason. */
  readonly findings: readonly string[];
}

type RenewedObjects = Map<string, Renewed>;

interface MissingObject {
  readonly address: string | null;
  readonly live_id: string | null;
}

interface PendingTask extends Pending {
  readonly live_id?: string | null;
  readonly changes: readonly Change[];
}

/** Sorts what the plan does by its reason; `lost` are the objects that are missing. Doubles go because they are found. */
export function workOf(plan: Plan, lost: readonly MissingObject[], matched: Match): Work {
  const { pairs } = matched;
  const pairByAddress = new Map(pairs.map((pair) => [pair.desired.address, pair]));
  const gone = new Map(lost.map(({ address, live_id: id }) => [address ?? '', id]));
  const doubles = redundantAddresses(matched);
  const renewed = renewedBy(lost, matched);
  const pending = new Map<string, Pending>();
  const consequences = new Map<string, Map<string, Pending>>();
  for (const { changes, live_id: liveId, ...task } of tasksOf(plan, pairByAddress)) {
    const { address, action, reason } = task;
    if (gone.has(address)) continue;
    const pair = pairByAddress.get(address);
    const doubled = doubles.get(liveId ?? '');
    const findings = doubled === undefined ? findingsBehind(changes, renewed) : [doubled];
    const isOutside = changes.length > 0 && changes.every((change) => change.cause !== 'config');
    if (findings !== undefined && pair?.live !== undefined && action === 'replace')
      renewed.set(address, { ids: [pair.live.id], findings: isOutside ? [address] : findings });
    if (isOutside) continue;
    const lists = findings?.map((one) => entryOf(consequences, one)) ?? [pending];
    for (const list of lists) addTo(list, { address, action, reason });
  }
  return {
    pending: [...pending.values()],
    consequences: new Map([...consequences].map(([address, list]) => [address, [...list.values()]])),
  };
}

function addTo(list: Map<string, Pending>, one: Pending): void {
  const key = `${one.action} ${one.address}`;
  if (!list.has(key)) list.set(key, one);
}

/**
 * What is missing comes back as another object; of doubles, and of objects whose marker cannot be read, one is the right one.
 * What follows from several findings is told with the first.
 */
function renewedBy(lost: readonly MissingObject[], { redundant, duplicates, unclear }: Match): RenewedObjects {
  const renewed = new Map<string, { readonly ids: string[]; readonly findings: readonly string[] }>();
  const add = (address: string, ids: readonly string[], finding: string) => {
    const found = renewed.get(address);
    if (found === undefined) renewed.set(address, { ids: [...ids], findings: [finding] });
    else found.ids.push(...ids);
  };
  for (const [address, objects] of [...redundant, ...duplicates])
    add(
      address,
      objects.map(({ id }) => id),
      address,
    );
  for (const { live, address, waiting } of unclear) for (const one of waiting) add(one, [live.id], address ?? live.id);
  for (const { address, live_id: id } of lost) add(address ?? '', id === null ? [] : [id], address ?? '');
  return renewed;
}

function entryOf<T>(lists: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const list = lists.get(key) ?? new Map<string, T>();
  lists.set(key, list);
  return list;
}

/** The steps in their order, a replacement as one, and what is blocked. */
function tasksOf({ steps, blocked }: Plan, pairs: ReadonlyMap<string, Pair>): PendingTask[] {
  const whole = steps.filter(({ phase }) => phase !== 'detach' && phase !== 'delete');
  const blockedFields = blocked.map(({ address, reason, changes = [] }): PendingTask => {
    const pair = pairs.get(address);
    const action = pair === undefined ? 'delete' : pair.live === undefined ? 'create' : 'update';
    return { address, action, reason, changes };
  });
  return [...whole, ...blockedFields];
}

/** The findings that explain what is done; undefined when the manifest has its part in it. */
function findingsBehind(changes: readonly Change[], renewed: RenewedObjects): readonly string[] | undefined {
  if (changes.length === 0) return undefined;
  const own = changes.filter((change) => change.cause === 'config');
  return union(own.map((change) => explainedChange(change, renewed)));
}

/** Two masks look alike, and a difference that does not show has another reason. */
function explainedChange({ before, after, sensitive }: Change, renewed: RenewedObjects): readonly string[] | undefined {
  const findings = sensitive ? [] : explained(before, after, renewed);
  return findings?.length === 0 ? undefined : findings;
}

function union(found: readonly (readonly string[] | undefined)[]): string[] | undefined {
  if (found.includes(undefined)) return undefined;
  return [...new Set(found.flatMap((one) => one ?? []))];
}

/** The findings that make a value another one; none when it is the same, undefined when something else does. */
function explained(before: Json | undefined, after: Json, renewed: RenewedObjects): readonly string[] | undefined {
  if (isList(after)) return isList(before) ? explainedItems(before, after, renewed) : undefined;
  if (isObject(after)) {
    if (!isObject(before) || Object.keys(before).length !== Object.keys(after).length) return undefined;
    return union(Object.entries(after).map(([key, item]) => explained(before[key], item, renewed)));
  }
  if (before === after) return [];
  return typeof before === 'string' && typeof after === 'string' ? explainedText(before, after, renewed) : undefined;
}

/** In any order: that of some lists is the order of ids, which are others now. */
function explainedItems(
  before: readonly Json[],
  after: readonly Json[],
  renewed: RenewedObjects,
): readonly string[] | undefined {
  if (before.length !== after.length) return undefined;
  const texts = new Set(after.map(canonicalJson));
  const kept = new Set(before.map(canonicalJson));
  const left = before.filter((item) => !texts.has(canonicalJson(item)));
  const found = after.filter((item) => !kept.has(canonicalJson(item)));
  return union(
    found.map((item) => {
      const at = left.findIndex((one) => explained(one, item, renewed) !== undefined);
      const [one] = at < 0 ? [] : left.splice(at, 1);
      return explained(one, item, renewed);
    }),
  );
}

interface Piece {
  /** Null for a value that is not known any more. */
  readonly text: string | null;
  readonly findings: readonly string[];
}

function explainedText(before: string, after: string, renewed: RenewedObjects): readonly string[] | undefined {
  const meant = unescapeText(before);
  const pieces = tokensOf(after).map((token): Piece | undefined =>
    token.is === 'text' ? { text: token.text, findings: [] } : pieceOf(token.inner, meant, renewed),
  );
  const texts = pieces.map((piece) => piece?.text ?? null);
  return fits(meant, texts) ? union(pieces.map((piece) => piece?.findings)) : undefined;
}

/** What a reference was in the text before; undefined when it names what is not renewed. */
function pieceOf(reference: string, before: string, renewed: RenewedObjects): Piece | undefined {
  const target = splitReference(reference);
  const object = renewed.get(target?.address ?? '');
  if (object === undefined) return undefined;
  const { ids, findings } = object;
  if (target?.attr !== ID) return { text: null, findings };
  const text = ids.find((id) => before.includes(id));
  return text === undefined ? undefined : { text, findings };
}

/** Whether the text may be these pieces, of which some are not known. */
function fits(text: string, pieces: readonly (string | null)[]): boolean {
  const first = pieces.indexOf(null);
  if (first < 0) return text === pieces.join('');
  const start = pieces.slice(0, first).join('');
  const end = pieces.slice(pieces.lastIndexOf(null) + 1).join('');
  return text.length > start.length + end.length && text.startsWith(start) && text.endsWith(end);
}
