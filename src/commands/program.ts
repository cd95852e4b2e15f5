// The command line: names and flags of every command. Knows what each takes, not what it does.

import { Argument, Command, CommanderError, Option } from 'commander';
import type { Format } from '../render/formats.ts';
import { isFormat, isLog, renderDiagnosticsAs } from '../render/formats.ts';
import { errorJson } from '../render/json.ts';
import { apply } from './apply.ts';
import { completion, SHELLS } from './completion.ts';
import { openDoor } from './door.ts';
import type { EmulatorFlags } from './emulator.ts';
import { emulator } from './emulator.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import { drift } from './drift.ts';
import { explain, schema } from './explain.ts';
import type { ExportFlags } from './export.ts';
import { exportLive } from './export.ts';
import { CommandFailure } from './failure.ts';
import { graph, GRAPH_FORMATS } from './graph.ts';
import { addHelp } from './help.ts';
import type { Host } from './host.ts';
import type { InitFlags } from './init.ts';
import { CI_SERVICES, init } from './init.ts';
import { mistake } from './mistake.ts';
import type { RawOptions } from './options.ts';
import { styleOf } from './options.ts';
import type { OutputFlags } from './output.ts';
import { output } from './output.ts';
import { plan, show } from './plan.ts';
import { listSessions, revokeSessions } from './sessions.ts';
import { withSummary } from './summary.ts';
import { usageProblem, wrongUsage } from './usage.ts';
import { validate } from './validate.ts';

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}

function sourceFlags(command: Command): Command {
  return command
    .option('-f, --file <path>', 'manifest file, directory, glob or - (repeatable)', collect)
    .option('--var <name=value>', 'value of a variable (repeatable)', collect)
    .option('--var-file <file>', 'values of variables (repeatable)', collect);
}

/** Formats of what people read in many places: plans, reports and problems. */
function documentFlags(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'text, json, markdown, html, github or gitlab').default('text'))
    .addOption(new Option('--color <when>', 'auto, always or never').default('auto'));
}

function manifestFlags(command: Command): Command {
  return documentFlags(sourceFlags(command)).option('--summary-file <file>', 'append a Markdown summary to this file');
}

function formatFlags(command: Command): Command {
  return command
    .addOption(new Option('--format <format>', 'text or json').default('text'))
    .addOption(new Option('--color <when>', 'auto, always or never').default('auto'));
}

function showFlags(command: Command): Command {
  return documentFlags(command).addOption(new Option('--detail <level>', 'names, changes or full').default('changes'));
}

function connectionFlags(command: Command): Command {
  return command
    .option('--base-url <url>', 'address of the service (else EDGEFORM_BASE_URL)')
    .option('--api-key-file <file>', 'file with the API key (else EDGEFORM_API_KEY)')
    .option('--concurrency <count>', 'requests or steps at a time')
    .option('--deadline <seconds>', 'time for the whole run; then nothing new is started')
    .option('--settle <seconds>', 'how long a lost creation is looked for (default: 20)')
    .option('--debug', 'trace of requests on stderr, without secrets');
}

function serviceFlags(command: Command): Command {
  return connectionFlags(manifestFlags(command))
    .addOption(new Option('--detail <level>', 'names, changes or full').default('changes'))
    .option('--allow-deletes <count>', 'deletions and replacements to allow, or all')
    .option('--allow-replace <address>', 'irreplaceable object that may be replaced (repeatable)', collect)
    .option('--journal <file>', 'where writes are noted before they are sent (default: .edgeform/STACK.journal.jsonl)')
    .option('--token-dir <dir>', 'directory for tokens of API keys, one 0600 file each; only apply writes to it');
}

function writeFlags(command: Command): Command {
  return serviceFlags(command)
    .option('--auto-approve', 'do not ask')
    .option('--events <file>', 'what happens, as JSON lines; - is standard output')
    .option('--resolve <address=id>', 'what an unknown creation came to: its id, or absent (repeatable)', collect);
}

type Run = (code: Promise<ExitCode> | ExitCode) => Promise<void>;

