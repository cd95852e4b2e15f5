// The settings of one command line, read once from flags and environment into a typed record. What is wrong with them is
// kept beside them, so that it can be told together with what is wrong with the manifest. How to connect is in connection.ts.

import { parseAddress } from '../../catalog/address.ts';
import { EXAMPLES } from '../../catalog/examples.ts';
import { idForm, isId } from '../../catalog/id.ts';
import type { Capability } from '../../catalog/kind.ts';
import { CAPABILITIES } from '../../catalog/kind.ts';
import { Collector, Failure } from '../../core/failure.ts';
import type { Resolution } from '../../reconcile/run.ts';
import { DEFAULT_OPTIONS } from '../../reconcile/run.ts';
import type { Format } from '../../render/formats.ts';
import { FORGES, FORMATS, isFormat } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { parseCapabilities } from '../../service/settings.ts';
import { anyOf } from './flags.ts';

/** What the command line gives, by option name; texts that nobody has judged yet. */
export interface Flags {
  readonly file?: readonly string[];
  readonly baseUrl?: string;
  readonly apiKeyFile?: string;
  readonly format?: string;
  readonly detail?: string;
  readonly color?: string;
  readonly concurrency?: string;
  readonly deadline?: string;
  readonly settle?: string;
  readonly journal?: string;
  readonly events?: string;
  readonly resolve?: readonly string[];
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly target?: readonly string[];
  readonly detailedExitcode?: boolean;
  readonly out?: string;
  readonly debug?: boolean;
  readonly autoApprove?: boolean;
  readonly allowDeletes?: string;
  readonly allowReplace?: readonly string[];
  readonly tokenDir?: string;
  readonly ignore?: string;
  readonly summaryFile?: string;
  readonly metricsFile?: string;
  readonly requireVars?: boolean;
  readonly commentFor?: string;
}

type Judged = 'commentFor' | 'format' | 'detail' | 'color' | 'concurrency' | 'deadline' | 'settle' | 'allowDeletes';
type Lists = 'file' | 'var' | 'varFile' | 'target' | 'allowReplace' | 'resolve';
type Switches = 'detailedExitcode' | 'debug' | 'autoApprove' | 'requireVars';

/** The settings: paths are as they were given, and lists and switches are always there. */
export interface Settings extends Omit<Flags, Judged | Lists | Switches>, Required<Pick<Flags, Lists | Switches>> {
  readonly format: Format;
  readonly detail: RenderOptions['detail'];
  readonly color: 'auto' | 'always' | 'never';
  readonly concurrency: number;
  readonly deadlineMs: number | undefined;
  readonly settleMs: number;
  readonly allowDeletes: number | 'all' | undefined;
  /** A forge: where Markdown is read. */
  readonly commentFor: string | undefined;
  /** The commit that the manifest is of, as the pipeline tells it. */
  readonly commit: string | undefined;
  readonly resolutions: readonly Resolution[];
  /** All of them while `EDGEFORM_CAPABILITIES` is wrong. */
  readonly capabilities: ReadonlySet<Capability>;
  /** What is wrong with the flags; settings that are wrong have their default. */
  readonly wrong: Failure | undefined;
}

/** The formats of the command that was called, and who has the others. */
export interface Offer {
  readonly formats: readonly Format[];
  readonly commandsWith: (format: Format) => readonly string[];
}

const ANY: Offer = { formats: FORMATS, commandsWith: () => [] };

export type Env = Readonly<Record<string, string | undefined>>;

export function usageError(message: string, fix: string): Failure {
  return new Failure('usage', [{ code: 'bad-usage', severity: 'error', message, fix }]);
}

/** A setting without a default that was not given. */
export function missingSetting(message: string, fix: string): Failure {
  return new Failure('invalid', [{ code: 'missing-setting', severity: 'error', message, fix }]);
}

/** A setting that was given and cannot be used: the message names the flag or variable, the fix what is accepted. */
export function invalidSetting(message: string, fix: string): Failure {
  return new Failure('invalid', [{ code: 'invalid-setting', severity: 'error', message, fix }]);
}

const NOT_GIVEN: Required<Pick<Flags, Lists | Switches>> = {
  file: [],
  var: [],
  varFile: [],
  target: [],
  allowReplace: [],
  resolve: [],
  detailedExitcode: false,
  debug: false,
  autoApprove: false,
  requireVars: false,
};

