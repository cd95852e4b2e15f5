// The command line: names and flags of every command. Knows what each takes, not what it does.

import { Argument, Command, CommanderError, Option } from 'commander';
import type { Format } from '../render/formats.ts';
import { isFormat, isLog, renderDiagnosticsAs } from '../render/formats.ts';
import { errorJson } from '../render/json/json.ts';
import { apply } from './apply.ts';
import { completion, SHELLS } from './completion.ts';
import { openOutputFilter } from './shell/output-filter.ts';
import type { EmulatorFlags } from './emulator.ts';
import { emulator } from './emulator.ts';
import type { RunOutcome } from '../core/run-outcome.ts';
import { drift } from './drift.ts';
import { explain, schema } from './explain.ts';
import type { ExportFlags } from './export.ts';
import { exportLive } from './export.ts';
import { Failure } from '../core/failure.ts';
import type { CommandFlags, Flag } from './options/flags.ts';
import { COMMAND_FLAGS } from './options/flags.ts';
import { graph } from './graph.ts';
import { addHelp, helpLayout, helpWidth } from './options/help.ts';
import type { Host } from './shell/host.ts';
import type { InitFlags } from './init.ts';
import { init } from './init.ts';
import { unexpectedError } from './shell/unexpected-error.ts';
import type { Flags } from './options/settings.ts';
import { readSettings } from './options/settings.ts';
import { EXIT_CODES } from '../core/run-outcome.ts';
import type { Invocation } from './shell/invocation.ts';
import { invoke, renderOptionsOf } from './shell/invocation.ts';
import type { OutputFlags } from './output.ts';
import { output } from './output.ts';
import { plan, showSavedPlan } from './plan.ts';
import { listSessions, revokeSessions } from './sessions.ts';
import type { SummaryFile } from './shell/summary-file.ts';
import { withSummaryFile } from './shell/summary-file.ts';
import { usageProblem, wrongUsage } from './options/usage.ts';
import { validate } from './validate.ts';

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
function commandOf(parent: Command, words: string, description: string, name = words): Command {
  const command = parent.command(words).description(description);
  const { own, manifest = [], output: written = [], service = [], hidden = [] } = flagsOf(name);
  for (const flag of own) command.addOption(optionOf(flag));
  const groups = { 'Manifest:': manifest, 'Output:': written, 'Service:': service };
  for (const [heading, flags] of Object.entries(groups))
    for (const flag of flags) command.addOption(optionOf(flag).helpGroup(heading));
  for (const flag of hidden) command.addOption(optionOf(flag).hideHelp());
  return command;
}

function flagsOf(name: string): CommandFlags {
  return COMMAND_FLAGS[name.replace(/ [[<].*/, '')] ?? { own: [] };
}

type CommandRunner = (ended: Promise<RunOutcome> | RunOutcome) => Promise<void>;

function build(host: Host, version: string, run: CommandRunner): Command {
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
  const summed = (flags: Flags, work: (invocation: Invocation, summary: SummaryFile) => Promise<RunOutcome>) => {
    const invocation = invoke(flags, host);
    return run(withSummaryFile(invocation, (summary) => work(invocation, summary)));
  };
  commandOf(program, 'validate', 'check the manifest; no network, no credentials, no values of variables').action(
    (flags: Flags) => summed(flags, validate),
  );
  commandOf(program, 'plan', 'show what apply would do; never writes').action((flags: Flags) => summed(flags, plan));
  commandOf(program, 'apply [planfile]', 'carry out a new or saved plan, after confirmation').action(
    (planFile: string | undefined, flags: Flags) => {
      const mode = { destroy: false, ...(planFile !== undefined && { planFile }) };
      return summed(flags, (invocation, summary) => apply(invocation, mode, summary));
    },
  );
  commandOf(program, 'drift', 'compare live state with the manifest and show who changed what').action((flags: Flags) =>
    summed(flags, drift),
  );
  commandOf(program, 'show <planfile>', 'print a saved plan; no network').action((planFile: string, flags: Flags) =>
    run(showSavedPlan(planFile, invoke(flags, host))),
  );
  commandOf(program, 'destroy', 'delete everything the stack owns').action((flags: Flags) =>
    summed(flags, (invocation, summary) => apply(invocation, { destroy: true }, summary)),
  );
  verbs(program, { host, version, run });
  addHelp(program, helpWidth(host));
  return program;
}

interface ProgramContext {
  readonly host: Host;
  readonly version: string;
  readonly run: CommandRunner;
}

/** Commands that make no plan. */
function verbs(program: Command, { host, version, run }: ProgramContext): void {
  commandOf(
    program,
    'schema [kind|document]',
    'print the JSON Schema of manifests, of one kind, or of a document that a command prints',
  ).action((kind: string | undefined) => run(schema(kind, host)));
  commandOf(
    program,
    'explain [kind[.field]]',
    'explain a kind, a field or another manifest key; without a name, list them',
  ).action((path: string | undefined) => run(explain(path, host)));
  commandOf(program, 'export', 'write live state as a manifest; never writes to the service').action(
    (flags: ExportFlags & Flags) => run(exportLive(flags, invoke(flags, host))),
  );
  commandOf(program, 'emulator', 'serve the whole API on loopback').action((flags: EmulatorFlags) =>
    run(emulator(flags, host)),
  );
  commandOf(program, 'output [name]', 'print outputs and computed values (ADDRESS[.ATTR]); never writes').action(
    (name: string | undefined, flags: OutputFlags & Flags) => run(output(name, flags, invoke(flags, host))),
  );
  commandOf(program, 'graph', 'print the dependencies between resources; no network').action(
    ({ format, ...flags }: Flags) => run(graph(format, invoke(flags, host))),
  );
  sessionsCommands(program, { host, run });
  commandOf(program, 'init [dir]', 'write a starter manifest, and optionally a CI pipeline').action(
    (dir: string | undefined, flags: InitFlags & Flags) => run(init(dir, flags, invoke(flags, host), version)),
  );
  commandOf(program, 'completion', 'print a shell completion script')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .action((shell: string) => run(completion(shell, program, host)));
}

function sessionsCommands(program: Command, { host, run }: Pick<ProgramContext, 'host' | 'run'>): void {
  const sessions = program.command('sessions').description('list or revoke application sessions');
  commandOf(sessions, 'list', 'list application sessions; never writes', 'sessions list').action((flags: Flags) =>
    run(listSessions(invoke(flags, host))),
  );
  commandOf(sessions, 'revoke <id...>', 'revoke application sessions', 'sessions revoke').action(
    (ids: string[], flags: Flags) => run(revokeSessions(ids, invoke(flags, host))),
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
  const program = build(host, version, async (ended) => {
    outcome = await ended;
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
