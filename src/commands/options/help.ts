// What `--help` says below the flags of each command: examples, the environment it reads and the exit codes it ends with.

import { EXAMPLES } from '../../catalog/examples.ts';
import type { Definition } from '../../render/text/definitions.ts';
import { definitionLines, indented } from '../../render/text/definitions.ts';
import type { Host } from '../shell/host.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { EXIT_CODES } from '../../core/run-outcome.ts';
import { MEANINGS } from '../shell/exit.ts';

interface CommandWithHelp {
  readonly name: () => string;
  readonly commands: readonly CommandWithHelp[];
  readonly addHelpText: (position: 'after', text: string) => unknown;
}

interface Help {
  readonly examples: readonly string[];
  readonly environment: readonly Definition[];
  readonly exits: readonly RunOutcome[];
}

const CAPABILITIES: Definition = {
  name: 'EDGEFORM_CAPABILITIES',
  text: 'operations that the service lacks, such as -module-delete',
};
const VERSION: Definition = {
  name: 'EDGEFORM_VERSION_HEADER',
  text: 'header of each request (default: Service-Version: 2)',
};
const VARIABLES: readonly Definition[] = [{ name: 'EDGEFORM_VAR_NAME', text: 'value of the variable NAME' }];
const COLORS: readonly Definition[] = [{ name: 'NO_COLOR, FORCE_COLOR', text: 'colour, where --color is auto' }];
const SERVICE: readonly Definition[] = [
  { name: 'EDGEFORM_BASE_URL', text: 'address of the service' },
  { name: 'EDGEFORM_API_KEY', text: 'the API key' },
  { name: 'EDGEFORM_TIMEOUT', text: 'seconds for one request' },
  { name: 'EDGEFORM_PAGE_SIZE', text: 'objects on a page of a list, 1 to 100' },
  CAPABILITIES,
  VERSION,
  { name: 'HTTPS_PROXY, NO_PROXY', text: 'the proxy, and hosts to reach without it' },
];

const ALWAYS: readonly RunOutcome[] = ['done', 'usage', 'output'];
const READING: readonly RunOutcome[] = [...ALWAYS, 'error', 'invalid', 'interrupted'];
const WRITING: readonly RunOutcome[] = [...READING, 'partial', 'refused', 'unknown'];

const HELP: Readonly<Record<string, Help>> = {
  validate: {
    examples: ['validate', 'validate -f stack/ --format json'],
    environment: [...VARIABLES, ...COLORS],
    exits: [...ALWAYS, 'invalid'],
  },
  plan: {
    examples: ['plan', 'plan --out plan.json', 'plan --detailed-exitcode --format markdown > comment.md'],
    environment: [...SERVICE, ...VARIABLES, ...COLORS],
    exits: [...READING, 'pending'],
  },
  apply: {
    examples: ['apply', 'apply plan.json --auto-approve', `apply --resolve ${EXAMPLES.releasedAddress}=absent`],
    environment: [...SERVICE, ...VARIABLES, ...COLORS],
    exits: [...WRITING, 'stale'],
  },
  drift: {
    examples: ['drift', 'drift --ignore known.yaml --format markdown'],
    environment: [...SERVICE, ...VARIABLES, ...COLORS],
    exits: [...READING, 'pending'],
  },
  destroy: { examples: ['destroy'], environment: [...SERVICE, ...VARIABLES, ...COLORS], exits: WRITING },
  show: {
    examples: ['show plan.json --detail full', 'show plan.json --format html > plan.html'],
    environment: COLORS,
    exits: [...ALWAYS, 'invalid'],
  },
  output: {
    examples: ['output', `output ${EXAMPLES.reference.slice(2, -1)}`, 'output --json'],
    environment: [...SERVICE, ...VARIABLES, ...COLORS],
    exits: READING,
  },
  graph: {
    examples: ['graph > graph.mmd', 'graph --format dot | dot -Tsvg > graph.svg'],
    environment: [...VARIABLES, ...COLORS],
    exits: [...ALWAYS, 'invalid'],
  },
  export: {
    examples: ['export --unmanaged --out found.yaml', 'export --stack shop --split --out shop/'],
    environment: [...SERVICE, ...COLORS],
    exits: READING,
  },
  init: {
    examples: ['init', 'init shop --stack shop --ci github'],
    environment: COLORS,
    exits: [...ALWAYS, 'invalid'],
  },
  schema: {
    examples: ['schema > manifest.schema.json', 'schema tls_edges', 'schema plan'],
    environment: [],
    exits: ALWAYS,
  },
  explain: {
    examples: ['explain', `explain ${EXAMPLES.fieldPath}`, 'explain lifecycle'],
    environment: [],
    exits: ALWAYS,
  },
  'sessions list': {
    examples: ['sessions list', 'sessions list --format json'],
    environment: [...SERVICE, ...COLORS],
    exits: READING,
  },
  'sessions revoke': {
    examples: ['sessions revoke as_2abc', 'sessions revoke as_2abc as_2def --auto-approve'],
    environment: [...SERVICE, ...COLORS],
    exits: WRITING,
  },
  emulator: {
    examples: ['emulator --port 4040 --api-key local', 'emulator --state objects.json --latency 50'],
    environment: [CAPABILITIES, VERSION],
    exits: ['done', 'invalid', 'usage'],
  },
  completion: {
    examples: ['completion bash > ~/.local/share/bash-completion/completions/edgeform'],
    environment: [],
    exits: ALWAYS,
  },
};

/** Columns of help: those of the terminal, within what can be read well. */
export function helpWidth({ stdout }: Host): number {
  return Math.max(40, Math.min(80, stdout.columns || 80));
}

/** How the list of commands, arguments and flags is laid out. */
export interface HelpLayout {
  readonly formatItem: (term: string, termWidth: number, text: string) => string;
  readonly styleUsage: (usage: string) => string;
}

export function helpLayout(host: Host): HelpLayout {
  const width = helpWidth(host);
  return {
    formatItem: (term, termWidth, text) => definitionLines([{ name: term.padEnd(termWidth), text }], width).join('\n'),
    styleUsage: (usage) => indented(usage, width - 'Usage: '.length, '', '  ').join('\n'),
  };
}

/** Adds it to each command that has some, and to those inside it. */
export function addHelp(program: CommandWithHelp, width: number, above = ''): void {
  for (const command of program.commands) {
    const name = `${above}${command.name()}`;
    const help = Object.hasOwn(HELP, name) ? HELP[name] : undefined;
    if (help !== undefined) command.addHelpText('after', textOf(help, width));
    addHelp(command, width, `${name} `);
  }
}

function textOf({ examples, environment, exits }: Help, width: number): string {
  const codes = MEANINGS.filter((one) =>
    one.codes.some((code) => exits.some((outcome) => EXIT_CODES[outcome] === code)),
  );
  return [
    '',
    'Examples:',
    ...examples.flatMap((one) => indented(`edgeform ${one}`, width, '  ', '  ')),
    ...(environment.length === 0 ? [] : ['', 'Environment:', ...definitionLines(environment, width)]),
    '',
    'Exit codes:',
    ...definitionLines(
      codes.map((one) => ({ name: one.codes.join(', '), text: one.text.replaceAll('`', '') })),
      width,
    ),
  ].join('\n');
}
