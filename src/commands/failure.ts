// A command that cannot go on: its exit code and every problem, as one value to throw up to the command line.

import type { Diagnostic } from '../base/diagnostic.ts';
import type { ExitCode } from './exit.ts';

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
