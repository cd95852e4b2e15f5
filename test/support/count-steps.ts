// Counts what work is made of, for tests of how it grows: entries put into maps and sets, steps of iterators over maps, sets
// and lists, and the length of each list that is searched, mapped or sorted. A copy or a search of everything shows in it.

const iterators = [new Map().entries(), new Set().values(), [].values()].map(
  (iterator) => Object.getPrototypeOf(iterator) as object,
);
const searches = ['filter', 'find', 'findIndex', 'flatMap', 'includes', 'indexOf', 'map', 'reduce', 'some', 'sort'];
const counted: readonly (readonly [owner: object, name: string])[] = [
  ...iterators.map((owner) => [owner, 'next'] as const),
  [Map.prototype, 'set'],
  [Set.prototype, 'add'],
  ...searches.map((name) => [Array.prototype, name] as const),
];

/** The steps of some work that waits for nothing. */
export function countSteps(work: () => void): number {
  const stop = startCounting();
  try {
    work();
  } finally {
    stop();
  }
  return stop();
}

/** The same for work that waits for promises only. */
export async function countStepsOf(work: () => Promise<void>): Promise<number> {
  const stop = startCounting();
  try {
    await work();
  } finally {
    stop();
  }
  return stop();
}

function startCounting(): () => number {
  let steps = 0;
  const undo = counted.map(([owner, name]) => {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    const call = original.value as (...values: unknown[]) => unknown;
    const value = function (this: unknown, ...values: unknown[]): unknown {
      steps += owner === Array.prototype ? (this as unknown[]).length : 1;
      return call.apply(this, values);
    };
    Object.defineProperty(owner, name, { ...original, value });
    return () => Object.defineProperty(owner, name, original);
  });
  return () => {
    for (const restore of undo.splice(0)) restore();
    return steps;
  };
}

/** How many times as many steps the work takes for twice the count. */
export function growth(count: number, workFor: (count: number) => () => void): number {
  const [once = 0, twice = 0] = [count, 2 * count].map((size) => countSteps(workFor(size)));
  return twice / once;
}
