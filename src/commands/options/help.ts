// The text below the flags in `--help`: examples, environment variables and exit codes of a command.

import { definitionLines, type Definition, indented } from '../../render/text/lines.ts';
import type { Host } from '../shell/host.ts';
import type { CommandSpec } from '../shell/command.ts';
import { EXIT_CODES, type RunOutcome } from '../../core/run-outcome.ts';

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

/** Outcomes of every command, of those that read from the service, and of those that ask before writing to it. */
const ALWAYS: readonly RunOutcome[] = ['done', 'usage', 'output'];
const READING: readonly RunOutcome[] = ['error', 'invalid', 'interrupted'];
const WRITING: readonly RunOutcome[] = ['partial', 'refused', 'unknown'];

/** The meaning of each exit code; README shows the same table. */
export const MEANINGS: readonly (readonly [readonly RunOutcome[], string])[] = [
  [['done'], 'done'],
  [['error'], 'error'],
  [['pending'], 'changes pending (`plan --detailed-exitcode`), or drift (`drift`)'],
  [['partial'], 'partly done; to continue, run the command again (after `apply PLANFILE`, with a new plan)'],
  [['invalid'], 'invalid input: manifest, variables, settings'],
  [['refused'], 'refused by a policy before the first write'],
  [['stale'], 'the saved plan is out of date; nothing was written'],
  [['unknown'], 'the outcome of a write is unknown; check it by hand'],
  [['usage'], 'wrong usage'],
  [['output'], 'output could not be written'],
  [['interrupted', 'terminated'], 'interrupted'],
];

/** Width of help: that of the terminal, within readable limits. */
export function helpWidth({ stdout }: Host): number {
  return Math.max(40, Math.min(80, stdout.columns || 80));
}

/** Layout of the lists of commands, arguments and flags. */
export function helpLayout(host: Host) {
  const width = helpWidth(host);
  return {
    formatItem: (term: string, termWidth: number, text: string) =>
      definitionLines([{ name: term.padEnd(termWidth), text }], width).join('\n'),
    styleUsage: (usage: string) => indented(usage, width - 'Usage: '.length, '', '  ').join('\n'),
  };
}

export function helpText({ help, flags }: Pick<CommandSpec, 'help' | 'flags'>, width: number): string {
  const { examples, environment = [], exits = [] } = help;
  const { own, manifest = [], output = [], service = [] } = flags;
  const has = (name: string) => [...own, ...output].some((flag) => flag.flags.startsWith(name));
  const variables = [
    ...SERVICE_VARIABLES.filter(({ name }) => service.length > 0 || environment.includes(name)),
    ...(manifest.length > 0 ? VARIABLES : []),
    ...(has('--color ') ? COLORS : []),
  ];
  const reads: readonly RunOutcome[] = service.length > 0 ? READING : manifest.length > 0 ? ['invalid'] : [];
  const writes = has('--auto-approve') ? WRITING : [];
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
