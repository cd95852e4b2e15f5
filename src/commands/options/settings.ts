// The settings of one command line, parsed once from flags and environment into a typed record. Problems are kept with them, to
// be reported together with those of the manifest. For the connection, see connection.ts.

import { parseAddress } from '../../catalog/address.ts';
import { EXAMPLES } from '../../catalog/examples.ts';
import { idForm, isId } from '../../catalog/id.ts';
import { CAPABILITIES } from '../../catalog/kind.ts';
import { Collector, Failure, usageError } from '../../core/failure.ts';
import { DEFAULT_OPTIONS, type Resolution, type RunOptions } from '../../reconcile/run.ts';
import { FORGES, FORMATS, isFormat, type Format } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { parseCapabilities } from '../../service/settings.ts';
import type { Host } from '../shell/host.ts';
import { anyOf } from './flags.ts';
import { asName } from './usage.ts';

const NO_LISTS = { file: [], var: [], varFile: [], target: [], allowReplace: [], resolve: [] } as const;
const OFF = { detailedExitcode: false, debug: false, autoApprove: false, requireVars: false } as const;

type Lists = Record<keyof typeof NO_LISTS, readonly string[]>;
type Switches = Record<keyof typeof OFF, boolean>;
type Texts = Record<
  'baseUrl' | 'apiKeyFile' | 'journal' | 'events' | 'out' | 'tokenDir' | 'ignore' | 'summaryFile' | 'metricsFile',
  string
>;
/** Texts that are parsed into values of another type. */
type Judged = Record<
  'format' | 'detail' | 'color' | 'concurrency' | 'deadline' | 'settle' | 'allowDeletes' | 'commentFor',
  string
>;

/** The command line by option name; texts are not checked yet. */
export type Flags = Readonly<Partial<Texts & Judged & Lists & Switches>>;

/** The settings: paths as given; lists and switches are always present. */
export interface Settings
  extends
    Readonly<Partial<Texts> & Lists & Switches>,
    Pick<RunOptions, 'concurrency' | 'deadlineMs' | 'settleMs' | 'allowDeletes' | 'resolutions' | 'capabilities'> {
  readonly format: Format;
  readonly detail: RenderOptions['detail'];
  readonly color: 'auto' | 'always' | 'never';
  /** A forge: where Markdown is read. */
  readonly commentFor: string | undefined;
  /** The manifest's commit, from the pipeline. */
  readonly commit: string | undefined;
  /** Problems with the flags; an invalid setting has its default. */
  readonly wrong: Failure | undefined;
}

/** The formats of the current command, and which commands have the others. */
export interface Offer {
  readonly formats: readonly Format[];
  readonly commandsWith: (format: Format) => readonly string[];
}

const ANY: Offer = { formats: FORMATS, commandsWith: () => [] };

/** An invalid setting: the message names the flag or variable, the fix what is accepted. */
export function invalidSetting(message: string, fix: string): Failure {
  return Failure.of('invalid', 'invalid-setting', message, fix);
}

const DETAILS = ['names', 'changes', 'full'] as const;
const COLORS = ['auto', 'always', 'never'] as const;
const CONCURRENCY: NumberForm = { min: 1, max: 999, example: DEFAULT_OPTIONS.concurrency };
const SETTLE: NumberForm = { min: 0, max: 99_999, example: DEFAULT_OPTIONS.settleMs / 1000 };

