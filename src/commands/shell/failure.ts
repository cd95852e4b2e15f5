// A command that cannot go on: its exit code and every problem, as one value to throw up to the command line; and how
// several such values become one.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';

export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that the problems point into. */
  readonly sources: ReadonlyMap<string, string>;

  constructor(
    exitCode: ExitCode,
    diagnostics: readonly Diagnostic[],
    sources: ReadonlyMap<string, string> = new Map(),
  ) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join('; '));
    this.exitCode = exitCode;
    this.diagnostics = diagnostics;
    this.sources = sources;
  }
}

/** Does several things and keeps what is wrong with any of them: wrong usage and invalid input hide nothing of each other. */
export class Collector {
  readonly #failures: CommandFailure[] = [];

  async take<T>(make: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await make();
    } catch (error) {
      this.add(error);
      return undefined;
    }
  }

  add(error: unknown): void {
    if (!(error instanceof CommandFailure) || !TOGETHER.includes(error.exitCode)) throw error;
    this.#failures.push(error);
  }

  get hasFailed(): boolean {
    return this.#failures.length > 0;
  }

  /** All that was wrong, each problem once. */
  failure(): CommandFailure {
    const found = this.#failures;
    const problems = found.flatMap(({ diagnostics }) => diagnostics);
    const exitCode = TOGETHER.find((code) => found.some((one) => one.exitCode === code)) ?? EXIT.invalid;
    return new CommandFailure(
      exitCode,
      [...new Map(problems.map((one) => [JSON.stringify(one), one])).values()],
      new Map(found.flatMap(({ sources }) => [...sources])),
    );
  }
}

/** What is made of each; fails with all that is wrong with any. */
export function collectAll<T, Made>(given: readonly T[], make: (one: T) => Made): Made[] {
  const collector = new Collector();
  const made = given.flatMap((one) => {
    try {
      return [make(one)];
    } catch (error) {
      collector.add(error);
      return [];
    }
  });
  if (collector.hasFailed) throw collector.failure();
  return made;
}

const TOGETHER: readonly ExitCode[] = [EXIT.usage, EXIT.invalid];
