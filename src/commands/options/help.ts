// What `--help` says below the flags of each command: examples, the environment it reads and the exit codes it ends with.

import type { Definition } from '../../render/text/definitions.ts';
import { definitionLines } from '../../render/text/definitions.ts';
import { indented } from '../../render/text/lines.ts';
import type { Host } from '../shell/host.ts';
import type { RunOutcome } from '../../core/run-outcome.ts';
import { EXIT_CODES } from '../../core/run-outcome.ts';

/** What is said below the flags of a command. */
export interface Help {
  readonly examples: readonly string[];
  readonly environment: readonly Definition[];
  readonly exits: readonly RunOutcome[];
}

export const CAPABILITIES: Definition = {
  name: 'EDGEFORM_CAPABILITIES',
  text: 'operations that the service lacks, such as -module-delete',
};
export const VERSION: Definition = {
  name: 'EDGEFORM_VERSION_HEADER',
  text: 'header of each request (default: Service-Version: 2)',
};
export const VARIABLES: readonly Definition[] = [{ name: 'EDGEFORM_VAR_NAME', text: 'value of the variable NAME' }];
export const COLORS: readonly Definition[] = [{ name: 'NO_COLOR, FORCE_COLOR', text: 'colour, where --color is auto' }];
export const SERVICE_VARIABLES: readonly Definition[] = [
  { name: 'EDGEFORM_BASE_URL', text: 'address of the service' },
  { name: 'EDGEFORM_API_KEY', text: 'the API key' },
  { name: 'EDGEFORM_TIMEOUT', text: 'seconds for one request' },
  { name: 'EDGEFORM_PAGE_SIZE', text: 'objects on a page of a list, 1 to 100' },
  CAPABILITIES,
  VERSION,
  { name: 'HTTPS_PROXY, NO_PROXY', text: 'the proxy, and hosts to reach without it' },
];

/** Outcomes of commands that ask nothing of the service, that only read it, and that write to it. */
export const ALWAYS: readonly RunOutcome[] = ['done', 'usage', 'output'];
export const READING: readonly RunOutcome[] = [...ALWAYS, 'error', 'invalid', 'interrupted'];
export const WRITING: readonly RunOutcome[] = [...READING, 'partial', 'refused', 'unknown'];

const OUTCOMES: readonly (readonly [readonly RunOutcome[], string])[] = [
  [['done'], 'done'],
  [['error'], 'error'],
  [['pending'], 'changes pending (`plan --detailed-exitcode`), or drift (`drift`)'],
  [['partial'], 'partly applied; run apply again to continue'],
  [['invalid'], 'invalid input: manifest, variables, settings'],
  [['refused'], 'refused by a policy before the first write'],
  [['stale'], 'the saved plan is out of date; nothing was written'],
  [['unknown'], 'the outcome of a write is unknown; check it by hand'],
  [['usage'], 'wrong usage'],
  [['output'], 'output could not be written'],
  [['interrupted', 'terminated'], 'interrupted'],
];

/** What each exit code means; README shows the same table. */
export const MEANINGS: readonly { readonly codes: readonly number[]; readonly text: string }[] = OUTCOMES.map(
  ([outcomes, text]) => ({ codes: outcomes.map((one) => EXIT_CODES[one]), text }),
);

/** Columns of help: those of the terminal, within what can be read well. */
export function helpWidth({ stdout }: Host): number {
  return Math.max(40, Math.min(80, stdout.columns || 80));
}

/** How the list of commands, arguments and flags is laid out. */
interface HelpLayout {
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

/** The text below the flags. */
export function helpText({ examples, environment, exits }: Help, width: number): string {
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
