// The command line for commander. Knows no command by name. Loads little, because it often only prints help.

import { EXIT_CODES, type RunOutcome } from '../../core/run-outcome.ts';
import { definitionLines, type Definition, indented } from '../../render/text/lines.ts';
import { commands } from '../index.ts';
import type { Flag } from '../options/option.ts';
import type { Flags } from '../options/settings.ts';
import { wrongUsage } from '../options/usage.ts';
import type { CommandSpec } from './command.ts';
import type { Host } from './host.ts';
import { openOutputFilter } from './output-filter.ts';
import { Argument, Command, CommanderError, Option } from 'commander';

const sorted = [...commands].sort((one, other) => one.position - other.position);

function optionOf({ name, flags, text, isRepeatable, initial, choices }: Flag): Option {
  const option = Object.assign(new Option(flags, text), { attributeName: () => name });
  if (choices !== undefined) option.choices(choices);
  if (initial !== undefined) option.default(initial);
  if (!option.required) return option;
  return option.argParser(isRepeatable === true ? allOf() : onlyOf(option.parseArg));
}

type ReadValue = (value: string, before: unknown) => unknown;

/** Every value of an option that may be given again. */
function allOf(): ReadValue {
  const values: string[] = [];
  return (value) => {
    values.push(value);
    return values;
  };
}

/** The value of an option that is given once; all of them where it was given again with others, which is an error of its own. */
function onlyOf(check: ReadValue | undefined): ReadValue {
  const values = new Set<string>();
  return (value, before) => {
    check?.(value, before);
    values.add(value);
    return values.size === 1 ? value : [...values];
  };
}

/** A command by its name; its flags are added once it is called. */
function addCommand(parent: Command, spec: CommandSpec, { run }: ProgramContext): Command {
  const words = spec.above === undefined ? spec.words : spec.words.slice(spec.above.name.length + 1);
  const command = parent.command(words.replace(/ <shell>/, '')).description(spec.text);
  if (spec.choices !== undefined) command.addArgument(new Argument('<shell>', 'the shell').choices(spec.choices));
  // Those that are too many are an error of the run, with a fix.
  return command.allowExcessArguments().action(() => run(spec, command.args, command.opts()));
}

/** The flags of a command, its own first. */
function addFlags(command: Command, { help, flags }: CommandSpec, host: Host): void {
  const { own, manifest = [], output: written = [], service = [], hidden = [] } = flags;
  for (const flag of own) command.addOption(optionOf(flag));
  const groups = { 'Manifest:': manifest, 'Output:': written, 'Service:': service };
  for (const [heading, flags] of Object.entries(groups))
    for (const flag of flags) command.addOption(optionOf(flag).helpGroup(heading));
  for (const flag of hidden) command.addOption(optionOf(flag).hideHelp());
  command.addHelpText('after', () => helpText({ help, flags }, helpWidth(host)));
}

interface ProgramContext {
  readonly host: Host;
  readonly version: string;
  readonly run: (spec: CommandSpec, args: readonly string[], flags: Flags) => Promise<void>;
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
  const specs = new Map(sorted.map((spec) => [addCommand(parentOf(program, spec), spec, context), spec]));
  const complete = (called: Command) => {
    const spec = specs.get(called);
    if (spec !== undefined && specs.delete(called)) addFlags(called, spec, host);
  };
  for (const parent of [program, ...program.commands])
    parent.hook('preSubcommand', (_, called) => {
      complete(called);
    });
  // `COMMAND --help` calls no command.
  for (const command of specs.keys()) command.on('beforeAllHelp', () => complete(command));
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
    await program.parseAsync(withoutHelp(args, program), { from: 'user' });
    return outcome;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 'done';
    const { explainFailure } = await import('./perform.ts');
    return explainFailure(error, args, host, error instanceof CommanderError ? error.message : undefined);
  }
}

/** `help fleet plan` as `fleet plan --help`. A word that is no command is told as where it is called, and nothing is run. */
function withoutHelp(args: readonly string[], program: Command): string[] {
  const [help, word, inner] = args;
  if (help !== 'help' || word === undefined || word.startsWith('-')) return [...args];
  const command = program.commands.find((one) => one.name() === word);
  if (command === undefined) return [word];
  if (command.commands.length === 0 || inner === undefined || inner.startsWith('-')) return [word, '--help'];
  return command.commands.some((one) => one.name() === inner) ? [word, inner, '--help'] : [word, inner];
}

const VARIABLES: readonly Definition[] = [{ name: 'EDGEFORM_VAR_NAME', text: 'value of the variable NAME' }];
const COLORS: readonly Definition[] = [{ name: 'NO_COLOR, FORCE_COLOR', text: 'colour, where --color is auto' }];
const SERVICE_VARIABLES: readonly Definition[] = [
  { name: 'EDGEFORM_BASE_URL', text: 'address of the service' },
  { name: 'EDGEFORM_API_KEY', text: 'the API key' },
  { name: 'EDGEFORM_TIMEOUT', text: 'seconds for one request' },
  { name: 'EDGEFORM_PAGE_SIZE', text: 'objects on a page of a list, 1 to 100' },
  { name: 'EDGEFORM_CAPABILITIES', text: 'operations that the service lacks, such as -module-delete' },
  { name: 'EDGEFORM_VERSION_HEADER', text: 'header of each request (default: Service-Version: 2)' },
  { name: 'HTTPS_PROXY, NO_PROXY', text: 'the proxy, and hosts to reach without it' },
];

