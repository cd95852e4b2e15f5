// What apply would do besides repairing drift: manifest changes, leftover work, consequences of findings. Pure.

import { groupBy, groupEntries } from '../core/group.ts';
import { isOwnDoing } from '../plan/count-steps.ts';
import { redundantAddresses } from '../plan/match/disposition.ts';
import type { Match } from '../plan/match/match.ts';
import type { Plan, Step } from '../plan/plan.ts';

/** A change that apply would make and that was not made outside. */
export type Pending = Pick<Step, 'address' | 'action' | 'reason'>;

interface Work {
  /** Caused by the manifest, or left by an earlier run. */
  readonly pending: readonly Pending[];
  /** Caused by a finding, by its address, or by its id if it has none. */
  readonly consequences: ReadonlyMap<string, readonly Pending[]>;
}

interface Outside {
  /** Addresses of missing objects. */
  readonly gone: ReadonlySet<string | null>;
  /** Addresses of objects that are adopted again because their marker was changed outside. */
  readonly remarked: { readonly has: (address: string) => boolean };
}

/** A step or a blocked decision. */
type PlannedWork = Pick<Step, 'address' | 'changes'>;

/** Something that apply would do, and the findings that it is a consequence of; none for work of the manifest. */
interface Task {
  readonly task: Pending;
  readonly causes: readonly string[];
}

/**
 * Sorts the plan's work by cause. A change of an existing object is the consequence of a finding when its step waits for a step
 * that repairs the finding, directly or not, or when the deletion of a duplicate waits for it.
 */
export function workOf(plan: Plan, matched: Match, outside: Outside): Work {
  const isRepair = (work: PlannedWork) => repairs(work, outside);
  const tasks = [
    ...stepTasks(plan, redundantAddresses(matched.dispositions), isRepair),
    ...blockedTasks(plan, matched, isRepair).map((task): Task => ({ task, causes: [] })),
  ];
  return {
    pending: distinct(tasks.flatMap(({ task, causes }) => (causes.length === 0 ? [task] : []))),
    consequences: tasksByCause(tasks),
  };
}

/** True for work that only undoes what was changed outside. */
function repairs({ address, changes }: PlannedWork, { gone, remarked }: Outside): boolean {
  if (gone.has(address)) return true;
  const isAnUpdate = remarked.has(address) || changes.length > 0;
  return isAnUpdate && changes.every(({ cause }) => !isOwnDoing(cause));
}

/** Steps that repair nothing themselves; `duplicates` are addresses by the id of each redundant object. */
function stepTasks(
  { steps }: Plan,
  duplicates: ReadonlyMap<string, string>,
  isRepair: (work: PlannedWork) => boolean,
): Task[] {
  const findings = findingsBehind(steps, isRepair, duplicates);
  const causesOf = ({ id, action, live_id }: Step): readonly string[] => {
    const duplicate = duplicates.get(live_id ?? '');
    if (duplicate !== undefined) return [duplicate];
    return action === 'update' || action === 'replace' ? [...(findings.get(id) ?? [])] : [];
  };
  return steps
    .filter((step) => step.phase !== 'detach' && step.phase !== 'delete' && !isRepair(step))
    .map((step) => ({ task: step, causes: causesOf(step) }));
}

function tasksByCause(tasks: readonly Task[]): ReadonlyMap<string, readonly Pending[]> {
  const byCause = groupEntries(tasks.flatMap(({ task, causes }) => causes.map((cause) => [cause, task] as const)));
  return new Map([...byCause].map(([cause, list]) => [cause, distinct(list)]));
}

/** What is blocked, as what it would be. */
function blockedTasks({ blocked }: Plan, { pairs }: Match, isRepair: (work: PlannedWork) => boolean): Pending[] {
  return blocked.flatMap(({ address, message, changes = [] }) => {
    if (isRepair({ address, changes })) return [];
    const pair = pairs.find(({ desired }) => desired.address === address);
    return [
      {
        address,
        action: pair === undefined ? 'delete' : pair.live === undefined ? 'create' : 'update',
        reason: { code: 'blocked', text: message },
      },
    ];
  });
}

/** One for each action on an address. */
function distinct(tasks: readonly Pending[]): Pending[] {
  const found = groupBy(tasks, ({ action, address }) => `${action} ${address}`);
  return [...found.values()].map(([{ address, action, reason }]) => ({ address, action, reason }));
}

/** The findings that each step repairs, or that the steps which it waits for repair; by the step's id. */
function findingsBehind(
  steps: readonly Step[],
  isRepair: (work: PlannedWork) => boolean,
  duplicates: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(steps.map((step) => [step.id, new Set(isRepair(step) ? [step.address] : [])]));
  for (const { live_id: id, depends_on: awaited } of steps) {
    const duplicate = duplicates.get(id ?? '');
    if (duplicate !== undefined) for (const step of awaited) found.get(step)?.add(duplicate);
  }
  // A step stands behind those that it waits for.
  for (const { id, depends_on: awaited } of steps)
    for (const step of awaited) for (const finding of found.get(step) ?? []) found.get(id)?.add(finding);
  return found;
}
