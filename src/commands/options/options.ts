// Every option of every command, one row each: its flag, help and value, and what else follows from it. Problems with options
// are reported, and options of suggested commands written, in the order of the table. Two rows may have the same flag if no
// command has both. Every flag in the `--help` of a command has an effect there; those accepted only because the contract lists
// them as common options are hidden.

import { usageError } from '../../core/failure.ts';
import { alternatives } from '../../core/text/closest.ts';
import { DEFAULT_OPTIONS } from '../../reconcile/run.ts';
import { formatsFor, isFormat, type Format } from '../../render/formats.ts';
import type { View } from '../../render/view/view.ts';
import { MAX_WAVE } from '../../schema/fleet-schema.ts';
import { KINDS_ONLY, parseKind } from './kind-option.ts';
import { choice, each, number, parsed, toggle, word, words, type Flag, type Offer, type Option } from './option.ts';
import { parseAllowDeletes, parseResolution } from './parse-consent.ts';
import { nameAndValue, shardName } from './parse-values.ts';
import { requireStackName } from './stack-name.ts';
import { asName } from './usage.ts';

const JOURNAL_PATH = '(default: .edgeform/HOST_PORT/STACK.journal.jsonl)';
const DETAIL = { what: 'a level of detail', choices: ['names', 'changes', 'full'] as const };
const COLOR = { what: 'a colour mode', choices: ['auto', 'always', 'never'] as const };
const LIST = { choices: ['text', 'json', 'github-matrix'], initial: 'text' };
const GRAPH = { choices: ['mermaid', 'dot'], initial: 'mermaid' };
const OUTPUT = { written: (path: string) => [path] };
const EVENTS = { written: (path: string) => (path === '-' ? [] : [path]) };
const SETTLE = { range: [0, 99_999], fix: DEFAULT_OPTIONS.settleMs / 1000, isSeconds: true } as const;
const DEADLINE = { range: [1, 999_999], fix: 600, isSeconds: true } as const;
const WAVE = { range: [1, MAX_WAVE], fix: 2, isRepeated: true } as const;
const RATE = { range: [1, 99_999], fix: 100 } as const;
const AT_A_TIME = { range: [1, 999], fix: DEFAULT_OPTIONS.concurrency } as const;
const EMULATOR_FIX = 'set a number in this range, or remove the option';
const { concurrency, settleMs } = DEFAULT_OPTIONS;

/** One consent, with a name for the commands that create the objects again, and one for those that do not. */
const LOST = 'the objects that the journal knows, and the service lacks, were deleted outside';

