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

/** Of the evaluation that is under way, which never waits; `read` is the size of the largest value that a part has read. */
const now = { budget: { steps: Infinity }, read: 0 };
/** Sizes of lists with all that is in them. */
const listSizes = new WeakMap<readonly unknown[], number>();

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length / CHARACTERS;
  return Array.isArray(value) ? (listSizes.get(value) ?? value.length) : 0;
}

interface Costs {
  readonly isReading: boolean;
  readonly makesList: boolean;
  /** Length of a text that is looked for; 0 if none is. */
  readonly searched: number;
  /** Steps for each character of what is read. */
  readonly perCharacter: number;
}

/** The evaluation of a part, which charges what it takes. */
export function metered<Args extends unknown[]>(
  own: (...args: Args) => unknown,
  { isReading, makesList, searched, perCharacter }: Costs,
): (...args: Args) => unknown {
  return (...args) => {
    requireSteps();
    const outer = now.read;
    now.read = 0;
    // Loops and `||` may absorb it, so that it takes much more than a step.
    now.budget.steps -= STEPS_OF_ERROR;
    const value = own(...args);
    const characters = now.read * CHARACTERS;
    if (makesList && Array.isArray(value))
      listSizes.set(
        value,
        value.reduce((sum: number, one) => sum + 1 + sizeOf(one), 0),
      );
    const made = sizeOf(value);
    const search = searched === 0 ? 0 : (characters * Math.min(searched, characters)) / COMPARED;
    now.budget.steps += STEPS_OF_ERROR - 1 - (isReading ? now.read + made : 0) - search - characters * perCharacter;
    now.read = Math.max(outer, made);
    requireSteps();
    return value;
  };
}

function requireSteps(): void {
  if (now.budget.steps < 0) throw new Error(`the policies need more than ${MAX_STEPS} steps`);
}

/** The value, within a budget that others may share. It stays exceeded, whoever absorbs the error. */
export function evaluateWithin(evaluate: () => unknown, budget: Budget): unknown {
  now.budget = budget;
  now.read = 0;
  try {
    return evaluate();
  } finally {
    requireSteps();
  }
}
