// The flags that several commands share: how each is written, and what is said of it. Every flag that `--help` of a command
// shows has an effect there; what only the contract's list of common options gives it is hidden.

import type { Format } from '../../render/formats.ts';
import { FORGES, formatsFor } from '../../render/formats.ts';
import type { View } from '../../render/view/view.ts';

export interface Flag {
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly initial?: string;
  readonly choices?: readonly string[];
  /** What `--format` may be; settings refuse others. */
  readonly formats?: readonly Format[];
}

export const COLOR: Flag = { flags: '--color <when>', text: 'auto, always or never', initial: 'auto' };
export const TARGET: Flag = {
  flags: '--target <address>',
  text: 'only this resource and what it refers to (repeatable)',
  isRepeatable: true,
};

/** What several commands share, by heading. */
export const MANIFEST: readonly Flag[] = [
  { flags: '-f, --file <path>', text: 'manifest file, directory, glob or - (repeatable)', isRepeatable: true },
  { flags: '--var <name=value>', text: 'value of a variable (repeatable)', isRepeatable: true },
  { flags: '--var-file <file>', text: 'values of variables (repeatable)', isRepeatable: true },
];
export const TEXT_OR_JSON = formatFlags(['text', 'json']);
export const DETAIL: Flag = { flags: '--detail <level>', text: 'names, changes or full', initial: 'changes' };
export const SUMMARY: Flag = { flags: '--summary-file <file>', text: 'append a Markdown summary to this file' };
export const METRICS: Flag = { flags: '--metrics-file <file>', text: 'write metrics of the run for Prometheus' };
export const SERVICE: readonly Flag[] = [
  { flags: '--base-url <url>', text: 'address of the service (else EDGEFORM_BASE_URL)' },
  { flags: '--api-key-file <file>', text: 'file with the API key (else EDGEFORM_API_KEY)' },
  { flags: '--concurrency <count>', text: 'requests or steps at a time (default: 8)' },
  { flags: '--deadline <seconds>', text: 'time limit for the run; nothing new is started after it' },
  { flags: '--debug', text: 'trace of requests on stderr, without secrets' },
];
export const SETTLE: Flag = {
  flags: '--settle <seconds>',
  text: 'how long to look for a created object after a lost answer (default: 20)',
};
export const ALLOW: readonly Flag[] = [
  { flags: '--allow-deletes <count>', text: 'number of deletions and replacements to allow, or all' },
  {
    flags: '--allow-replace <address>',
    text: 'irreplaceable object that may be replaced (repeatable)',
    isRepeatable: true,
  },
];
export const JOURNAL: Flag = {
  flags: '--journal <file>',
  text: 'file that records writes before they are sent (default: .edgeform/STACK.journal.jsonl)',
};
export const JOURNAL_READ: Flag = {
  flags: '--journal <file>',
  text: 'journal of earlier runs (default: .edgeform/STACK.journal.jsonl)',
};
export const TOKENS: Flag = {
  flags: '--token-dir <dir>',
  text: 'directory for tokens of API keys, one 0600 file each',
};
export const TOKENS_READ: Flag = { flags: '--token-dir <dir>', text: 'directory where apply puts tokens; only read' };
export const APPROVE: Flag = { flags: '--auto-approve', text: 'do not ask for confirmation' };
export const EVENTS: Flag = { flags: '--events <file>', text: 'write events as JSON lines; - is standard output' };
export const RESOLVE: Flag = {
  flags: '--resolve <address=id>',
  text: 'outcome of an unknown creation: its id, or absent (repeatable)',
  isRepeatable: true,
};

const COMMENT: Flag = {
  flags: '--comment-for <forge>',
  text: `where Markdown is read: ${anyOf(FORGES)} (default: ${FORGES[0] ?? ''})`,
};

/** `--format` of a command that prints it, and colours. */
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

export interface CommandFlags {
  /** What only some commands take, or mean in their own way. */
  readonly own: readonly Flag[];
  readonly manifest?: readonly Flag[];
  readonly output?: readonly Flag[];
  readonly service?: readonly Flag[];
  /** Taken, but without effect here. */
  readonly hidden?: readonly Flag[];
}
