// What apply would do besides repairing drift: manifest changes, leftover work, consequences of findings. Pure.

import { groupBy } from '../core/group.ts';
import { redundantAddresses, type Match } from '../plan/match/match.ts';
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

/**
 * Sorts the plan's work by cause. A change of an existing object is the consequence of a finding when its step waits for a step
 * that repairs the finding, directly or not, or when the deletion of a duplicate waits for it.
 */
export function workOf(plan: Plan, matched: Match, { gone, remarked }: Outside): Work {
  const doubles = redundantAddresses(matched);
  const isRepair = ({ address, changes }: Pick<Step, 'address' | 'changes'>) =>
    gone.has(address) ||
    ((remarked.has(address) || changes.length > 0) && changes.every((change) => change.cause !== 'config'));
  const findings = findingsBehind(plan.steps, isRepair, doubles);
  const causesOf = ({ id, action, live_id }: Step): readonly string[] => {
    const duplicate = doubles.get(live_id ?? '');
    if (duplicate !== undefined) return [duplicate];
    return action === 'update' || action === 'replace' ? [...(findings.get(id) ?? [])] : [];
  };
  const steps = plan.steps.filter((step) => step.phase !== 'detach' && step.phase !== 'delete' && !isRepair(step));
  const tasks = [
    ...steps.map((step) => ({ task: step, causes: causesOf(step) })),
    ...blockedTasks(plan, matched, isRepair).map((task) => ({ task, causes: [] })),
  ];
  const ofFinding = groupBy(
    tasks.flatMap(({ task, causes }) => causes.map((cause) => ({ task, cause }))),
    ({ cause }) => cause,
  );
  return {
    pending: distinct(tasks.flatMap(({ task, causes }) => (causes.length === 0 ? [task] : []))),
    consequences: new Map([...ofFinding].map(([cause, list]) => [cause, distinct(list.map(({ task }) => task))])),
  };
}

/** What is blocked, as what it would be. */
function blockedTasks(
  { blocked }: Plan,
  { pairs }: Match,
  isRepair: (one: Pick<Step, 'address' | 'changes'>) => boolean,
): Pending[] {
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
  isRepair: (step: Step) => boolean,
  doubles: ReadonlyMap<string, string>,
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map(steps.map((step) => [step.id, new Set(isRepair(step) ? [step.address] : [])]));
  for (const { live_id: id, depends_on: awaited } of steps) {
    const duplicate = doubles.get(id ?? '');
    if (duplicate !== undefined) for (const one of awaited) found.get(one)?.add(duplicate);
  }
  // A step stands behind those that it waits for.
  for (const { id, depends_on: awaited } of steps)
    for (const one of awaited) for (const finding of found.get(one) ?? []) found.get(id)?.add(finding);
  return found;
}
