// The queue: what waits for what, how many at a time, and one result for each task whatever happens.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runQueue } from '../../src/apply/queue.ts';

interface Task {
  readonly id: string;
  readonly depends_on: readonly string[];
}

const task = (id: string, ...depends_on: string[]): Task => ({ id, depends_on });

interface Given {
  readonly tasks: readonly Task[];
  readonly fails?: readonly string[];
  readonly concurrency?: number;
  /** The queue is stopped as soon as this task begins. */
  readonly stopAt?: string;
}

/** Results in the order of the tasks, tasks in the order of their beginning, and the most at a time. */
async function run({ tasks, fails = [], concurrency = 2, stopAt }: Given) {
  const begun: string[] = [];
  let [active, most, isStopped] = [0, 0, false];
  const results = await runQueue<Task, string>({
    tasks,
    concurrency,
    isStopped: () => isStopped,
    run: async ({ id }) => {
      begun.push(id);
      isStopped ||= id === stopAt;
      active += 1;
      most = Math.max(most, active);
      await Promise.resolve();
      active -= 1;
      return fails.includes(id) ? 'failed' : 'done';
    },
    isSuccess: (result) => result === 'done',
    block: (_, blocker) => `blocked by ${blocker.id}`,
    skip: () => 'skipped',
  });
  return { results, begun, most };
}

interface Row extends Given {
  readonly name: string;
  readonly expect: readonly string[];
  readonly begun?: readonly string[];
}

const CHAIN = [task('c', 'b'), task('b', 'a'), task('a')];

describe('runQueue', () => {
  test('a chain is as long as it likes', async () => {
    const tasks = Array.from({ length: 12_000 }, (_, at) => task(`${at}`, ...(at === 0 ? [] : [`${at - 1}`])));
    expect((await run({ tasks, fails: ['0'] })).results.at(-1)).toBe('blocked by 11998');
  });

  test.each<Row>([
    { name: 'nothing', tasks: [], expect: [] },
    { name: 'one', tasks: [task('a')], expect: ['done'] },
    {
      name: 'each after what it waits for; results in the order of the tasks',
      tasks: CHAIN,
      expect: ['done', 'done', 'done'],
      begun: ['a', 'b', 'c'],
    },
    { name: 'what is not among the tasks is not waited for', tasks: [task('a', 'gone')], expect: ['done'] },
    {
      name: 'all of several',
      tasks: [task('c', 'a', 'b'), task('a'), task('b')],
      expect: ['done', 'done', 'done'],
      begun: ['a', 'b', 'c'],
    },
    {
      name: 'what waits for a failure is blocked by it, and the rest by that',
      tasks: CHAIN,
      fails: ['a'],
      expect: ['blocked by b', 'blocked by a', 'failed'],
      begun: ['a'],
    },
    {
      name: 'what waits for nothing of it goes on',
      tasks: [...CHAIN, task('x')],
      fails: ['a'],
      expect: ['blocked by b', 'blocked by a', 'failed', 'done'],
    },
    {
      name: 'one failure of two is enough',
      tasks: [task('a'), task('b'), task('c', 'a', 'b')],
      fails: ['b'],
      expect: ['done', 'failed', 'blocked by b'],
    },
    {
      name: 'two failures have one result',
      tasks: [task('a'), task('b'), task('c', 'a', 'b')],
      fails: ['a', 'b'],
      expect: ['failed', 'failed', 'blocked by a'],
    },
    {
      name: 'once stopped, nothing begins; what runs has its result',
      tasks: [task('a'), task('b'), task('c')],
      stopAt: 'a',
      concurrency: 1,
      expect: ['done', 'skipped', 'skipped'],
      begun: ['a'],
    },
    {
      name: 'what waits for a failure after the stop is skipped, not blocked',
      tasks: CHAIN,
      fails: ['a'],
      stopAt: 'a',
      expect: ['skipped', 'skipped', 'failed'],
    },
    {
      name: 'a cycle is skipped',
      tasks: [task('a', 'b'), task('b', 'a'), task('c')],
      expect: ['skipped', 'skipped', 'done'],
    },
  ])('$name', async ({ expect: expected, begun, ...given }) => {
    const found = await run(given);
    expect(found.results).toEqual(expected);
    if (begun !== undefined) expect(found.begun).toEqual(begun);
  });

  test.each([1, 2, 5])('at most %i at a time, and as many when there are', async (concurrency) => {
    const tasks = Array.from({ length: 9 }, (_, at) => task(String(at)));
    expect((await run({ tasks, concurrency })).most).toBe(concurrency);
  });

  test('whatever fails, each task runs at most once and has one result', async () => {
    const graphs = fc.array(fc.tuple(fc.array(fc.nat(7), { maxLength: 3 }), fc.boolean()), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(graphs, fc.integer({ min: 1, max: 3 }), async (graph, concurrency) => {
        const tasks = graph.map(([needs], at) => task(String(at), ...needs.filter((one) => one < at).map(String)));
        const fails = graph.flatMap(([, isFailing], at) => (isFailing ? [String(at)] : []));
        const { results, begun } = await run({ tasks, fails, concurrency });
        expect(results).toHaveLength(tasks.length);
        expect(new Set(begun).size).toBe(begun.length);
        tasks.forEach(({ id, depends_on: needs }, at) => {
          const isReady = needs.every((need) => results[Number(need)] === 'done');
          expect(begun.includes(id)).toBe(isReady);
          expect(results[at]?.startsWith('blocked')).toBe(!isReady);
        });
      }),
      { numRuns: 100 },
    );
  });
});

