// Counts what some work does, without a clock: how often each block of JavaScript runs, which the engine counts (also in the YAML
// library), and how many characters or items the built-in functions visit that are called from there. The same work gives the
// same count on every machine, because nothing depends on time, memory or optimisation.

import { Session, type Profiler } from 'node:inspector';

/** What a call cost; `from` is where it began to search. */
type Cost = (self: unknown, result: unknown, from: number) => number;

const lengthOf = (value: unknown) => (typeof value === 'string' || Array.isArray(value) ? value.length : 1);
const whole: Cost = (self) => lengthOf(self);
const ofResult: Cost = (_, result) => lengthOf(result);

function searched(self: unknown, result: unknown, from: number): number {
  return Math.max(1, (typeof result === 'number' && result >= 0 ? result : lengthOf(self)) - from);
}

/** The characters that a regular expression consumed. What it reads again is for the checker of expressions. */
function matched(self: unknown, result: unknown, from: number): number {
  if (!(self instanceof RegExp)) return 1;
  const found = Array.isArray(result) ? (result as RegExpExecArray) : undefined;
  return found === undefined ? 1 : Math.max(1, found.index + found[0].length - (self.global || self.sticky ? from : 0));
}

const lists = [
  'filter',
  'find',
  'findIndex',
  'findLast',
  'flatMap',
  'includes',
  'indexOf',
  'map',
  'reduce',
  'some',
  'every',
];
const COUNTED: readonly (readonly [owner: object, name: string, cost: Cost])[] = [
  ...[...lists, 'sort', 'join', 'concat', 'shift', 'unshift', 'splice'].map(
    (name) => [Array.prototype, name, whole] as const,
  ),
  [Array.prototype, 'slice', ofResult],
  ...['split', 'replace', 'replaceAll', 'trim', 'trimEnd', 'trimStart', 'normalize', 'toLowerCase'].map(
    (name) => [String.prototype, name, whole] as const,
  ),
  ...['slice', 'repeat', 'padEnd'].map((name) => [String.prototype, name, ofResult] as const),
  ...['indexOf', 'includes'].map((name) => [String.prototype, name, searched] as const),
  [RegExp.prototype, 'exec', matched],
];

const session = new Session();

/** Starts to count. Code that ran before has no counters, so this comes before anything that is counted is imported. */
export function startCounting(): void {
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
}

/** The operations of each of some works that wait for nothing. To read the counters takes long: it is done once after each. */
export function countOperations(works: readonly (() => void)[]): number[] {
  // What ran before is none of theirs.
  blocksRun();
  return works.map((work) => countNatives(work) + blocksRun());
}

/** How often blocks ran since the last call. */
function blocksRun(): number {
  let sum = 0;
  session.post('Profiler.takePreciseCoverage', (_, { result }: Profiler.TakePreciseCoverageReturnType) => {
    for (const { url, functions } of result) {
      if (url.startsWith('node:')) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}

function countNatives(work: () => void): number {
  let sum = 0;
  const undo = COUNTED.map(([owner, name, cost]) => {
    const original = Object.getOwnPropertyDescriptor(owner, name) ?? {};
    const call = original.value as (...values: unknown[]) => unknown;
    const value = function (this: unknown, ...values: unknown[]): unknown {
      const from = this instanceof RegExp ? this.lastIndex : Number(values[1] ?? 0);
      const result = call.apply(this, values);
      sum += cost(this, result, from);
      return result;
    };
    Object.defineProperty(owner, name, { ...original, value });
    return () => Object.defineProperty(owner, name, original);
  });
  try {
    work();
  } finally {
    for (const restore of undo) restore();
  }
  return sum;
}
