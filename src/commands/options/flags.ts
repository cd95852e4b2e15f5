// The flags of the command line: how each is written, what is said of it, and which command takes which. Every flag that
// `--help` of a command shows has an effect there; what only the contract's list of common options gives it is hidden.

import { CI_SERVICES } from '../init.ts';
import { GRAPH_FORMATS } from '../graph.ts';

export interface Flag {
  readonly flags: string;
  readonly text: string;
  readonly isRepeatable?: boolean;
  readonly initial?: string;
  readonly choices?: readonly string[];
}

const COLOR: Flag = { flags: '--color <when>', text: 'auto, always or never', initial: 'auto' };
const TARGET: Flag = {
  flags: '--target <address>',
  text: 'only this resource and what it refers to (repeatable)',
  isRepeatable: true,
};
const OUT = '--out <file>';

/** What several commands share, by heading. */
const MANIFEST: readonly Flag[] = [
  { flags: '-f, --file <path>', text: 'manifest file, directory, glob or - (repeatable)', isRepeatable: true },
  { flags: '--var <name=value>', text: 'value of a variable (repeatable)', isRepeatable: true },
  { flags: '--var-file <file>', text: 'values of variables (repeatable)', isRepeatable: true },
];
const DOCUMENT: readonly Flag[] = [
  { flags: '--format <format>', text: 'text, json, markdown, html, github or gitlab', initial: 'text' },
  COLOR,
];
const TEXT_OR_JSON: readonly Flag[] = [{ flags: '--format <format>', text: 'text or json', initial: 'text' }, COLOR];
const DETAIL: Flag = { flags: '--detail <level>', text: 'names, changes or full', initial: 'changes' };
const SUMMARY: Flag = { flags: '--summary-file <file>', text: 'append a Markdown summary to this file' };
const SERVICE: readonly Flag[] = [
  { flags: '--base-url <url>', text: 'address of the service (else EDGEFORM_BASE_URL)' },
  { flags: '--api-key-file <file>', text: 'file with the API key (else EDGEFORM_API_KEY)' },
  { flags: '--concurrency <count>', text: 'requests or steps at a time (default: 8)' },
  { flags: '--deadline <seconds>', text: 'time limit for the run; nothing new is started after it' },
  { flags: '--debug', text: 'trace of requests on stderr, without secrets' },
];
const SETTLE: Flag = {
  flags: '--settle <seconds>',
  text: 'how long to look for a created object after a lost answer (default: 20)',
};
const ALLOW: readonly Flag[] = [
  { flags: '--allow-deletes <count>', text: 'number of deletions and replacements to allow, or all' },
  {
    flags: '--allow-replace <address>',
    text: 'irreplaceable object that may be replaced (repeatable)',
    isRepeatable: true,
  },
];
const JOURNAL: Flag = {
  flags: '--journal <file>',
  text: 'file that records writes before they are sent (default: .edgeform/STACK.journal.jsonl)',
};
const JOURNAL_READ: Flag = {
  flags: '--journal <file>',
  text: 'journal of earlier runs (default: .edgeform/STACK.journal.jsonl)',
};
const TOKENS: Flag = { flags: '--token-dir <dir>', text: 'directory for tokens of API keys, one 0600 file each' };
const TOKENS_READ: Flag = { flags: '--token-dir <dir>', text: 'directory where apply puts tokens; only read' };
const APPROVE: Flag = { flags: '--auto-approve', text: 'do not ask for confirmation' };
const EVENTS: Flag = { flags: '--events <file>', text: 'write events as JSON lines; - is standard output' };
const RESOLVE: Flag = {
  flags: '--resolve <address=id>',
  text: 'outcome of an unknown creation: its id, or absent (repeatable)',
  isRepeatable: true,
};

export interface CommandFlags {
  /** What only some commands take, or mean in their own way. */
  readonly own: readonly Flag[];
  readonly manifest?: readonly Flag[];
  readonly output?: readonly Flag[];
  readonly service?: readonly Flag[];
  /** Taken, but without effect here. */
  readonly hidden?: readonly Flag[];
}