/** Reads every flag and what of the environment is no connection. */
export function readSettings(flags: Flags, env: Env, offer = ANY): Settings {
  const collector = new Collector();
  const {
    format,
    detail,
    color,
    concurrency,
    deadline,
    settle,
    resolve = [],
    allowDeletes,
    commentFor,
    ...rest
  } = flags;
  const take = <T>(parse: () => T): T | undefined => collector.try(parse);
  const settings = {
    ...NOT_GIVEN,
    ...rest,
    resolve,
    format: take(() => parseFormat(format, offer)) ?? 'text',
    detail: take(() => parseDetail(detail)) ?? 'changes',
    color: take(() => parseColor(color)) ?? 'auto',
    concurrency: take(() => parseConcurrency(concurrency)) ?? DEFAULT_OPTIONS.concurrency,
    allowDeletes: take(() => parseAllowDeletes(allowDeletes)),
    deadlineMs: take(() => parseDeadline(deadline)),
    settleMs: take(() => parseSettle(settle)) ?? DEFAULT_OPTIONS.settleMs,
    resolutions: resolve.flatMap((text) => take(() => parseResolution(text)) ?? []),
    commentFor: take(() => parseForge(commentFor)),
    commit: COMMITS.map((name) => env[name] ?? '').find((value) => /^[0-9a-f]{7,64}$/.test(value)),
    capabilities: parseCapabilities(env['EDGEFORM_CAPABILITIES'] ?? '').value ?? new Set(CAPABILITIES),
  };
  return { ...settings, wrong: collector.hasFailed ? collector.failure() : undefined };
}

function parseFormat(format = 'text', { formats, commandsWith }: Offer): Format {
  const isKnown = isFormat(format);
  if (isKnown && formats.includes(format)) return format;
  const others = isKnown ? commandsWith(format) : [];
  throw usageError(
    `--format ${JSON.stringify(format)} is not a format${isKnown ? ' of this command' : ''}`,
    `use ${anyOf(formats)}${others.length === 0 ? '' : `; ${anyOf(others, 'and')} can print ${format}`}`,
  );
}

function parseForge(name: string | undefined): string | undefined {
  if (name === undefined || FORGES.includes(name)) return name;
  throw usageError(`--comment-for ${JSON.stringify(name)} is not a place for comments`, `use ${anyOf(FORGES)}`);
}

/** How much of a plan is shown. */
function parseDetail(detail = 'changes'): RenderOptions['detail'] {
  if (detail === 'names' || detail === 'changes' || detail === 'full') return detail;
  throw usageError(`--detail ${JSON.stringify(detail)} is not a level of detail`, 'use names, changes or full');
}

function parseColor(color = 'auto'): Settings['color'] {
  if (color === 'auto' || color === 'always' || color === 'never') return color;
  throw usageError(`--color ${JSON.stringify(color)} is not a colour mode`, 'use auto, always or never');
}

/** Variables of the pipelines that tell a commit; ours comes first. */
const COMMITS = ['EDGEFORM_COMMIT', 'GITHUB_SHA', 'CI_COMMIT_SHA', 'BITBUCKET_COMMIT', 'BUILD_SOURCEVERSION'];

/** A whole number of at least one. */
function parseConcurrency(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw usageError(
    '--concurrency takes a number from 1 to 999',
    `for example --concurrency ${DEFAULT_OPTIONS.concurrency}`,
  );
}

/** Milliseconds that the whole run may take, or undefined. */
function parseDeadline(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text) && Number(text) >= 1) return Number(text) * 1000;
  throw usageError('--deadline takes a number of seconds from 1 to 999999', 'for example --deadline 600');
}

/** Milliseconds for which a creation whose answer was lost is looked for. */
function parseSettle(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,5}$/.test(text)) return Number(text) * 1000;
  const example = DEFAULT_OPTIONS.settleMs / 1000;
  throw usageError('--settle takes a number of seconds from 0 to 99999', `for example --settle ${example}`);
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
  if (!isId(kind.idPrefix, what))
    throw usageError(`--resolve ${address} takes absent, or ${idForm(kind.idPrefix)}`, fix);
  return { address, as: { id: what } };
}
