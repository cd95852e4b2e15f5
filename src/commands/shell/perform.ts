// Runs a parsed command: its settings, its run, and the output of a failure. Loaded only when there is something to do.
//
// A command line can be wrong before anything is parsed, and its problems must still be printed in the form that it asks for. That
// is why `--format` and `--color` are looked up in the bare arguments here, and only for printing failures.

import { EXIT_CODES, worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { isFormat, isLog, logOf, renderDiagnosticsAs, type Format } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { errorJson } from '../../render/view/documents.ts';
import { commands } from '../index.ts';
import type { Offer } from '../options/option.ts';
import { readSettings, type Flags } from '../options/settings.ts';
import { usageProblem } from '../options/usage.ts';
import { nameOf, type Call, type CommandSpec } from './command.ts';
import type { Host, Sink } from './host.ts';
import { eventsListener } from '../files/events.ts';
import { metricsListener } from '../files/metrics-file.ts';
import { commentListener } from '../files/comment-file.ts';
import { summaryListener } from '../files/summary-file.ts';
import { invoke, renderOptionsOf, type Invocation } from './invocation.ts';
import { listenTogether, type Listener } from './listener.ts';
import { sayProblems } from './problems.ts';
import { refuseTooManyArguments } from './too-many-arguments.ts';
import { unexpectedError } from './unexpected-error.ts';

const NO_FOLDER = 'the working directory no longer exists, or cannot be read';
const NO_FOLDER_FIX = 'change to a directory that exists, then run the command again';

/** Runs the command with the given command line. */
export async function perform(
  spec: CommandSpec,
  call: Pick<Call, 'args' | 'version' | 'commands'> & { readonly flags: Flags; readonly line: readonly string[] },
  host: Host,
): Promise<RunOutcome> {
  refuseTooManyArguments(spec, call.args);
  // Without a flag, it reads and writes no file.
  const { own, ...others } = spec.flags;
  const hasFlags = own.length > 0 || Object.keys(others).length > 0;
  if (host.cwd === '' && hasFlags) throw Failure.of('invalid', 'file-unreadable', NO_FOLDER, NO_FOLDER_FIX);
  const called = { command: nameOf(spec), version: call.version };
  const run = invoke(call.flags, host, offerOf(spec), called);
  const listeners = listenTogether([
    run.progress,
    eventsListener(run),
    summaryListener(run),
    commentListener(run),
    metricsListener(run),
  ]);
  const invocation = { ...run, note: listeners.note };
  try {
    // What is wrong with the command line comes alone, before anything is loaded.
    if (run.settings.wrong !== undefined) throw run.settings.wrong;
    const outcome = await spec.run({ ...call, invocation, listeners });
    return await ended(outcome, listeners, invocation, call.line);
  } catch (error) {
    throw failed(error, listeners, invocation);
  } finally {
    // A slow reader would otherwise see the run continue.
    run.progress.end();
  }
}

/** The outcome, when everything was written or is known to be lost. */
async function ended(
  outcome: RunOutcome,
  listeners: Listener,
  run: Invocation,
  line: readonly string[],
): Promise<RunOutcome> {
  run.progress.end();
  const written = (await isLost(run.stdout, line)) ? worstOf(outcome, 'output') : outcome;
  const lost = listeners.end(written);
  sayProblems(lost, run);
  return lost.length === 0 ? written : worstOf(written, 'output');
}

/** The error that ends the command, with what could not be written about it. */
function failed(error: unknown, listeners: Listener, run: Invocation): unknown {
  if (!(error instanceof Failure)) {
    listeners.end('error');
    return error;
  }
  // A file of a listener may be the one that must not be changed.
  if (error.diagnostics.some(({ code }) => code === 'same-file')) return error;
  listeners.note({ type: 'failed', failure: error });
  return withLostFile(error, listeners.end(error.outcome), run);
}

/** A failure that also lost a file. A log reports both together; with a document, the lost file is on standard error as well. */
function withLostFile(failure: Failure, lost: readonly Diagnostic[], run: Invocation): Failure {
  if (lost.length === 0) return failure;
  if (!isLog(run.settings.format)) sayProblems(lost, run);
  return new Failure(worstOf(failure.outcome, 'output'), [...failure.diagnostics, ...lost], failure.sources);
}

/** The values of `--format` here and elsewhere. A command without it, or with its own, checks it itself. */
function offerOf(spec: CommandSpec): Offer | undefined {
  const of = ({ flags: { output = [] } }: CommandSpec) => output.flatMap(({ formats = [] }) => formats);
  const formats = of(spec);
  const commandsWith = (format: Format) => commands.filter((one) => of(one).includes(format)).map(nameOf);
  return formats.length === 0 ? undefined : { formats, commandsWith };
}

/** Prints why a command failed; in a log, what the parser said about `usage` is already on stderr. */
export function explainFailure(error: unknown, args: readonly string[], host: Host, usage?: string): RunOutcome {
  const other = error instanceof Failure ? error : unexpectedError(error);
  const failure = usage === undefined ? other : new Failure('usage', [usageProblem(usage)]);
  if (usage === undefined || !isLog(formatIn(args))) printFailure(failure, args, host);
  return failure.outcome;
}

/** How to show problems, for a command line that may be invalid. */
function styleIn(args: readonly string[], { env, cwd, stderr }: Host): RenderOptions {
  const color = valueIn(args, '--color');
  const flags = color === 'always' || color === 'never' ? { color } : {};
  return renderOptionsOf({ settings: readSettings(flags, env), env, cwd }, stderr);
}

/** Waits for standard output, and tells whether any of it was lost. */
async function isLost(stdout: Sink, args: readonly string[]): Promise<boolean> {
  const written = await stdout.flushed?.();
  return written === 'failed' || (written === 'closed' && isDocument(args));
}

/** A log or help may be read in part; a partial document is useless to a program. */
function isDocument(args: readonly string[]): boolean {
  if (args.includes('--help') || args.includes('-h')) return false;
  return !isLog(formatIn(args)) || commands.some((spec) => spec.isDocument === true && isCalled(spec, args));
}

/** The outcome of a run whose standard output is incomplete, with the reason on standard error. */
export async function explainLostOutput(outcome: RunOutcome, args: readonly string[], host: Host): Promise<RunOutcome> {
  if (!(await isLost(host.stdout, args))) return outcome;
  const message = 'standard output could not be written completely';
  const diagnostics: Diagnostic[] = [{ code: 'output-failed', severity: 'error', message }];
  host.stderr.write(`${renderDiagnosticsAs(logOf(formatIn(args)), { diagnostics }, styleIn(args, host))}\n`);
  return worstOf(outcome, 'output');
}

/** The value of an option on a command line that may be invalid otherwise; the last one counts. */
function valueIn(args: readonly string[], option: string): string | undefined {
  const found = args.findLast((arg, index) => arg.startsWith(`${option}=`) || args[index - 1] === option);
  return found?.startsWith(`${option}=`) === true ? found.slice(option.length + 1) : found;
}

/** True when the command line asks for JSON, even if it is invalid otherwise. */
function wantsJson(args: readonly string[]): boolean {
  return args.includes('--json') || valueIn(args, '--format') === 'json';
}

/** `--format` on a command line that may be invalid otherwise. */
function formatIn(args: readonly string[]): Format {
  if (wantsJson(args)) return 'json';
  const name = valueIn(args, '--format') ?? '';
  return isFormat(name) ? name : 'text';
}

/** Prints a document in place of the command's own, or problems on stderr. */
function printFailure(failure: Failure, args: readonly string[], host: Host): void {
  const format = formatIn(args);
  const spec = commands.find((one) => isCalled(one, args));
  const style = { ...styleIn(args, host), command: spec && nameOf(spec) };
  const text =
    format === 'json'
      ? errorJson(EXIT_CODES[failure.outcome], failure.diagnostics)
      : renderDiagnosticsAs(format, failure, style);
  (isLog(format) ? host.stderr : host.stdout).write(`${text}\n`);
}

/** True for a command line that begins with the name of this command. */
function isCalled(spec: Pick<CommandSpec, 'words'>, args: readonly string[]): boolean {
  return nameOf(spec)
    .split(' ')
    .every((word, index) => args[index] === word);
}
