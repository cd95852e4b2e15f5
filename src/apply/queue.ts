// A ready queue: runs tasks once everything they wait for has succeeded, with bounded concurrency. Knows nothing of HTTP.

import { groupEntries } from '../core/group.ts';

interface Task {
  readonly id: string;
  readonly depends_on: readonly string[];
  /** Starts when every task that is not among the last has its result, whatever that is. */
  readonly last?: boolean;
}

interface QueueOptions<T extends Task, R> {
  readonly tasks: readonly T[];
  readonly concurrency: number;
  /** True once nothing new may start. */
  readonly isStopped: () => boolean;
  readonly run: (task: T) => Promise<R>;
  readonly isSuccess: (result: R) => boolean;
  /** Result of a task that cannot run because `blocker` did not succeed. */
  readonly block: (task: T, blocker: T) => R;
  /** Result of a task that had not started when the queue was stopped. */
  readonly skip: (task: T) => R;
}

/**
 * Runs all tasks; every task has exactly one result, in the order of the tasks. If `run` rejects, nothing new starts, running
 * tasks finish, and then the queue rejects with the first error.
 */
export async function runQueue<T extends Task, R>(options: QueueOptions<T, R>): Promise<R[]> {
  const { tasks } = options;
  const results = new Map<string, R>();
  const ids = new Set(tasks.map((task) => task.id));
  const waiting = new Map(tasks.map((task) => [task.id, task.depends_on.filter((id) => ids.has(id)).length]));
  const followers = groupEntries(tasks.flatMap((task) => task.depends_on.map((id) => [id, task] as const)));
  const ready: T[] = [];
  const readyLast: T[] = [];
  const enqueue = (task: T) => (task.last === true ? readyLast : ready).push(task);
  tasks.filter((task) => waiting.get(task.id) === 0).forEach(enqueue);
  /** Tasks without a result, but for the last ones. */
  let open = tasks.filter(({ last }) => last !== true).length;
  const errors: unknown[] = [];
  const advance = (task: T) => {
    const left = (waiting.get(task.id) ?? 0) - 1;
    waiting.set(task.id, left);
    if (left === 0) enqueue(task);
  };
  const settle = (first: T, its: R) => {
    // Followers may follow each other through the whole plan, which is too deep for calls.
    const settled: (readonly [T, R])[] = [];
    const record = (task: T, result: R) => {
      results.set(task.id, result);
      if (task.last !== true) open -= 1;
      settled.push([task, result]);
    };
    record(first, its);
    for (const [task, result] of settled)
      for (const follower of followers.get(task.id) ?? []) {
        if (results.has(follower.id)) continue;
        if (options.isSuccess(result)) advance(follower);
        else record(follower, options.isStopped() ? options.skip(follower) : options.block(follower, task));
      }
  };
  let running = 0;
  await new Promise<void>((over) => {
    const startReady = () => {
      while (running < options.concurrency && errors.length === 0 && !options.isStopped()) {
        const task = ready.shift() ?? (open === 0 ? readyLast.shift() : undefined);
        if (task === undefined) break;
        running += 1;
        void runOne(task);
      }
      if (running === 0) over();
    };
    const runOne = async (task: T) => {
      try {
        settle(task, await options.run(task));
      } catch (error) {
        errors.push(error);
      }
      running -= 1;
      startReady();
    };
    startReady();
  });
  if (errors.length > 0) throw errors[0];
  return tasks.map((task) => results.get(task.id) ?? options.skip(task));
}
