// Counts the steps of expressions where they are taken, so that each ends, whatever it does, and at the same step every time.

/** Steps that are left. */
export interface Budget {
  steps: number;
}

/** Steps, each about a microsecond, that all policies for one manifest or plan may take together. */
export const MAX_STEPS = 4_000_000;
/** Characters of a text that are one step. */
const CHARACTERS = 64;
/** Characters that are compared with those of a text that is searched, in one step. */
const COMPARED = 1_000;
const STEPS_OF_ERROR = 50;

/** Of the evaluation that is under way, which never waits. */
let budget: Budget = { steps: Infinity };
/** Size of the largest value that a part has read. */
let read = 0;
/** Sizes of lists and maps with all that is in them, of those that expressions made. */
const sizes = new WeakMap<object, number>();

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARACTERS;
  if (typeof value !== 'object' || value === null) return 0;
  return sizes.get(value) ?? (Array.isArray(value) ? value.length : 0);
}

interface Costs {
  readonly isReading: boolean;
  readonly makesList: boolean;
  readonly makesMap: boolean;
  /** Length of a text that is looked for; 0 if none is. */
  readonly searched: number;
  /** Steps for each character of what is read. */
  readonly perCharacter: number;
  /** Length of its longest literal text, which takes no steps by itself. */
  readonly literal: number;
}

/** The evaluation of a part, which charges what it takes. */
export function metered<A, B, C>(
  own: (runner: A, part: B, context: C) => unknown,
  { isReading, makesList, makesMap, searched, perCharacter, literal }: Costs,
): (runner: A, part: B, context: C) => unknown {
  return (runner, part, context) => {
    requireSteps();
    const outer = read;
    read = literal / CHARACTERS;
    // Loops and `||` may absorb it, so that it takes much more than a step.
    budget.steps -= STEPS_OF_ERROR;
    const value = own(runner, part, context);
    const isMade = Array.isArray(value) ? makesList : makesMap;
    if (isMade && typeof value === 'object' && value !== null) sizes.set(value, sizeOfItems(value));
    const made = sizeOf(value);
    let steps = 1 + read * CHARACTERS * perCharacter;
    if (isReading) steps += read + made;
    if (searched > 0) steps += (read * CHARACTERS * Math.min(searched, read * CHARACTERS)) / COMPARED;
    budget.steps += STEPS_OF_ERROR - steps;
    read = Math.max(outer, made);
    return value;
  };
}

function sizeOfItems(items: object): number {
  return Object.values(items).reduce((sum: number, one) => sum + 1 + sizeOf(one), 0);
}

function requireSteps(): void {
  if (budget.steps < 0) throw new Error(`the policies need more than ${MAX_STEPS} steps`);
}

/** The value, within a budget that others may share. Once exceeded it stays so, even if an expression catches the error. */
export function evaluateWithin(evaluate: () => unknown, given: Budget): unknown {
  budget = given;
  read = 0;
  try {
    return evaluate();
  } finally {
    requireSteps();
  }
}
