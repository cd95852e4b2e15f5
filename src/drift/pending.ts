// What apply would do besides repairing drift: manifest changes, leftover work, consequences of findings. Pure.

import { redundantAddresses, type Match, type Pair } from '../plan/match/match.ts';
import type { Change, Plan, Step } from '../plan/plan.ts';
import { findingsBehind, type RenewedObjects } from './explained-change.ts';

/** A change that apply would make and that nobody made outside. */
export type Pending = Pick<Step, 'address' | 'action' | 'reason'>;

interface MissingObject {
  readonly address: string | null;
  readonly live_id: string | null;
}

interface PendingTask extends Pending {
  readonly live_id?: string | null;
  readonly changes: readonly Change[];
}

/**
 * Sorts the plan's work by cause; `lost` are the missing objects, `remarked` the addresses of those that are adopted again because
 * their marker was changed outside. Deletions of duplicates belong to their findings.
 */
export function workOf(
  plan: Plan,
  lost: readonly MissingObject[],
  matched: Match,
  remarked: { readonly has: (address: string) => boolean },
) {
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
    const isOutside = isMadeOutside(changes, remarked.has(address));
    if (findings !== undefined && pair?.live !== undefined && action === 'replace')
      renewed.set(address, { ids: [pair.live.id], findings: isOutside ? [address] : findings });
    if (isOutside) continue;
    const lists = findings?.map((one) => entryOf(consequences, one)) ?? [pending];
    for (const list of lists) addTo(list, { address, action, reason });
  }
  return {
    /** Caused by the manifest, or left by an earlier run. */
    pending: [...pending.values()],
    /** Caused only by a finding, by its address, or by its id if it has none. */
    consequences: new Map<string, Pending[]>([...consequences].map(([address, list]) => [address, [...list.values()]])),
  };
}

/** Without changes, only a marker that was changed gives a reason to write. */
function isMadeOutside(changes: readonly Change[], isRemarked: boolean): boolean {
  return (isRemarked || changes.length > 0) && changes.every((change) => change.cause !== 'config');
}

function addTo(list: Map<string, Pending>, one: Pending): void {
  const key = `${one.action} ${one.address}`;
  if (!list.has(key)) list.set(key, one);
}

/**
 * Missing objects are created anew; among duplicates, and among objects with unreadable markers, one is the right one. A change
 * caused by several findings is reported with the first.
 */
function renewedBy(lost: readonly MissingObject[], { redundant, duplicates, unclear }: Match): RenewedObjects {
  const renewed = new Map<string, { readonly ids: string[]; readonly findings: readonly string[] }>();
  const add = (address: string, ids: readonly string[], finding: string) => {
    const found = renewed.get(address);
    if (found === undefined) renewed.set(address, { ids: [...ids], findings: [finding] });
    else found.ids.push(...ids);
  };
  const idsOf = (objects: readonly { readonly id: string }[]) => objects.map(({ id }) => id);
  for (const [address, objects] of [...redundant, ...duplicates]) add(address, idsOf(objects), address);
  for (const { live, address, waiting } of unclear) for (const one of waiting) add(one, [live.id], address ?? live.id);
  for (const { address, live_id: id } of lost) add(address ?? '', id === null ? [] : [id], address ?? '');
  return renewed;
}

function entryOf<T>(lists: Map<string, Map<string, T>>, key: string): Map<string, T> {
  const list = lists.get(key) ?? new Map<string, T>();
  lists.set(key, list);
  return list;
}

/** The steps in order, with a replacement as one, and what is blocked. */
function tasksOf({ steps, blocked }: Plan, pairs: ReadonlyMap<string, Pair>): PendingTask[] {
  const whole = steps.filter(({ phase }) => phase !== 'detach' && phase !== 'delete');
  const blockedFields = blocked.map(({ address, reason, changes = [] }): PendingTask => {
    const pair = pairs.get(address);
    const action = pair === undefined ? 'delete' : pair.live === undefined ? 'create' : 'update';
    return { address, action, reason, changes };
  });
  return [...whole, ...blockedFields];
}