export const DEFAULT_STACK = 'imported';
export const OPTIONS = {
  file: words('-f, --file <path>', 'manifest file, directory, glob or -', { isRepeated: true }),
  overlay: words('--overlay <file>', 'file to lay over the manifest, or -', { isRepeated: true }),
  varFile: words('--var-file <file>', 'values of variables', { isRepeated: true, isRead: true }),
  // A suggested command has the names only: values may be secret.
  var: each('--var <name=value>', 'value of a variable', nameAndValue),

  policy: words('--policy <path>', 'policies in CEL, or `openings` (also EDGEFORM_POLICY)', {
    isRepeated: true,
    isRead: true,
  }),
  fleet: word('--fleet <file>', 'fleet file (default: edgeform.fleet.yaml)', { isRepeated: true, isRead: true }),
  only: words('--only <glob>', 'only stacks with such a name', { isRepeated: true }),
  except: words('--except <glob>', 'no stacks with such a name', { isRepeated: true }),
  wave: number('--wave <number>', 'only stacks of this wave', WAVE, undefined),
  changedSince: word('--changed-since <rev>', 'only stacks that differ from a revision of git', { isRepeated: true }),
  // Not repeated: saved plans are a selection already.
  shard: parsed('--shard <i/n>', 'only part I of N of the fleet; auto takes it from the scheduler', shardName),

  // A command says which formats it has.
  format: parsed('--format <format>', '', parseFormat, { initial: 'text' }),
  graphFormat: parsed('--format <format>', 'language of the graph', (given = 'mermaid') => given, GRAPH),
  listFormat: parsed('--format <format>', 'format of the list', (given = 'text') => given, LIST),
  json: toggle('--json', 'the same as --format json'),
  detail: choice('--detail <level>', DETAIL, 'changes'),
  color: choice('--color <when>', COLOR, 'auto'),

  concurrency: number('--concurrency <count>', 'requests or steps at a time (default: 32)', AT_A_TIME, concurrency),
  targets: words('--target <address>', 'only this resource and what it refers to'),
  allowDeletes: parsed(
    '--allow-deletes <count>',
    'number of deletions and replacements to allow, or all',
    parseAllowDeletes,
  ),
  allowLoss: words('--allow-loss <address>', 'object to lose although what it has cannot be had again'),
  allowTakeover: words(
    '--allow-takeover <stack>',
    'stack that lives on, and from which `moved` may take everything here',
  ),
  allowOpening: words('--allow-opening <address>', 'what may let more in than before, where the policy openings asks'),
  recreate: toggle('--recreate', LOST),
  deletedOutside: toggle('--deleted-outside', LOST),
  deadlineMs: number(
    '--deadline <seconds>',
    'time limit for the run; nothing new is started after it',
    DEADLINE,
    undefined,
  ),
  settleMs: number(
    '--settle <seconds>',
    'how long to look for a created object after a lost answer (default: 20)',
    SETTLE,
    settleMs,
  ),
  resolutions: each('--resolve <address=id>', 'outcome of an unknown creation: its id, or absent', parseResolution),
  baseUrl: word('--base-url <url>', 'address of the service (else EDGEFORM_BASE_URL)', { isRepeated: true }),
  apiKeyFile: word('--api-key-file <file>', 'file with the API key (else EDGEFORM_API_KEY)', {
    isRepeated: true,
    isRead: true,
  }),
  debug: toggle('--debug', 'trace of requests on stderr, without secrets'),
  journal: word('--journal <file>', `file that records writes before they are sent ${JOURNAL_PATH}`, {
    reading: `journal of earlier runs ${JOURNAL_PATH}`,
    isRepeated: true,
    written: (path) => [path, `${path}.lock`],
  }),
  known: word('--known <file>', 'fingerprints of findings to live with, one a line', { isRead: true }),
  accept: words(
    '--accept <what>',
    'print a patch of the manifest that accepts drift: an address, with or without a path, a fingerprint, or all',
  ),
  write: toggle('--write', 'with --accept: change the files of the manifest; never the service'),
  tokenDir: word('--token-dir <dir>', 'directory for tokens of API keys, one 0600 file each', {
    reading: 'directory where apply puts tokens; only read',
    isRepeated: true,
  }),
  autoApprove: toggle('--auto-approve', 'do not ask for confirmation'),
  base: word('--base <rev>', 'mark what the change since a revision of git causes'),
  detailedExitcode: toggle('--detailed-exitcode', 'exit with 2 when changes are pending'),
  check: toggle('--check', 'change no file, and exit with 2 when one would change'),
  requireVars: toggle('--require-vars', 'require a value for every variable that is used'),

  failFast: toggle('--fail-fast', 'start no other stack after one that was not done'),
  rate: number('--rate <count>', 'requests a second to each service, for all shards together', RATE, undefined),
  planFolder: word('--out <dir>', 'save each plan as JSON: DIR/NAME.plan.json'),

  out: word('--out <file>', 'save the plan as JSON', OUTPUT),
  manifestOut: word('--out <file>', 'write the manifest to this file, which must not exist yet', OUTPUT),
  events: word('--events <file>', 'write events as JSON lines; - is standard output', EVENTS),
  summaryFile: word('--summary-file <file>', 'append a Markdown summary to this file', OUTPUT),
  commentFile: word('--comment-file <file>', 'write Markdown that fits into a comment to this file', OUTPUT),
  metricsFile: word('--metrics-file <file>', 'write metrics of the run for Prometheus', OUTPUT),

  stack: parsed('--stack <name>', 'fail unless the manifest names this stack', parseStack, { isRepeated: true }),
  stackAlone: parsed(
    '--stack <name>',
    'the stack of this name, without a manifest; with -f, fail unless the manifest names it',
    parseStack,
  ),
  orphans: toggle('--orphans', 'only stacks that neither the manifest nor the fleet file names'),

  exportedStack: word(
    '--stack <name>',
    'objects that this stack owns; beside --unmanaged or --all, the stack of the manifest',
  ),
  unmanaged: toggle('--unmanaged', 'objects that no stack owns, with lines to adopt them'),
  all: toggle('--all', 'objects that no stack owns, and a list of all others'),
  exportedKinds: each('--kind <kind>', 'only objects of this kind, and what they are in', parseKind, KINDS_ONLY),
  exportedNames: words('--name <glob>', 'only objects with such a name in the manifest, and what they are in'),

  importedStack: word('--stack <name>', `stack of the new manifest (default: ${DEFAULT_STACK})`),
  starterStack: word('--stack <name>', 'name of the stack (default: made from the directory name)'),
  ci: word('--ci <service>', 'also write a CI pipeline', { choices: ['github', 'gitlab'] }),
  starterFleet: toggle('--fleet', 'also write a fleet file, and a pipeline for all its stacks'),
  starterWaves: toggle('--waves', 'a job and an environment for each wave of the fleet'),
  starterProposal: toggle(
    '--drift-pull-request',
    'a job that keeps a pull request with the drift, as a patch of the manifest',
  ),
  copyActions: toggle('--copy-actions', 'copy what the pipeline uses into the repository'),

  port: number('--port <port>', 'port (default: any free one)', { range: [0, 65_535], fix: EMULATOR_FIX }, undefined),
  apiKey: word('--api-key <key>', 'main token (default: a random one); for the emulator only'),
  state: word('--state <file>', 'file that keeps the objects across restarts'),
  pageSize: number('--page-size <count>', 'largest page, 1 to 100', { range: [1, 100], fix: EMULATOR_FIX }, undefined),
  latencyMs: number('--latency <ms>', 'wait before each answer', { range: [0, 600_000], fix: EMULATOR_FIX }, undefined),
  normalize: toggle('--normalize', 'answer values in the form in which services keep them'),
  omitZero: toggle('--omit-zero', 'leave values that are false, 0 or empty out of answers'),
  defaultForZero: toggle('--default-for-zero', 'keep the default of a number for 0'),
  mask: word('--mask <text>', 'show this in place of secrets'),
  seed: word('--seed <file>', 'initial objects: JSON, list key → objects'),
  faults: word('--faults <file>', 'scripted faults: a JSON list'),
};

