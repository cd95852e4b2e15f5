// What a command is: its words on the command line, its flags and help, and the function that runs it. A file of the folder
// above exports its commands; nothing else has to know them.

import type { RunOutcome } from '../../core/run-outcome.ts';
import type { Flag } from '../options/flags.ts';
import type { Flags } from '../options/settings.ts';
import type { Invocation } from './invocation.ts';
import type { MetricsFile } from '../files/metrics-file.ts';
import type { SummaryFile } from '../files/summary-file.ts';

/** One command as it was called; `Own` are flags that only it has. */
export interface Call<Own = object> {
  readonly invocation: Invocation;
  /** The arguments; one that takes several words has them all. */
  readonly args: readonly string[];
  /** All flags as they were given, those of this command alone among them. */
  readonly flags: Flags & Own;
  readonly summary: SummaryFile;
  readonly metrics: MetricsFile;
  readonly version: string;
  /** All commands in their order. */
  readonly commands: readonly CommandSpec[];
}

export interface CommandSpec<Own = object> {
  /** Commands are listed by it. */
  readonly position: number;
  /** Name and arguments, such as `apply [planfile]`; below another command, its name comes first. */
  readonly words: string;
  /** What the command does, for the list of commands. */
  readonly text: string;
  /** What the command above it is, where there is one. */
  readonly above?: { readonly name: string; readonly text: string };
  /** What its argument may be. */
  readonly choices?: readonly string[];
  /** In every format it prints for a program, which cannot use a part. */
  readonly isDocument?: true;
  readonly flags: {
    /** What only some commands take, or mean in their own way. */
    readonly own: readonly Flag[];
    readonly manifest?: readonly Flag[];
    readonly output?: readonly Flag[];
    readonly service?: readonly Flag[];
    /** Taken, but without effect here. */
    readonly hidden?: readonly Flag[];
  };
  /** What is said below the flags, beside what follows from them. */
  readonly help: {
    readonly examples: readonly string[];
    /** Names of variables for a service. */
    readonly environment?: readonly string[];
    readonly exits?: readonly RunOutcome[];
  };
  /** A method, so that commands with flags of their own fit into one list. */
  run(call: Call<Own>): Promise<RunOutcome> | RunOutcome;
}

/** The name of a command, without its arguments. */
export function nameOf({ words }: Pick<CommandSpec, 'words'>): string {
  return words.replace(/ [[<].*/, '');
}

/** The value of an option on a command line that may be wrong otherwise; the last one counts. */
export function valueIn(args: readonly string[], option: string): string | undefined {
  const found = args.findLast((arg, index) => arg.startsWith(`${option}=`) || args[index - 1] === option);
  return found?.startsWith(`${option}=`) === true ? found.slice(option.length + 1) : found;
}

/** True when the command line asks for JSON, also when it is wrong otherwise. */
export function wantsJson(args: readonly string[]): boolean {
  return args.includes('--json') || valueIn(args, '--format') === 'json';
}
