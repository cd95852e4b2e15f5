// What `--help` says below the flags of each command: examples, the environment it reads and the exit codes it ends with.

import { entryLines } from '../render/entries.ts';
import type { ExitCode } from './exit.ts';

interface CommandWithHelp {
  readonly name: () => string;
  readonly commands: readonly CommandWithHelp[];
  readonly addHelpText: (position: 'after', text: string) => unknown;
}

interface Help {
  readonly examples: readonly string[];
  readonly environment: readonly string[];
  readonly exits: readonly ExitCode[];
}

const MEANINGS: Readonly<Partial<Record<ExitCode, string>>> = {
  0: 'done',
  1: 'error',
  2: 'changes pending (plan --detailed-exitcode), or drift (drift)',
  3: 'partly applied; run apply again, it continues from there',
  4: 'invalid input: manifest, variables, settings',
  5: 'refused by a safety rule, before the first write',
  6: 'the saved plan is out of date; nothing was written',
  7: 'the outcome of a write is unknown and a person must look',
  64: 'wrong usage',
  74: 'output could not be written',
};

const VARIABLES = ['EDGEFORM_VAR_NAME: value of the variable NAME'];
const CONNECTION = [
  'EDGEFORM_BASE_URL: address of the service',
  'EDGEFORM_API_KEY: the API key',
  'EDGEFORM_TIMEOUT: seconds for one request',
  'EDGEFORM_CAPABILITIES: operations that the service lacks, such as -module-delete',
  'EDGEFORM_PAGE_SIZE, EDGEFORM_VERSION_HEADER, HTTPS_PROXY, NO_PROXY',
];
const BOTH = [...CONNECTION, ...VARIABLES];

const HELP: Readonly<Record<string, Help>> = {
  validate: {
    examples: ['validate', 'validate -f stack/ --format json'],
    environment: VARIABLES,
    exits: [0, 4, 64, 74],
  },
  plan: { examples: ['plan', 'plan --out plan.json'], environment: BOTH, exits: [0, 1, 2, 4, 64, 74] },
  apply: {
    examples: ['apply', 'apply plan.json --auto-approve'],
    environment: BOTH,
    exits: [0, 1, 3, 4, 5, 6, 7, 64, 74],
  },
  drift: { examples: ['drift', 'drift --format markdown'], environment: BOTH, exits: [0, 1, 2, 4, 64, 74] },
  destroy: { examples: ['destroy'], environment: BOTH, exits: [0, 1, 3, 4, 5, 7, 64, 74] },
  show: { examples: ['show plan.json --detail full'], environment: [], exits: [0, 4, 64, 74] },
  output: { examples: ['output', 'output --json'], environment: BOTH, exits: [0, 1, 4, 64, 74] },
  export: { examples: ['export --unmanaged --out found.yaml'], environment: CONNECTION, exits: [0, 1, 4, 64, 74] },
  explain: { examples: ['explain', 'explain lifecycle'], environment: [], exits: [0, 64] },
};

const WIDTH = 80;

/** Adds it to each command that has some. */
export function addHelp(program: CommandWithHelp): void {
  for (const command of program.commands) {
    const help = Object.hasOwn(HELP, command.name()) ? HELP[command.name()] : undefined;
    if (help !== undefined) command.addHelpText('after', textOf(help));
  }
}

function textOf({ examples, environment, exits }: Help): string {
  const isLong = CONNECTION.every((line) => environment.includes(line));
  const codes = [
    ...exits.map((code) => ({ name: String(code), text: MEANINGS[code] ?? '' })),
    ...(isLong ? [{ name: '130, 143', text: 'interrupted' }] : []),
  ];
  return [
    '',
    'Examples:',
    ...examples.map((one) => `  edgeform ${one}`),
    ...(environment.length === 0 ? [] : ['', 'Environment:', ...environment.map((line) => `  ${line}`)]),
    '',
    'Exit codes:',
    ...entryLines(codes, WIDTH),
  ].join('\n');
}