function build(host: Host, version: string, run: Run): Command {
  const program = new Command('edgeform')
    .description('Declarative reconciler for the Edge Ingress Management API.')
    .version(version)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
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
  validateCommand(program).action((raw: RawOptions) =>
    run(withSummary(raw, host, (summary) => validate(raw, host, summary))),
  );
  serviceFlags(program.command('plan').description('show what apply would do; never writes'))
    .option('--target <address>', 'only this resource and what it refers to (repeatable)', collect)
    .option('--detailed-exitcode', 'exit with 2 when something is pending')
    .option('--out <file>', 'save the plan as JSON')
    .action((raw: RawOptions) => run(withSummary(raw, host, (summary) => plan(raw, host, summary))));
  writeFlags(
    program.command('apply [planfile]').description('plan, or take a saved plan, ask, and make the live state match'),
  )
    .option('--target <address>', 'only this resource and what it refers to (repeatable)', collect)
    .action((planFile: string | undefined, raw: RawOptions) =>
      run(
        withSummary(raw, host, (summary) =>
          apply(raw, host, { destroy: false, summary, ...(planFile !== undefined && { planFile }) }),
        ),
      ),
    );
  serviceFlags(program.command('drift').description('compare live state with the manifest and say who changed what'))
    .option('--target <address>', 'only this resource and what it refers to (repeatable)', collect)
    .option('--ignore <file>', 'findings that are known, each with a reason and a last day')
    .action((raw: RawOptions) => run(withSummary(raw, host, (summary) => drift(raw, host, summary))));
  showFlags(program.command('show <planfile>').description('print a saved plan; no network')).action(
    (planFile: string, raw: RawOptions) => run(show(planFile, raw, host)),
  );
  writeFlags(program.command('destroy').description('delete everything the stack owns')).action((raw: RawOptions) =>
    run(withSummary(raw, host, (summary) => apply(raw, host, { destroy: true, summary }))),
  );
  program
    .command('schema [kind|document]')
    .description('print the JSON Schema of manifests, of one kind, or of a document that a command prints')
    .action((kind: string | undefined) => run(schema(kind, host)));
  program
    .command('explain [kind[.field]]')
    .description('print what a kind, a field or another key of a manifest means; without a name, what there is')
    .action((path: string | undefined) => run(explain(path, host)));
  exportCommand(program).action((raw: ExportFlags) => run(exportLive(raw, host)));
  emulatorCommand(program).action((flags: EmulatorFlags) => run(emulator(flags, host)));
  verbs(program, { host, version, run });
  addHelp(program);
  return program;
}

interface Ground {
  readonly host: Host;
  readonly version: string;
  readonly run: Run;
}

/** Commands that make no plan. */
function verbs(program: Command, { host, version, run }: Ground): void {
  connectionFlags(formatFlags(sourceFlags(program.command('output [name]'))))
    .description('print values that the service chose: an output, or ADDRESS[.ATTR]; never writes')
    .option('--json', 'the same as --format json')
    .action((name: string | undefined, flags: OutputFlags) => run(output(name, flags, host)));
  sourceFlags(program.command('graph').description('print what the resources need of each other; no network'))
    .addOption(new Option('--format <format>', 'language of the graph').choices(GRAPH_FORMATS).default('mermaid'))
    .addOption(new Option('--color <when>', 'auto, always or never').default('auto'))
    .action((raw: RawOptions) => run(graph(raw, host)));
  const sessions = program.command('sessions').description('application sessions: list them, or end some');
  connectionFlags(formatFlags(sessions.command('list').description('list application sessions; never writes'))).action(
    (raw: RawOptions) => run(listSessions(raw, host)),
  );
  connectionFlags(formatFlags(sessions.command('revoke <id...>').description('end application sessions')))
    .option('--auto-approve', 'do not ask')
    .action((ids: string[], raw: RawOptions) => run(revokeSessions(ids, raw, host)));
  formatFlags(program.command('init [dir]').description('write a first manifest, and CI files on request'))
    .option('--stack <name>', 'name of the stack (default: made of the name of the directory)')
    .addOption(new Option('--ci <service>', 'also write a pipeline').choices(CI_SERVICES))
    .action((dir: string | undefined, flags: InitFlags) => run(init(dir, flags, host, version)));
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .description('print a script that completes commands and flags')
    .action((shell: string) => run(completion(shell, program, host)));
}