// Each row has its key as its name.
for (const [name, option] of Object.entries(OPTIONS)) Object.assign(option, { name });

/** Groups that several commands have. */
export const WRITTEN = [OPTIONS.file, OPTIONS.overlay];
export const MANIFEST = [...WRITTEN, OPTIONS.var, OPTIONS.varFile];
const SELECTION = [OPTIONS.only, OPTIONS.except, OPTIONS.wave, OPTIONS.changedSince, OPTIONS.shard];
export const STACKS = [OPTIONS.fleet, ...SELECTION, OPTIONS.var, OPTIONS.varFile];
export const CHANGES = [
  OPTIONS.targets,
  OPTIONS.allowDeletes,
  OPTIONS.allowLoss,
  OPTIONS.allowTakeover,
  OPTIONS.allowOpening,
  OPTIONS.recreate,
  OPTIONS.policy,
];
export const SERVICE = [OPTIONS.baseUrl, OPTIONS.apiKeyFile, OPTIONS.concurrency, OPTIONS.deadlineMs, OPTIONS.debug];

/** An option as a command has it that only reads what others write there. */
export function reading(option: Option<unknown>): Flag {
  return { ...option, text: option.reading ?? option.text };
}

/** `--format` for a command that prints this view, or has these formats, and colours. */
export function formatsOf(is: View['is'] | readonly Format[]): readonly Flag[] {
  const formats = typeof is === 'string' ? formatsFor(is) : is;
  const asked = { ...OPTIONS.format, text: alternatives(formats), formats };
  return [asked, OPTIONS.color];
}

/** The output of a command that shows a run. */
export function reportOf(is: 'plan' | 'drift' | 'report'): readonly Flag[] {
  const { detail, summaryFile, commentFile, events, metricsFile } = OPTIONS;
  const more = { plan: [], drift: [metricsFile], report: [events, metricsFile] };
  return [...formatsOf(is), detail, summaryFile, commentFile, ...more[is]];
}

function parseStack(given: string | undefined): string | undefined {
  return given === undefined ? undefined : requireStackName(given);
}

function parseFormat(format = 'text', { formats, commandsWith }: Offer): Format {
  const isKnown = isFormat(format);
  if (isKnown && formats.includes(format)) return format;
  const others = isKnown ? commandsWith(format) : [];
  throw usageError(
    `--format "${asName(format)}" is not a format${isKnown ? ' of this command' : ''}`,
    `use ${alternatives(formats)}${others.length === 0 ? '' : `; ${alternatives(others, 'and')} can print ${format}`}`,
  );
}