export const COMMAND_FLAGS: Readonly<Record<string, CommandFlags>> = {
  validate: {
    own: [{ flags: '--require-vars', text: 'require a value for every variable that is used' }],
    manifest: MANIFEST,
    output: [...DOCUMENT, SUMMARY],
  },
  plan: {
    own: [
      { flags: OUT, text: 'save the plan as JSON' },
      { flags: '--detailed-exitcode', text: 'exit with 2 when changes are pending' },
      TARGET,
      ...ALLOW,
      JOURNAL_READ,
      TOKENS_READ,
    ],
    manifest: MANIFEST,
    output: [...DOCUMENT, DETAIL, SUMMARY],
    service: SERVICE,
    hidden: [SETTLE],
  },
  apply: {
    own: [APPROVE, TARGET, ...ALLOW, TOKENS, JOURNAL, RESOLVE, SETTLE],
    manifest: MANIFEST,
    output: [...DOCUMENT, DETAIL, SUMMARY, EVENTS],
    service: SERVICE,
  },
  drift: {
    own: [
      { flags: '--ignore <file>', text: 'known findings to ignore, each with a reason and an expiry date' },
      TARGET,
      JOURNAL_READ,
      TOKENS_READ,
    ],
    manifest: MANIFEST,
    output: [...DOCUMENT, DETAIL, SUMMARY],
    service: SERVICE,
    hidden: [SETTLE],
  },
  destroy: {
    own: [APPROVE, JOURNAL, RESOLVE, SETTLE],
    manifest: MANIFEST,
    output: [...DOCUMENT, DETAIL, SUMMARY, EVENTS],
    service: SERVICE,
    // Those of apply, so that both can be run alike.
    hidden: [...ALLOW, TOKENS],
  },
  show: { own: [], output: [...DOCUMENT, DETAIL] },
  output: {
    own: [{ flags: '--json', text: 'the same as --format json' }, JOURNAL_READ],
    manifest: MANIFEST,
    output: TEXT_OR_JSON,
    service: SERVICE,
    hidden: [SETTLE],
  },
  graph: {
    own: [
      { flags: '--format <format>', text: 'language of the graph', choices: GRAPH_FORMATS, initial: 'mermaid' },
      COLOR,
    ],
    manifest: MANIFEST,
  },
  export: {
    own: [
      { flags: '--stack <name>', text: 'objects that this stack owns' },
      { flags: '--unmanaged', text: 'objects that no stack owns, with lines to adopt them' },
      { flags: '--all', text: 'objects that no stack owns, and a list of all others' },
      { flags: '--name <stack>', text: 'stack of the new manifest (default: imported)' },
      { flags: '--out <path>', text: 'new file, or directory, to write to (default: standard output)' },
      { flags: '--split', text: 'one file for each kind; --out names a directory' },
    ],
    output: TEXT_OR_JSON,
    service: SERVICE,
  },
  init: {
    own: [
      { flags: '--stack <name>', text: 'name of the stack (default: made from the directory name)' },
      { flags: '--ci <service>', text: 'also write a CI pipeline', choices: CI_SERVICES },
    ],
    output: TEXT_OR_JSON,
  },
  'sessions list': { own: [], output: TEXT_OR_JSON, service: SERVICE, hidden: [SETTLE] },
  'sessions revoke': { own: [APPROVE], output: TEXT_OR_JSON, service: SERVICE, hidden: [SETTLE] },
  emulator: {
    own: [
      { flags: '--port <port>', text: 'port (default: any free one)' },
      { flags: '--api-key <key>', text: 'main token (default: a random one); for the emulator only' },
      { flags: '--state <file>', text: 'file that keeps the objects across restarts' },
      { flags: '--page-size <count>', text: 'largest page, 1 to 100' },
      { flags: '--latency <ms>', text: 'wait before each answer' },
      { flags: '--seed <file>', text: 'initial objects: JSON, list key → objects' },
      { flags: '--faults <file>', text: 'scripted faults: a JSON list' },
    ],
  },
};