function validateCommand(program: Command): Command {
  const words = 'check the manifest; no network, no credentials, no values of variables';
  return manifestFlags(program.command('validate').description(words)).option(
    '--require-vars',
    'ask for a value of every variable that is used',
  );
}

function exportCommand(program: Command): Command {
  return program
    .command('export')
    .description('write live state as a manifest; never writes to the service')
    .option('--stack <name>', 'what this stack owns')
    .option('--unmanaged', 'what no stack owns, with adoption lines')
    .option('--all', 'what no stack owns, and a list of everything else')
    .option('--name <stack>', 'stack of the new manifest (default: imported)')
    .option('--out <path>', 'new file, or directory, to write to (default: standard output)')
    .option('--split', 'one file for each kind; --out names a directory')
    .option('--base-url <url>', 'address of the service (else EDGEFORM_BASE_URL)')
    .option('--api-key-file <file>', 'file with the API key (else EDGEFORM_API_KEY)')
    .addOption(new Option('--format <format>', 'text or json').default('text'))
    .addOption(new Option('--color <when>', 'auto, always or never').default('auto'))
    .option('--concurrency <count>', 'requests at a time')
    .option('--deadline <seconds>', 'time for the whole run')
    .option('--debug', 'trace of requests on stderr, without secrets');
}

function emulatorCommand(program: Command): Command {
  return program
    .command('emulator')
    .description('serve the whole API on loopback')
    .option('--port <port>', 'port (default: any free one)')
    .option('--api-key <key>', 'main token (default: a random one); for the emulator only')
    .option('--state <file>', 'keep the objects here across restarts')
    .option('--page-size <count>', 'largest page, 1 to 100')
    .option('--latency <ms>', 'wait before each answer')
    .option('--seed <file>', 'objects to begin with: JSON, list key → objects')
    .option('--faults <file>', 'scripted faults: a JSON list');
}

/** Runs one command line and gives its exit code. Every problem is printed, in the format that was asked for. */
export async function main(args: readonly string[], outer: Host, version: string): Promise<ExitCode> {
  const { host, close } = openDoor(outer);
  try {
    return await carryOut(args, host, version);
  } finally {
    close();
  }
}

async function carryOut(args: readonly string[], host: Host, version: string): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = build(host, version, async (code) => {
    exitCode = await code;
  });
  try {
    // Subcommands are made before exitOverride reaches them, so each gets its own.
    for (const command of program.commands.flatMap((one) => [one, ...one.commands]))
      command.exitOverride().configureOutput(program.configureOutput());
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
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
function colorOf(args: readonly string[]): RawOptions {
  const found = args.find((arg, index) => arg.startsWith('--color=') || args[index - 1] === '--color');
  const color = found?.replace(/^--color=/, '');
  return color === 'always' || color === 'never' ? { color } : {};
}

function explainFailure(error: unknown, args: readonly string[], host: Host): ExitCode {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // The reason is on stderr already.
    if (!isLog(formatIn(args))) printFailure(new CommandFailure(EXIT.usage, [usageProblem(error.message)]), args, host);
    return EXIT.usage;
  }
  const failure = error instanceof CommandFailure ? error : mistake(error);
  printFailure(failure, args, host);
  return failure.exitCode;
}

/** `--format` of a command line that may be wrong otherwise. */
function formatIn(args: readonly string[]): Format {
  if (wantsJson(args)) return 'json';
  const found = args.find((arg, index) => arg.startsWith('--format=') || args[index - 1] === '--format');
  const name = found?.replace(/^--format=/, '') ?? '';
  return isFormat(name) ? name : 'text';
}

/** A document takes the place of the command's own; a log has problems on stderr. */
function printFailure(failure: CommandFailure, args: readonly string[], host: Host): void {
  const format = formatIn(args);
  const style = styleOf(colorOf(args), host, host.stderr);
  const text =
    format === 'json' ? errorJson(failure.exitCode, failure.diagnostics) : renderDiagnosticsAs(format, failure, style);
  (isLog(format) ? host.stderr : host.stdout).write(`${text}\n`);
}
