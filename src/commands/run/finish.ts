// The end of an apply: what was done is looked at, judged and reported.

import type { StepResult } from '../../apply/event.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import { publishNames } from '../../platform/filter.ts';
import { plural } from '../../core/text.ts';
import { FileError } from '../../platform/error.ts';
import type { Entry } from '../../journal/entry.ts';
import { oddValue } from '../../journal/form.ts';
import { knownOutputs } from '../../plan/outputs.ts';
import type { Plan } from '../../plan/plan.ts';
import { DOCUMENT, isLog, renderDiagnosticsAs, renderReportAs } from '../../render/formats.ts';
import { makePlan } from './context.ts';
import type { Converged } from './converge.ts';
import { planAfter } from './converge.ts';
import { endingLines } from './ending.ts';
import type { ExitCode } from '../shell/exit.ts';
import { EXIT } from '../shell/exit.ts';
import { CommandFailure } from '../shell/failure.ts';
import { problemOf } from '../shell/file.ts';
import type { Ground, OnCreated } from './ground.ts';
import { carryOut, planNow, requestOf } from './ground.ts';
import { sayLost, withLost } from '../shell/lost.ts';
import { capabilitiesOf, formatOf, settleOf, styleOf } from '../options/options.ts';
import { hasPlanErrors, isPending } from '../plan.ts';
import { tracesOf } from './pin.ts';
import { portsOf } from '../shell/ports.ts';
import { discardToken } from './tokens.ts';
import type { Outcome, Verdict } from './verdict.ts';
import { judge, leftAlone, leftOver, notConverged, resultOf, withWarnings } from './verdict.ts';

export interface CarriedOut {
  readonly plan: Plan;
  /** Missing when nothing was to be done. */
  readonly onCreated?: OnCreated;
}

/** Reads everything again and plans again, so that "done" is seen and not assumed. */
export async function finish(ground: Ground, done: CarriedOut, results: readonly StepResult[]): Promise<ExitCode> {
  const { plan } = done;
  const ended = judge(results, ground.host);
  let after: Converged = { plan, diagnostics: [], rolledBack: new Map() };
  try {
    // A run that failed is looked at, too, when it created something: another run may have created the same.
    const isWorthALook = results.length > 0 && (ended === undefined || ground.history.created.size > 0);
    if (isWorthALook) after = await lookAgain(ground, done, results, ended === undefined);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { exitCode, diagnostics } = error;
    if (ended !== undefined) return await report(ground, { plan, results, ...withMore(ended, diagnostics) });
    return await report(ground, { plan, results, result: resultOf(exitCode), exitCode, diagnostics });
  }
  return await conclude(
    ground,
    plan,
    results.map((one) => afterRollBack(one, after)),
    after,
  );
}

function conclude(ground: Ground, made: Plan, results: readonly StepResult[], after: Converged): Promise<ExitCode> {
  const plan = { ...made, outputs: after.plan.outputs };
  const ended = judge(results, ground.host);
  if (ended !== undefined) return report(ground, { plan, results, ...withMore(ended, after.diagnostics) });
  const { left, others } = leftOver(after.plan, plan, ground.mode.planFile !== undefined);
  const found = [...after.diagnostics, ...(ground.mode.destroy ? leftAlone(left) : [])];
  if (isPending(left) || hasPlanErrors(left) || hasErrors(found)) {
    const verdict = notConverged(left, results, found);
    return report(ground, { plan, results, ...verdict });
  }
  return report(ground, {
    plan,
    results,
    result: 'done',
    exitCode: EXIT.done,
    diagnostics: [...after.diagnostics, ...others],
  });
}

function withMore(verdict: Verdict, more: Verdict['diagnostics']): Verdict {
  return { ...verdict, diagnostics: [...verdict.diagnostics, ...more] };
}

/** A step whose object was deleted again has not done what the plan said. */
function afterRollBack(result: StepResult, { rolledBack }: Converged): StepResult {
  if (result.live_id === null || !rolledBack.has(result.live_id)) return result;
  const standIn = rolledBack.get(result.live_id);
  if (standIn !== undefined) return { ...result, live_id: standIn };
  return { ...result, status: 'failed', error: `${result.live_id} was deleted again: another run created it, too` };
}

