// The command line for commander. Knows no command by name. Loads little, because it often only prints help.

import { Argument, Command, CommanderError, Option } from 'commander';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { commands } from '../index.ts';
import type { Flag } from '../options/flags.ts';
import { helpLayout, helpText, helpWidth } from '../options/help.ts';
import { wrongUsage } from '../options/usage.ts';
import { wantsJson, type Call, type CommandSpec } from './command.ts';
import type { Host } from './host.ts';
import { openOutputFilter } from './output-filter.ts';
import { printUnexpectedError } from './unexpected-error.ts';

const sorted = [...commands].sort((one, other) => one.position - other.position);

function optionOf({ flags, text, isRepeatable, initial, choices }: Flag): Option {
  const option = new Option(flags, text);
  if (choices !== undefined) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  return isRepeatable === true
    ? option.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value])
    : option;
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
  command.addHelpText('after', () => helpText(spec, helpWidth(host)));
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
      writeOut: (text) => host.stdout.write(text),
      writeErr: (text) => host.stderr.write(text),
      outputError: (text, write) => write(wrongUsage(text)),
    });
  for (const spec of sorted) addCommand(parentOf(program, spec), spec, context);
  return program;
}

function parentOf(program: Command, { above }: CommandSpec): Command {
  if (above === undefined) return program;
  return (
    program.commands.find((one) => one.name() === above.name) ?? program.command(above.name).description(above.text)
  );
}

/** Runs one command line and returns its outcome. Prints every problem in the requested format. */
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
      const { perform } = await import('./perform.ts');
      outcome = await perform(spec, { args: given, flags, version, commands: sorted, line: args }, host);
    },
  });
  try {
    // Subcommands are created before exitOverride reaches them, so each gets its own.
    for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
      command.exitOverride().configureOutput(program.configureOutput()).configureHelp(program.configureHelp());
    await program.parseAsync([...args], { from: 'user' });
    return outcome;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 'done';
    try {
      const { explainFailure, explainUsage } = await import('./perform.ts');
      return error instanceof CommanderError
        ? explainUsage(error.message, args, host)
        : explainFailure(error, args, host);
    } catch (missing) {
      const isJson = wantsJson(args);
      printUnexpectedError(missing, isJson ? host.stdout : host.stderr, isJson);
      return 'error';
    }
  }
}