/** Reads every flag, and the environment except for the connection. */
export function readSettings(flags: Flags, env: Host['env'], offer = ANY): Settings {
  const collector = new Collector();
  const { format, detail, color, concurrency, deadline, settle, allowDeletes, commentFor, ...rest } = flags;
  const take = <T>(parse: () => T): T | undefined => collector.try(parse);
  const settings = {
    ...NO_LISTS,
    ...OFF,
    ...rest,
    format: take(() => parseFormat(format, offer)) ?? 'text',
    detail: take(() => parseChoice('--detail', detail, 'a level of detail', DETAILS)) ?? 'changes',
    color: take(() => parseChoice('--color', color, 'a colour mode', COLORS)) ?? 'auto',
    concurrency: take(() => parseNumber('--concurrency', concurrency, CONCURRENCY)) ?? DEFAULT_OPTIONS.concurrency,
    allowDeletes: take(() => parseAllowDeletes(allowDeletes)),
    deadlineMs: take(() => parseSeconds('--deadline', deadline, { min: 1, max: 999_999, example: 600 })),
    settleMs: take(() => parseSeconds('--settle', settle, SETTLE)) ?? DEFAULT_OPTIONS.settleMs,
    resolutions: (flags.resolve ?? []).flatMap((text) => take(() => parseResolution(text)) ?? []),
    commentFor: take(() => parseChoice('--comment-for', commentFor, 'a place for comments', FORGES)),
    commit: COMMITS.map((name) => env[name] ?? '').find((value) => /^[0-9a-f]{7,64}$/.test(value)),
    // All capabilities if the variable is invalid.
    capabilities: parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? '').value ?? new Set(CAPABILITIES),
  };
  return { ...settings, wrong: collector.hasFailed ? collector.failure() : undefined };
}

function parseFormat(format = 'text', { formats, commandsWith }: Offer): Format {
  const isKnown = isFormat(format);
  if (isKnown && formats.includes(format)) return format;
  const others = isKnown ? commandsWith(format) : [];
  throw usageError(
    `--format "${asName(format)}" is not a format${isKnown ? ' of this command' : ''}`,
    `use ${anyOf(formats)}${others.length === 0 ? '' : `; ${anyOf(others, 'and')} can print ${format}`}`,
  );
}

/** One of the choices; `what` describes them in the message. */
function parseChoice<T extends string>(flag: string, text: string | undefined, what: string, choices: readonly T[]) {
  const found = choices.find((one) => one === text);
  if (text === undefined || found !== undefined) return found;
  throw usageError(`${flag} "${asName(text)}" is not ${what}`, `use ${anyOf(choices)}`);
}

/** Pipeline variables with a commit; ours comes first. */
const COMMITS = ['EDGEFORM_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** A whole number with limits, what it counts, and an example. */
interface NumberForm {
  readonly min: number;
  readonly max: number;
  readonly what?: string;
  readonly example: number;
}

function parseNumber(flag: string, text: string | undefined, form: NumberForm): number | undefined {
  if (text === undefined) return undefined;
  const { min, max, what = '', example } = form;
  if (/^\d+$/.test(text) && text.length <= String(max).length && Number(text) >= min) return Number(text);
  throw usageError(`${flag} takes a number${what} from ${min} to ${max}`, `for example ${flag} ${example}`);
}

function parseSeconds(flag: string, text: string | undefined, form: NumberForm): number | undefined {
  const seconds = parseNumber(flag, text, { ...form, what: ' of seconds' });
  return seconds === undefined ? undefined : seconds * 1000;
}

/** A count, `all`, or undefined for the default budget. */
function parseAllowDeletes(text: string | undefined): number | 'all' | undefined {
  if (text === undefined || text === 'all') return text;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError('--allow-deletes takes a number or "all"', 'for example --allow-deletes 5');
}

function parseResolution(text: string): Resolution {
  const at = text.indexOf('=');
  const address = text.slice(0, Math.max(0, at));
  const what = text.slice(at + 1);
  const kind = parseAddress(at < 0 ? text : address)?.kind;
  if (kind === undefined)
    throw usageError(
      '--resolve takes ADDRESS=ID or ADDRESS=absent',
      `for example --resolve ${EXAMPLES.address}=absent`,
    );
  const fix = `give --resolve ${at < 0 ? text : address}=${kind.idPrefix}…, or =absent when there is no such object`;
  if (at < 0 || what === '') throw usageError(`--resolve ${text} has no id`, fix);
  if (what === 'absent') return { address, as: what };
  if (!isId(kind, what)) throw usageError(`--resolve ${address} takes absent, or ${idForm(kind)}`, fix);
  return { address, as: { id: what } };
}
