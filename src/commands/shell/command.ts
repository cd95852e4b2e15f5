// Defines a command: its words on the command line, its flags and help, and the function that runs it. A file in the parent
// folder exports its commands; nothing else needs to know them.

import type { RunOutcome } from '../../core/run-outcome.ts';
import type { Flag } from '../options/option.ts';
import type { Invocation } from './invocation.ts';
import type { Listener } from './listener.ts';

/** One call of a command. */
export interface Call {
  readonly invocation: Invocation;
  /** The arguments; a variadic one contains all of its words. */
  readonly args: readonly string[];
  /** Event listeners; a command can show which events they missed. */
  readonly listeners: Required<Listener>;
  readonly version: string;
  readonly commands: readonly CommandSpec[];
}

export interface CommandSpec {
  readonly position: number;
  /** Name and arguments, such as `apply [planfile]`; a subcommand begins with its parent's name. */
  readonly words: string;
  /** One-line description, for the list of commands. */
  readonly text: string;
  /** The parent command, if any. */
  readonly above?: { readonly name: string; readonly text: string };
  /** Allowed values of its argument. */
  readonly choices?: readonly string[];
  /** True if every format is for programs, which cannot use partial output. */
  readonly isDocument?: true;
  readonly flags: {
    /** Flags that only some commands have or that mean something different here. */
    readonly own: readonly Flag[];
    readonly manifest?: readonly Flag[];
    readonly output?: readonly Flag[];
    readonly service?: readonly Flag[];
    /** Accepted, but without effect here. */
    readonly hidden?: readonly Flag[];
  };
  /** Text below the flags, in addition to what they imply. */
  readonly help: {
    readonly examples: readonly string[];
    /** Names of environment variables for a service. */
    readonly environment?: readonly string[];
    readonly exits?: readonly RunOutcome[];
  };
  readonly run: (call: Call) => Promise<RunOutcome> | RunOutcome;
}

/** The name of a command, without its arguments. */
export function nameOf({ words }: Pick<CommandSpec, 'words'>): string {
  return words.replace(/ [[<].*/, '');
}