test('the last tasks start when every other has its result, whatever that is', async () => {
  const started: string[] = [];
  const tasks = [
    { id: 'key', depends_on: [], last: true },
    { id: 'a', depends_on: [] },
    { id: 'b', depends_on: ['a'] },
    { id: 'c', depends_on: [] },
  ];
  const results = await runQueue<(typeof tasks)[number], string>({
    tasks,
    concurrency: 4,
    isStopped: () => false,
    run: async ({ id }) => {
      started.push(id);
      await new Promise((next) => setImmediate(next));
      return id === 'c' ? 'failed' : 'done';
    },
    isSuccess: (result) => result === 'done',
    block: () => 'blocked',
    skip: () => 'skipped',
  });
  expect([started, results]).toEqual([
    ['a', 'c', 'b', 'key'],
    ['done', 'done', 'done', 'failed'],
  ]);
});

test('a task that rejects ends nothing that is under way, and nothing new is begun', async () => {
  const ended: string[] = [];
  const options = {
    tasks: [task('a'), task('b'), task('c')],
    concurrency: 2,
    isStopped: () => false,
    run: async ({ id }: Task) => {
      await new Promise((done) => setImmediate(done));
      if (id === 'a') throw new Error('a broke');
      await new Promise((done) => setImmediate(done));
      ended.push(id);
      return 'done';
    },
    isSuccess: () => true,
    block: () => 'blocked',
    skip: () => 'skipped',
  };
  await expect(runQueue<Task, string>(options)).rejects.toThrow('a broke');
  expect(ended).toEqual(['b']);
});

describe('a task that leaves its place', () => {
  /** Runs tasks one at a time; `a` leaves, and enters again when it may go on. */
  async function withOnePlace(ids: readonly string[], isStopped = () => false) {
    const log: string[] = [];
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
    await runQueue<Task, string>({
      tasks: ids.map((id) => task(id)),
      concurrency: 1,
      isStopped,
      run: async ({ id }, place) => {
        log.push(`${id} begins`);
        if (id === 'a') {
          place.leave();
          await mayGoOn;
          await place.enter();
        }
        if (id === 'b') goOn();
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${id} ends`);
        return 'done';
      },
      isSuccess: () => true,
      block: () => 'blocked',
      skip: () => 'skipped',
    });
    return log;
  }

  test('lets the next one begin, and has a place again before those that have not begun', async () => {
    expect(await withOnePlace(['a', 'b', 'c'])).toEqual([
      'a begins',
      'b begins',
      'b ends',
      'a ends',
      'c begins',
      'c ends',
    ]);
  });

  test('has a place again after a stop, and nothing new begins', async () => {
    let begun = 0;
    expect(await withOnePlace(['a', 'b', 'c'], () => (begun += 1) > 2)).toEqual([
      'a begins',
      'b begins',
      'b ends',
      'a ends',
    ]);
  });
});
