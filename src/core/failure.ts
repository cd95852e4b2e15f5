// A run that cannot go on: its outcome and every problem, as one value to throw up to who began it; and how several such
// values become one.

import type { Code } from './codes.ts';
import type { Diagnostic, Result } from './diagnostic.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Thrown by the engine and by commands. Everything else that is thrown is a mistake of ours. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly outcome: RunOutcome;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that the problems point into. */
  readonly sources: ReadonlyMap<string, string>;

  constructor(
    outcome: RunOutcome,
    diagnostics: readonly Diagnostic[],
    sources: ReadonlyMap<string, string> = new Map(),
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('; '));
    this.outcome = outcome;
    this.diagnostics = diagnostics;
    this.sources = sources;
  }

  /** One problem alone. */
  static of(outcome: RunOutcome, code: Code, message: string, fix?: string): Failure {
    return new Failure(outcome, [{ code, severity: 'error', message, ...(fix !== undefined && { fix }) }]);
  }
}

/** A wrong command line or option, and what to give in its place. */
export function usageError(message: string, fix: string): Failure {
  return Failure.of('usage', 'bad-usage', message, fix);
}

/** Does several things and keeps what is wrong with any of them: wrong usage and invalid input hide nothing of each other. */
export class Collector {
  readonly #failures: Failure[] = [];

  async take<T>(make: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await make();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  try<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  add(error: unknown): void {
    if (!(error instanceof Failure) || !TOGETHER.includes(error.outcome)) throw error;
    this.#failures.push(error);
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** All that was wrong, each problem once. */
  failure(): Failure {
    const found = this.#failures;
    const problems = found.flatMap(({ diagnostics }) => diagnostics);
    const outcome = TOGETHER.find((code) => found.some((one) => one.outcome === code)) ?? 'invalid';
    return new Failure(
      outcome,
      [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()],
      new Map(found.flatMap(({ sources }) => [...sources])),
    );
  }
}

/** What is made of each; fails with all that is wrong with any. */
export function collectAll<T, Made>(given: readonly T[], make: (one: T) => Made): Made[] {
  const collector = new Collector();
  const made = given.flatMap((one) => {
    const result = collector.try(() => ({ value: make(one) }));
    return result === undefined ? [] : [result.value];
  });
  if (collector.hasFailed) throw collector.failure();
  return made;
}

const TOGETHER: readonly RunOutcome[] = ['usage', 'invalid'];

/** The value, or a failure for invalid input. */
export function requireValue<T>(outcome: Result<T>): T {
  if (outcome.value === undefined) throw new Failure('invalid', outcome.diagnostics);
  return outcome.value;
}