const FLEET_VARIABLES: readonly Definition[] = [
  { name: 'EDGEFORM_FLEET_CREDENTIALS', text: 'other variables that a fleet file may name, separated by commas' },
];
const SHARD_VARIABLES: readonly Definition[] = [
  { name: 'CI_NODE_INDEX, CI_NODE_TOTAL', text: 'shard, with --shard auto' },
  { name: 'JOB_COMPLETION_INDEX, EDGEFORM_SHARDS', text: 'shard counted from 0, with --shard auto' },
];

const RECORD_VARIABLES: readonly Definition[] = [
  {
    name: 'EDGEFORM_ACTOR, EDGEFORM_COMMIT',
    text: 'who runs it, and from which commit, for the record (default: those of the pipeline, or git)',
  },
];

/** Outcomes of every command, of those that read from the service, and of those that ask before writing to it. */
const ALWAYS: readonly RunOutcome[] = ['done', 'usage', 'output'];
const READING: readonly RunOutcome[] = ['error', 'invalid', 'interrupted'];
const WRITING: readonly RunOutcome[] = ['partial', 'refused', 'unknown'];

/** The meaning of each exit code; docs/guide.md shows the same table. */
const MEANINGS: readonly (readonly [readonly RunOutcome[], string])[] = [
  [['done'], 'done'],
  [['error'], 'error'],
  [['pending'], 'changes pending (`plan --detailed-exitcode`, `fmt --check`), or drift (`drift`)'],
  [['partial'], 'partly done; to continue, run the same command again'],
  [['invalid'], 'invalid input: manifest, variables, settings'],
  [
    ['refused'],
    'refused by a rule before the first write, or a plan that would be (`plan`, `show`), or an import that is not there',
  ],
  [['stale'], 'the saved plan is out of date; nothing was written'],
  [['unknown'], 'the outcome of a write is unknown; check it by hand'],
  [['usage'], 'wrong usage'],
  [['output'], 'output could not be written'],
  [['interrupted', 'terminated'], 'interrupted'],
];

/** Width of help: that of the terminal, within readable limits. */
function helpWidth({ stdout }: Host): number {
  return Math.max(40, Math.min(80, stdout.columns || 80));
}

/** Layout of the lists of commands, arguments and flags. */
function helpLayout(host: Host) {
  const width = helpWidth(host);
  return {
    formatItem: (term: string, termWidth: number, text: string) =>
      definitionLines([{ name: term.padEnd(termWidth), text }], width).join('\n'),
    styleUsage: (usage: string) => indented(usage, width - 'Usage: '.length, '', '  ').join('\n'),
  };
}

interface Reading {
  /** Variables of the service that a command without a service reads. */
  readonly environment: readonly string[];
  /** True for a command with an option that begins like this. */
  readonly has: (option: string) => boolean;
  readonly isService: boolean;
  readonly isManifest: boolean;
}

/** The variables that a command reads. */
function environmentOf({ environment, has, isService, isManifest }: Reading): readonly Definition[] {
  return [
    ...SERVICE_VARIABLES.filter(({ name }) => isService || environment.includes(name)),
    ...(isManifest ? VARIABLES : []),
    ...(has('--fleet ') ? FLEET_VARIABLES : []),
    ...(has('--shard ') ? SHARD_VARIABLES : []),
    ...(isManifest && has('--auto-approve') ? RECORD_VARIABLES : []),
    ...(has('--color ') ? COLORS : []),
  ];
}

function helpText({ help, flags }: Pick<CommandSpec, 'help' | 'flags'>, width: number): string {
  const { examples, environment = [], exits = [] } = help;
  const { own, manifest = [], output = [], service = [] } = flags;
  const has = (name: string) => [...own, ...manifest, ...output].some((flag) => flag.flags.startsWith(name));
  const asks = has('--auto-approve');
  const variables = environmentOf({ environment, has, isService: service.length > 0, isManifest: manifest.length > 0 });
  const reads: readonly RunOutcome[] = service.length > 0 ? READING : manifest.length > 0 ? ['invalid'] : [];
  const writes = asks ? WRITING : [];
  const ends = [...ALWAYS, ...reads, ...writes, ...exits];
  const codes = MEANINGS.filter(([outcomes]) => outcomes.some((one) => ends.includes(one))).map(([outcomes, text]) => {
    return { name: outcomes.map((one) => EXIT_CODES[one]).join(', '), text: text.replaceAll('`', '') };
  });
  return [
    '',
    'Examples:',
    ...examples.flatMap((one) => indented(`edgeform ${one}`, width, '  ', '  ')),
    ...(variables.length === 0 ? [] : ['', 'Environment:', ...definitionLines(variables, width)]),
    '',
    'Exit codes:',
    ...definitionLines(codes, width),
  ].join('\n');
}
