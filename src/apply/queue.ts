// A ready queue: runs tasks once everything they wait for has succeeded, with bounded concurrency. Knows nothing of HTTP.

import { groupEntries } from '../core/group.ts';
import { Places, type Place } from './places.ts';

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
  readonly run: (task: T, place: Place) => Promise<R>;
  /** Called whenever everything has started that can, with the number of tasks that have started and have no result. */
  readonly onStarted?: (underWay: number) => void;
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
  return new Queue(options).run();
}

class Queue<T extends Task, R> {
  readonly #options: QueueOptions<T, R>;
  readonly #results = new Map<string, R>();
  /** How many tasks each task still waits for. */
  readonly #waiting: Map<string, number>;
  /** The tasks that wait for a task, by its id. */
  readonly #followers: ReadonlyMap<string, readonly T[]>;
  readonly #ready: T[] = [];
  readonly #readyLast: T[] = [];
  readonly #errors: unknown[] = [];
  /** Tasks without a result, but for the last ones. */
  #open: number;
  readonly #places: Places;
  /** Tasks that have started and have no result. */
  #underWay = 0;
  #end: () => void = () => undefined;

  constructor(options: QueueOptions<T, R>) {
    const { tasks } = options;
    const ids = new Set(tasks.map(({ id }) => id));
    this.#options = options;
    this.#places = new Places(options.concurrency, () => {
      this.#startReady();
    });
    this.#waiting = new Map(tasks.map((task) => [task.id, task.depends_on.filter((id) => ids.has(id)).length]));
    this.#followers = groupEntries(tasks.flatMap((task) => task.depends_on.map((id) => [id, task] as const)));
    this.#open = tasks.filter(({ last }) => last !== true).length;
  }

  async run(): Promise<R[]> {
    const { tasks, skip } = this.#options;
    for (const task of tasks) if (this.#waiting.get(task.id) === 0) this.#enqueue(task);
    await new Promise<void>((resolve) => {
      this.#end = resolve;
      this.#startReady();
    });
    if (this.#errors.length > 0) throw this.#errors[0];
    return tasks.map((task) => this.#results.get(task.id) ?? skip(task));
  }

  #enqueue(task: T): void {
    (task.last === true ? this.#readyLast : this.#ready).push(task);
  }

  #startReady(): void {
    const { isStopped, onStarted } = this.#options;
    while (this.#places.hasFree() && this.#errors.length === 0 && !isStopped()) {
      const task = this.#nextReady();
      if (task === undefined) break;
      this.#underWay += 1;
      void this.#runTask(task, this.#places.take());
    }
    onStarted?.(this.#underWay);
    if (this.#underWay === 0) this.#end();
  }

  #nextReady(): T | undefined {
    return this.#ready.shift() ?? (this.#open === 0 ? this.#readyLast.shift() : undefined);
  }

  async #runTask(task: T, place: Place): Promise<void> {
    try {
      this.#settle(task, await this.#options.run(task, place));
    } catch (error) {
      this.#errors.push(error);
    }
    this.#underWay -= 1;
    place.leave();
    this.#startReady();
  }

  /** Records a result, and those of the followers that cannot run because of it. */
  #settle(first: T, its: R): void {
    const { isSuccess, isStopped, skip, block } = this.#options;
    // Followers may follow each other through the whole plan, which is too deep for calls.
    const settled = [this.#record(first, its)];
    for (const [task, result] of settled)
      for (const follower of this.#followers.get(task.id) ?? []) {
        if (this.#results.has(follower.id)) continue;
        if (isSuccess(result)) this.#advance(follower);
        else settled.push(this.#record(follower, isStopped() ? skip(follower) : block(follower, task)));
      }
  }

  #record(task: T, result: R): readonly [T, R] {
    this.#results.set(task.id, result);
    if (task.last !== true) this.#open -= 1;
    return [task, result];
  }

  #advance(task: T): void {
    const left = (this.#waiting.get(task.id) ?? 0) - 1;
    this.#waiting.set(task.id, left);
    if (left === 0) this.#enqueue(task);
  }
}
