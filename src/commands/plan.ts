// plan: reads live state and prints what apply would do. Its client has no way to write.

import { resolve } from 'node:path';
import { createReadClient } from '../service/client.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { visible } from '../core/visible.ts';
import { FileError } from '../platform/error.ts';
import type { Plan } from '../plan/plan.ts';
import { isLog, renderPlanAs } from '../render/formats.ts';
import { planJson } from '../render/json/json.ts';
import { makePlan, prepare, readLive } from './run/context.ts';
import { checkUsage } from './options/check-usage.ts';
import type { ExitCode } from './shell/exit.ts';
import { EXIT, worstOf } from './shell/exit.ts';
import { problemOf } from './shell/file.ts';
import type { Host } from './shell/host.ts';
import { notedInJournal } from './run/journal.ts';
import { planWithLost, sayLost } from './shell/lost.ts';
import type { RawOptions } from './options/options.ts';
import { formatOf, styleOf } from './options/options.ts';
import { portsOf } from './shell/ports.ts';
import { readPlan } from './run/saved.ts';
import { clientPorts } from './run/stop.ts';
import type { Summary } from './shell/summary.ts';

/** Prints the plan; with `--detailed-exitcode`, 2 says that something is pending. */
export async function plan(raw: RawOptions, outer: Host, summary: Summary): Promise<ExitCode> {
  const { host, manifest, settings } = await prepare(raw, outer, () => undefined);
  const client = createReadClient(settings, clientPorts(raw, host));
  const owner = { stack: manifest.stack, service: settings.baseUrl.href };
  const { pins, stored, view: journal } = notedInJournal(raw, host, owner);
  const snapshot = await readLive({ client, manifest, soFar: 'nothing was changed', pins, journal }, host);
  const request = { manifest, snapshot, service: settings.baseUrl.href, destroy: false, stored, journal };
  const made = makePlan(request, raw, host);
  const { lost: unsaved, say } = await save(made, raw, host);
  summary.add((limit) => renderPlanAs('markdown', made, styleOf(raw, host, host.stdout), limit));
  const lost = [...unsaved, ...(await summary.end())];
  sayLost(lost, raw, host);
  print(planWithLost(made, lost), raw, host);
  say();
  const ready = raw.detailedExitcode === true && isPending(made) ? EXIT.pending : EXIT.done;
  return worstOf(hasPlanErrors(made) ? EXIT.error : ready, lost.length === 0 ? EXIT.done : EXIT.output);
}

interface Saved {
  readonly lost: readonly Diagnostic[];
  /** Says on standard error where the plan is. */
  readonly say: () => void;
}

/** Writes the plan to the file of `--out`; tells when it could not be written. */
async function save(made: Plan, raw: RawOptions, host: Host): Promise<Saved> {
  const { out } = raw;
  const nothing = () => undefined;
  if (out === undefined) return { lost: [], say: nothing };
  try {
    const isKept = await portsOf(host).files.writeOutput(resolve(host.cwd, out), `${planJson(made)}\n`);
    // A document has standard output and the words for itself.
    if (!isLog(formatOf(raw))) return { lost: [], say: nothing };
    return { lost: [], say: () => host.stderr.write(`${savedLine(out, isKept, raw)}\n`) };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { lost: [problemOf(error)], say: nothing };
  }
}

/** Where the plan is, and how to apply it when a file holds it. */
function savedLine(out: string, isKept: boolean, raw: RawOptions): string {
  const path = quoted(out);
  if (!isKept) return `The plan was written to ${path}.`;
  const command = ['edgeform apply', path, ...optionsForApply(raw)].join(' ');
  return `The plan was saved to ${path}. To do exactly this, run: ${command}`;
}

/** What apply needs as it was given here. Values of variables may be secret, and are not repeated. */
function optionsForApply(raw: RawOptions): string[] {
  const { file = [], varFile = [], var: pairs = [], baseUrl, apiKeyFile, journal, tokenDir } = raw;
  const options: [string, readonly string[]][] = [
    ['-f', file],
    ['--var-file', varFile],
    ['--base-url', given(baseUrl)],
    ['--api-key-file', given(apiKeyFile)],
    ['--journal', given(journal)],
    ['--token-dir', given(tokenDir)],
  ];
  return [
    ...options.flatMap(([flag, values]) => values.map((value) => `${flag} ${quoted(value)}`)),
    ...(pairs.length === 0 ? [] : ['(with the same --var)']),
  ];
}

function given(value: string | undefined): readonly string[] {
  return value === undefined ? [] : [value];
}

/** A word for a shell. */
function quoted(text: string): string {
  return /^[\w./:@][\w./:@-]*$/.test(text) ? text : `'${visible(text).replaceAll("'", "'\\''")}'`;
}

/** Prints a saved plan; nothing is asked of the service. */
export async function show(planFile: string, raw: RawOptions, host: Host): Promise<ExitCode> {
  checkUsage(raw, host);
  print(await readPlan(planFile, host), raw, host);
  return EXIT.done;
}

function print(made: Plan, raw: RawOptions, host: Host): void {
  host.stdout.write(`${renderPlanAs(formatOf(raw), made, styleOf(raw, host, host.stdout))}\n`);
}

export function hasPlanErrors(made: Plan): boolean {
  return made.diagnostics.some((diagnostic) => diagnostic.severity === 'error');
}

/** True when the live state does not match the manifest. */
export function isPending(made: Plan): boolean {
  return made.steps.length > 0 || made.blocked.length > 0 || made.refusals.length > 0;
}