function lookAgain(
  ground: Ground,
  { plan, onCreated }: CarriedOut,
  results: readonly StepResult[],
  mustConverge: boolean,
): Promise<Converged> {
  const { raw, host, manifest, clients, session, history } = ground;
  // Nobody else deletes what this run may have created twice over, so that is a part of the steps, and finished after a signal, too.
  const mayFinish = host.signal.aborted || history.created.size > 0;
  const reading = mayFinish ? { ...ground, host: { ...host, signal: host.abandon } } : ground;
  const soFar = mustConverge
    ? 'every step was done, but that could not be checked'
    : 'what was created could not be checked';
  return planAfter({
    planNow: () => planNow(reading, soFar, tracesOf(plan, results)),
    planFor: (snapshot) => makePlan(requestOf(ground, snapshot), raw, host),
    carryOut: (steps, snapshot) => carryOut(ground, { plan: steps, snapshot }, onCreated ?? (() => Promise.resolve())),
    onRolledBack: (address, { id }) => {
      // The file may hold the token of another object by now.
      if (session.filled.get(address) === id) discardToken(address, raw, host);
    },
    manifest,
    client: clients.writer,
    record: session.record,
    clock: portsOf(host).clock,
    capabilities: capabilitiesOf(host),
    settleMs: settleOf(raw),
    signal: reading.host.signal,
    history,
    results,
    mustConverge: () => mustConverge && !host.signal.aborted,
  });
}

/** Notes that the run came to its end, before its report; what could not be noted is shown, so that it is not lost. */
function noteEnd({ session, host }: Ground, exitCode: ExitCode): readonly Diagnostic[] {
  const { journal } = session;
  let late = session.late();
  try {
    session.end(exitCode);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    late = error;
  }
  const entries = journal.unsaved();
  const failed = entries.length === 0 ? session.unwritten() : late;
  if (failed === undefined) return [];
  const { message, ...why } = problemOf(failed);
  if (entries.length === 0) return [{ message, ...why }];
  // Whoever repairs the journal needs every id in them; what has no form of an entry is still filtered.
  publishNames(() => entries.filter((entry) => oddValue(entry) === undefined).flatMap(textsOf));
  host.stderr.write(`error: the journal could not be written; what it lacks:\n`);
  for (const entry of entries) host.stderr.write(`  ${JSON.stringify(entry)}\n`);
  const lacks = `the journal lacks ${plural(entries.length, 'line')}, which standard error has`;
  const fix = 'free space or choose another path with --journal, then run apply again';
  return [{ ...why, message: `${message}; ${lacks}`, fix }];
}

function textsOf(entry: Entry): string[] {
  return Object.values(entry).flatMap((value: unknown) => (typeof value === 'string' ? [value] : []));
}

/** Writes the report; the exit code is the one that the report says, and everything that was lost is in it. */
export async function report(ground: Ground, said: Outcome): Promise<ExitCode> {
  const { raw, host, mode, events } = ground;
  const given = { ...said, plan: { ...said.plan, outputs: knownOutputs(said.plan) } };
  const unsaid = withLost(given, await events.end());
  const noted = withLost(unsaid, noteEnd(ground, unsaid.exitCode));
  if (given.results.length > 0) mode.summary.add((limit) => renderReportAs('markdown', noted, DOCUMENT, limit));
  const outcome = withLost(noted, await mode.summary.end());
  sayLost(outcome.diagnostics.slice(given.diagnostics.length), raw, host);
  show(ground, outcome, given.diagnostics);
  return outcome.exitCode;
}

/** The report as a document, or as a log with the problems on standard error. */
function show(ground: Ground, outcome: Outcome, diagnostics: Outcome['diagnostics']): void {
  const { raw, host } = ground;
  const { results, result } = outcome;
  const format = formatOf(raw);
  if (!isLog(format)) {
    // The plan of a log says its warnings; a document stands alone.
    const document = { ...outcome, diagnostics: withWarnings(outcome) };
    host.stdout.write(`${renderReportAs(format, document, styleOf(raw, host, host.stdout))}\n`);
    return;
  }
  const refused = result === 'refused' || (result === 'error' && results.length === 0);
  if (refused) host.stderr.write('Nothing was changed.\n');
  const ending = endingLines(ground, outcome).join('\n');
  if (results.length > 0) host.stdout.write(`\n${renderReportAs(format, outcome, styleOf(raw, host, host.stdout))}\n`);
  if (ending !== '') host.stdout.write(`${ending}\n`);
  if (results.length === 0) return;
  const found = { diagnostics, sources: new Map<string, string>() };
  if (diagnostics.length > 0)
    host.stderr.write(`${renderDiagnosticsAs(format, found, styleOf(raw, host, host.stderr))}\n`);
}
