// An error that ends a run: its outcome and all of its problems, thrown up to the caller. Also merges several failures into
// one.

import type { Code } from './codes.ts';
import { hasErrors, type Diagnostic, type QuotedFiles, type Result } from './diagnostic.ts';
import type { RunOutcome } from './run-outcome.ts';

/** Thrown by the engine and by commands. Any other exception is a bug. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly outcome: RunOutcome;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that the problems point to. */
  readonly sources: QuotedFiles;

  constructor(outcome: RunOutcome, diagnostics: readonly Diagnostic[], sources: QuotedFiles = new Map()) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('; '));
    this.outcome = outcome;
    this.diagnostics = diagnostics;
    this.sources = sources;
  }

  static of(outcome: RunOutcome, code: Code, message: string, fix?: string): Failure {
    return new Failure(outcome, [{ code, severity: 'error', message, ...(fix !== undefined && { fix }) }]);
  }
}

/** An invalid command line or option, and what to use instead. */
export function usageError(message: string, fix: string): Failure {
  return Failure.of('usage', 'bad-usage', message, fix);
}

/** Runs several steps and collects the problems of all of them, so that usage errors and invalid input are reported together. */
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

  /** Everything that was wrong, each problem once. */
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

/** Maps every item; if any of them fails, throws one failure with all problems. */
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

/** The value, or a thrown failure for invalid input. */
export function requireValue<T>(outcome: Result<T>): T {
  const { value, diagnostics } = outcome;
  if (value === undefined || hasErrors(diagnostics)) throw new Failure('invalid', diagnostics);
  return value;
}
