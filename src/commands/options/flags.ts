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
  { flags: '--deadline <seconds>', text: 'time for the whole run; then nothing new is started' },
  { flags: '--debug', text: 'trace of requests on stderr, without secrets' },
];
const SETTLE: Flag = {
  flags: '--settle <seconds>',
  text: 'how long a lost creation is looked for (default: 20)',
};
const ALLOW: readonly Flag[] = [
  { flags: '--allow-deletes <count>', text: 'deletions and replacements to allow, or all' },
  {
    flags: '--allow-replace <address>',
    text: 'irreplaceable object that may be replaced (repeatable)',
    isRepeatable: true,
  },
];
const JOURNAL: Flag = {
  flags: '--journal <file>',
  text: 'where writes are noted before they are sent (default: .edgeform/STACK.journal.jsonl)',
};
const JOURNAL_READ: Flag = {
  flags: '--journal <file>',
  text: 'what earlier runs noted (default: .edgeform/STACK.journal.jsonl)',
};
const TOKENS: Flag = { flags: '--token-dir <dir>', text: 'directory for tokens of API keys, one 0600 file each' };
const TOKENS_READ: Flag = { flags: '--token-dir <dir>', text: 'where apply puts tokens; only looked at' };
const APPROVE: Flag = { flags: '--auto-approve', text: 'do not ask' };
const EVENTS: Flag = { flags: '--events <file>', text: 'what happens, as JSON lines; - is standard output' };
const RESOLVE: Flag = {
  flags: '--resolve <address=id>',
  text: 'what an unknown creation came to: its id, or absent (repeatable)',
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
    own: [{ flags: '--require-vars', text: 'ask for a value of every variable that is used' }],
    manifest: MANIFEST,
    output: [...DOCUMENT, SUMMARY],
  },
  plan: {
    own: [
      { flags: OUT, text: 'save the plan as JSON' },
      { flags: '--detailed-exitcode', text: 'exit with 2 when something is pending' },
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
      { flags: '--ignore <file>', text: 'findings that are known, each with a reason and a last day' },
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
      { flags: '--stack <name>', text: 'what this stack owns' },
      { flags: '--unmanaged', text: 'what no stack owns, with adoption lines' },
      { flags: '--all', text: 'what no stack owns, and a list of everything else' },
      { flags: '--name <stack>', text: 'stack of the new manifest (default: imported)' },
      { flags: '--out <path>', text: 'new file, or directory, to write to (default: standard output)' },
      { flags: '--split', text: 'one file for each kind; --out names a directory' },
    ],
    output: TEXT_OR_JSON,
    service: SERVICE,
  },
  init: {
    own: [
      { flags: '--stack <name>', text: 'name of the stack (default: made of the name of the directory)' },
      { flags: '--ci <service>', text: 'also write a pipeline', choices: CI_SERVICES },
    ],
    output: TEXT_OR_JSON,
  },
  'sessions list': { own: [], output: TEXT_OR_JSON, service: SERVICE, hidden: [SETTLE] },
  'sessions revoke': { own: [APPROVE], output: TEXT_OR_JSON, service: SERVICE, hidden: [SETTLE] },
  emulator: {
    own: [
      { flags: '--port <port>', text: 'port (default: any free one)' },
      { flags: '--api-key <key>', text: 'main token (default: a random one); for the emulator only' },
      { flags: '--state <file>', text: 'keep the objects here across restarts' },
      { flags: '--page-size <count>', text: 'largest page, 1 to 100' },
      { flags: '--latency <ms>', text: 'wait before each answer' },
      { flags: '--seed <file>', text: 'objects to begin with: JSON, list key → objects' },
      { flags: '--faults <file>', text: 'scripted faults: a JSON list' },
    ],
  },
};
