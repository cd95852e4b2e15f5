// The flags that several commands share, with their help. Every flag in the `--help` of a command has an effect there; those
// accepted only because the contract lists them as common options are hidden.

import { FORGES, formatsFor, type Format } from '../../render/formats.ts';
import type { View } from '../../render/view/view.ts';

export interface Flag {
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly initial?: string;
  readonly choices?: readonly string[];
  /** Values of `--format`; settings reject others. */
  readonly formats?: readonly Format[];
}

const COLOR: Flag = { flags: '--color <when>', text: 'auto, always or never', initial: 'auto' };

const COMMENT: Flag = {
  flags: '--comment-for <forge>',
  text: `where Markdown is read: ${anyOf(FORGES)} (default: ${FORGES[0] ?? ''})`,
};

/** Single flags, and groups of shared ones by heading. */
export const FLAGS = {
  color: COLOR,
  target: {
    flags: '--target <address>',
    text: 'only this resource and what it refers to (repeatable)',
    isRepeatable: true,
  },
  allow: [
    { flags: '--allow-deletes <count>', text: 'number of deletions and replacements to allow, or all' },
    {
      flags: '--allow-replace <address>',
      text: 'irreplaceable object that may be replaced (repeatable)',
      isRepeatable: true,
    },
  ],
  approve: { flags: '--auto-approve', text: 'do not ask for confirmation' },
  resolve: {
    flags: '--resolve <address=id>',
    text: 'outcome of an unknown creation: its id, or absent (repeatable)',
    isRepeatable: true,
  },
  journal: {
    flags: '--journal <file>',
    text: 'file that records writes before they are sent (default: .edgeform/STACK.journal.jsonl)',
  },
  journalRead: { flags: '--journal <file>', text: 'journal of earlier runs (default: .edgeform/STACK.journal.jsonl)' },
  tokens: { flags: '--token-dir <dir>', text: 'directory for tokens of API keys, one 0600 file each' },
  tokensRead: { flags: '--token-dir <dir>', text: 'directory where apply puts tokens; only read' },
  settle: {
    flags: '--settle <seconds>',
    text: 'how long to look for a created object after a lost answer (default: 20)',
  },
  detail: { flags: '--detail <level>', text: 'names, changes or full', initial: 'changes' },
  summary: { flags: '--summary-file <file>', text: 'append a Markdown summary to this file' },
  events: { flags: '--events <file>', text: 'write events as JSON lines; - is standard output' },
  metrics: { flags: '--metrics-file <file>', text: 'write metrics of the run for Prometheus' },
  textOrJson: formatFlags(['text', 'json']),
  manifest: [
    { flags: '-f, --file <path>', text: 'manifest file, directory, glob or - (repeatable)', isRepeatable: true },
    { flags: '--var <name=value>', text: 'value of a variable (repeatable)', isRepeatable: true },
    { flags: '--var-file <file>', text: 'values of variables (repeatable)', isRepeatable: true },
  ],
  service: [
    { flags: '--base-url <url>', text: 'address of the service (else EDGEFORM_BASE_URL)' },
    { flags: '--api-key-file <file>', text: 'file with the API key (else EDGEFORM_API_KEY)' },
    { flags: '--concurrency <count>', text: 'requests or steps at a time (default: 8)' },
    { flags: '--deadline <seconds>', text: 'time limit for the run; nothing new is started after it' },
    { flags: '--debug', text: 'trace of requests on stderr, without secrets' },
  ],
} as const satisfies Readonly<Record<string, Flag | readonly Flag[]>>;

/** `--format` for a command that prints this view, and colours. */
export function formatsOf(is: View['is']): readonly Flag[] {
  return formatFlags(formatsFor(is));
}

function formatFlags(formats: readonly Format[]): readonly Flag[] {
  const asked = { flags: '--format <format>', text: anyOf(formats), initial: 'text', formats };
  return [asked, ...(formats.includes('markdown') ? [COMMENT] : []), COLOR];
}

/** `text, json or html` */
export function anyOf(words: readonly string[], link = 'or'): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${link} ${words.at(-1) ?? ''}`;
}
