// The command line: commander's view of the commands, and what is printed when one fails. Knows no command by name.

import { Argument, Command, CommanderError, Option } from 'commander';
import { Failure } from '../../core/failure.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { EXIT_CODES } from '../../core/run-outcome.ts';
import type { Format } from '../../render/formats.ts';
import { isFormat, isLog, renderDiagnosticsAs } from '../../render/formats.ts';
import { errorJson } from '../../render/json/json.ts';
import { commands } from '../index.ts';
import type { Flag } from '../options/flags.ts';
import { helpLayout, helpText, helpWidth } from '../options/help.ts';
import type { Flags } from '../options/settings.ts';
import { readSettings } from '../options/settings.ts';
import { usageProblem, wrongUsage } from '../options/usage.ts';
import type { Call, CommandSpec } from './command.ts';
import type { Host } from './host.ts';
import { invoke, renderOptionsOf } from './invocation.ts';
import { openOutputFilter } from './output-filter.ts';
import { withSummaryFile } from './summary-file.ts';
import { unexpectedError } from './unexpected-error.ts';

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function optionOf({ flags, text, isRepeatable, initial, choices }: Flag): Option {
  const option = new Option(flags, text);
  if (choices !== undefined) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  return isRepeatable === true ? option.argParser(collect) : option;
}

/** A command with its flags, its own first. */
function addCommand(parent: Command, spec: CommandSpec, { host, run }: ProgramContext): Command {
  const words = spec.above === undefined ? spec.words : spec.words.slice(spec.above.name.length + 1);
  const command = parent.command(words.replace(/ <shell>/, '')).description(spec.text);
  if (spec.choices !== undefined) command.addArgument(new Argument('<shell>', 'the shell').choices(spec.choices));
  const { own, manifest = [], output: written = [], service = [], hidden = [] } = spec.flags;
  for (const flag of own) command.addOption(optionOf(flag));
  const groups = { 'Manifest:': manifest, 'Output:': written, 'Service:': service };
  for (const [heading, flags] of Object.entries(groups))
    for (const flag of flags) command.addOption(optionOf(flag).helpGroup(heading));
  for (const flag of hidden) command.addOption(optionOf(flag).hideHelp());
  command.addHelpText('after', helpText(spec.help, helpWidth(host)));
  return command.action(() => run(spec, command.args, command.opts()));
}

interface ProgramContext {
  readonly host: Host;
  readonly version: string;
  readonly run: (spec: CommandSpec, args: readonly string[], flags: Call['flags']) => Promise<void>;
}

function build(context: ProgramContext): Command {
  const { host, version } = context;
  const program = new Command('edgeform')
    .description('Declarative reconciler for the Edge Ingress Management API.')
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureHelp(helpLayout(host))
    .configureOutput({
      getOutHelpWidth: () => helpWidth(host),
      getErrHelpWidth: () => helpWidth(host),
      writeOut: (text) => {
        host.stdout.write(text);
      },
      writeErr: (text) => {
        host.stderr.write(text);
      },
      outputError: (text, write) => {
        write(wrongUsage(text));
      },
    });
  for (const spec of [...commands].sort((one, other) => one.position - other.position))
    addCommand(parentOf(program, spec), spec, context);
  return program;
}

/** The program, or the command that this one is below. */
function parentOf(program: Command, { above }: CommandSpec): Command {
  if (above === undefined) return program;
  return (
    program.commands.find((one) => one.name() === above.name) ?? program.command(above.name).description(above.text)
  );
}

/** Runs one command line and gives its exit code. Every problem is printed, in the format that was asked for. */
export async function main(args: readonly string[], outer: Host, version: string): Promise<RunOutcome> {
  const { host, close } = openOutputFilter(outer);
  try {
    return await carryOut(args, host, version);
  } finally {
    close();
  }
}

async function carryOut(args: readonly string[], host: Host, version: string): Promise<RunOutcome> {
  let outcome: RunOutcome = 'done';
  const program = build({
    host,
    version,
    run: async (spec, given, flags) => {
      const invocation = invoke(flags, host);
      outcome = await withSummaryFile(invocation, (summary) =>
        spec.run({ invocation, args: given, flags, summary, version, program }),
      );
    },
  });
  try {
    // Subcommands are made before exitOverride reaches them, so each gets its own.
    for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
      command.exitOverride().configureOutput(program.configureOutput()).configureHelp(program.configureHelp());
    await program.parseAsync([...args], { from: 'user' });
    return outcome;
  } catch (error) {
    return explainFailure(error, args, host);
  }
}

/** True when the command line asks for JSON, also when it is wrong otherwise. */
export function wantsJson(args: readonly string[]): boolean {
  return args.some(
    (arg, index) => arg === '--json' || arg === '--format=json' || (arg === '--format' && args[index + 1] === 'json'),
  );
}

/** `--color` of a command line that may be wrong otherwise. */
function colorOf(args: readonly string[]): Flags {
  const found = args.find((arg, index) => arg.startsWith('--color=') || args[index - 1] === '--color');
  const color = found?.replace(/^--color=/, '');
  return color === 'always' || color === 'never' ? { color } : {};
}

function explainFailure(error: unknown, args: readonly string[], host: Host): RunOutcome {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 'done';
    // The reason is on stderr already.
    if (!isLog(formatIn(args))) printFailure(new Failure('usage', [usageProblem(error.message)]), args, host);
    return 'usage';
  }
  const failure = error instanceof Failure ? error : unexpectedError(error);
  printFailure(failure, args, host);
  return failure.outcome;
}

/** `--format` of a command line that may be wrong otherwise. */
function formatIn(args: readonly string[]): Format {
  if (wantsJson(args)) return 'json';
  const found = args.find((arg, index) => arg.startsWith('--format=') || args[index - 1] === '--format');
  const name = found?.replace(/^--format=/, '') ?? '';
  return isFormat(name) ? name : 'text';
}

/** A document takes the place of the command's own; a log has problems on stderr. */
function printFailure(failure: Failure, args: readonly string[], host: Host): void {
  const format = formatIn(args);
  const style = renderOptionsOf({ settings: readSettings(colorOf(args), host.env), env: host.env }, host.stderr);
  const text =
    format === 'json'
      ? errorJson(EXIT_CODES[failure.outcome], failure.diagnostics)
      : renderDiagnosticsAs(format, failure, style);
  (isLog(format) ? host.stderr : host.stdout).write(`${text}\n`);
}
