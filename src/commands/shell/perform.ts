// Runs a parsed command: its settings, its run, and the output of a failure. Loaded only when there is something to do.

import { EXIT_CODES, worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { Failure } from '../../core/failure.ts';
import { formatForProblems, isFormat, isLog, logOf, renderDiagnosticsAs, type Format } from '../../render/formats.ts';
import type { RenderOptions } from '../../render/render-options.ts';
import { errorJson } from '../../render/json/json.ts';
import { commands } from '../index.ts';
import { readSettings, type Offer } from '../options/settings.ts';
import { usageProblem } from '../options/usage.ts';
import { nameOf, valueIn, wantsJson, type Call, type CommandSpec } from './command.ts';
import type { Host, Sink } from './host.ts';
import { invoke, renderOptionsOf } from './invocation.ts';
import { withMetricsFile } from '../files/metrics-file.ts';
import { withSummaryFile } from '../files/summary-file.ts';
import { unexpectedError } from './unexpected-error.ts';

const NO_FOLDER = 'the working directory no longer exists, or cannot be read';
const NO_FOLDER_FIX = 'change to a directory that exists, then run the command again';

/** Runs the command with the given command line. */
export async function perform(
  spec: CommandSpec,
  call: Omit<Call, 'invocation' | 'summary' | 'metrics'> & { readonly line: readonly string[] },
  host: Host,
): Promise<RunOutcome> {
  // Without a flag, it reads and writes no file.
  const { own, ...others } = spec.flags;
  const hasFlags = own.length > 0 || Object.keys(others).length > 0;
  if (host.cwd === '' && hasFlags) throw Failure.of('invalid', 'file-unreadable', NO_FOLDER, NO_FOLDER_FIX);
  const invocation = invoke(call.flags, host, offerOf(spec), { command: nameOf(spec), version: call.version });
  try {
    // With a manifest, this is reported together with the manifest's problems.
    if (spec.flags.manifest === undefined && invocation.settings.wrong !== undefined) throw invocation.settings.wrong;
    return await withMetricsFile(nameOf(spec), invocation, async (metrics) => {
      const outcome = await withSummaryFile(invocation, (summary) =>
        spec.run({ ...call, invocation, summary, metrics }),
      );
      // A slow reader would otherwise see the run continue.
      invocation.progress.end();
      return (await isLost(host.stdout, call.line)) ? worstOf(outcome, 'output') : outcome;
    });
  } finally {
    invocation.progress.end();
  }
}

/** The values of `--format` here and elsewhere. A command without it, or with its own, checks it itself. */
function offerOf(spec: CommandSpec): Offer | undefined {
  const of = ({ flags: { output = [] } }: CommandSpec) => output.flatMap(({ formats = [] }) => formats);
  const formats = of(spec);
  const commandsWith = (format: Format) => commands.filter((one) => of(one).includes(format)).map(nameOf);
  return formats.length === 0 ? undefined : { formats, commandsWith };
}

/** Prints a usage error; in a log, the message is already on stderr. */
export function explainUsage(message: string, args: readonly string[], host: Host): RunOutcome {
  if (!isLog(formatForProblems(formatIn(args))))
    printFailure(new Failure('usage', [usageProblem(message)]), args, host);
  return 'usage';
}

/** Prints why a command failed. */
export function explainFailure(error: unknown, args: readonly string[], host: Host): RunOutcome {
  const failure = error instanceof Failure ? error : unexpectedError(error);
  printFailure(failure, args, host);
  return failure.outcome;
}

/** How to show problems, for a command line that may be invalid. */
function styleIn(args: readonly string[], { env, stderr }: Host): RenderOptions {
  const color = valueIn(args, '--color');
  const commentFor = valueIn(args, '--comment-for');
  const flags = {
    ...((color === 'always' || color === 'never') && { color }),
    ...(commentFor !== undefined && { commentFor }),
  };
  return renderOptionsOf({ settings: readSettings(flags, env), env }, stderr);
}

/** Waits for standard output, and tells whether any of it was lost. */
async function isLost(stdout: Sink, args: readonly string[]): Promise<boolean> {
  const written = await stdout.flushed?.();
  return written === 'failed' || (written === 'closed' && isDocument(args));
}

/** A log or help may be read in part; a partial document is useless to a program. */
function isDocument(args: readonly string[]): boolean {
  if (args.includes('--help') || args.includes('-h')) return false;
  return !isLog(formatIn(args)) || commands.some((spec) => spec.isDocument === true && nameOf(spec) === args[0]);
}

/** The outcome of a run whose standard output is incomplete, with the reason on standard error. */
export async function explainLostOutput(outcome: RunOutcome, args: readonly string[], host: Host): Promise<RunOutcome> {
  if (!(await isLost(host.stdout, args))) return outcome;
  const message = 'standard output could not be written completely';
  const diagnostics: Diagnostic[] = [{ code: 'output-failed', severity: 'error', message }];
  host.stderr.write(`${renderDiagnosticsAs(logOf(formatIn(args)), { diagnostics }, styleIn(args, host))}\n`);
  return worstOf(outcome, 'output');
}

/** `--format` on a command line that may be invalid otherwise. */
function formatIn(args: readonly string[]): Format {
  if (wantsJson(args)) return 'json';
  const name = valueIn(args, '--format') ?? '';
  return isFormat(name) ? name : 'text';
}

/** Prints a document in place of the command's own, or problems on stderr. */
function printFailure(failure: Failure, args: readonly string[], host: Host): void {
  const format = formatForProblems(formatIn(args));
  const command = args.find((arg) => commands.some((spec) => nameOf(spec) === arg));
  const style = { ...styleIn(args, host), command };
  const text =
    format === 'json'
      ? errorJson(EXIT_CODES[failure.outcome], failure.diagnostics)
      : renderDiagnosticsAs(format, failure, style);
  (isLog(format) ? host.stderr : host.stdout).write(`${text}\n`);
}
