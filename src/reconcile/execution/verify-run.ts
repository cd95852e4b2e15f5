// The end of an apply: verifies, judges, records and reports what was done.

import type { StepResult } from '../../apply/event.ts';
import type { RunHistory } from '../../apply/gate/run-history.ts';
import { hasErrors, type Diagnostic } from '../../core/diagnostic.ts';
import type { PlanDiagnostic } from '../../core/diagnostic-json.ts';
import { Failure } from '../../core/failure.ts';
import { withLostOutput, type RunOutcome } from '../../core/run-outcome.ts';
import { knownOutputs } from '../../plan/outputs.ts';
import type { Plan } from '../../plan/plan.ts';
import { hasPlanErrors, isPending } from '../../plan/count-steps.ts';
import { FileError } from '../../platform/file-error.ts';
import { fileDiagnostic } from '../../platform/problem.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { ReadOptions } from '../../service/read.ts';
import { ListLag } from '../list-lag.ts';
import { settle, type Settled } from '../settle.ts';
import { executePlan, kindsOf, planInputOf, planNow, type Execution, type OnCreated } from './execution.ts';
import { judgeResults, notConverged, type RunReport, type RunStatus } from '../run-report.ts';
import { leftOver } from '../saved-plan.ts';
import { explainRefusedKey } from './own-key.ts';
import { endedRun, recordRun } from './record-run.ts';
import { discardToken, tokenFilesOf, tokenStoreOf } from './token-files.ts';

interface AppliedPlan {
  readonly plan: Plan;
  /** What the plan was made from; without it, everything is read again. */
  readonly read?: Snapshot;
  /** The plan of the live state, when a saved plan had nothing to do. */
  readonly now?: Plan;
  /** Missing when there was nothing to do. */
  readonly onCreated?: OnCreated;
}

/** Reads and plans everything again, so that "done" is observed and not assumed. */
export async function verifyRun(run: Execution, done: AppliedPlan, results: readonly StepResult[]): Promise<RunReport> {
  const { plan } = done;
  const ended = judgeResults(results, run);
  let after: Settled = { plan: done.now ?? plan, diagnostics: [] };
  try {
    // A failed run is verified, too, if it created something: another run may have created the same.
    const isWorthALook = results.length > 0 && (ended === undefined || run.history.created.size > 0);
    if (isWorthALook) after = await replan(run, done, results, ended === undefined);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { outcome, diagnostics } = error;
    if (ended !== undefined) return await concludeRun(run, { plan, results, ...withMore(ended, diagnostics) });
    const result = outcome === 'interrupted' || outcome === 'terminated' ? 'interrupted' : 'error';
    return await concludeRun(run, { plan, results, result, outcome, diagnostics });
  }
  after = { ...after, diagnostics: [...after.diagnostics, ...untakenIn(after.plan, plan)] };
  const final = results.map((one) => afterCleanUp(one, run.history));
  return await conclude(run, plan, final, after);
}

/** What is told of values that the service did not take; they are no reason to fail, and later runs do not send them again. */
function untakenIn({ diagnostics }: Plan, shown: Plan): Diagnostic[] {
  const before = new Set(shown.diagnostics.map(nameOf));
  return diagnostics.flatMap((diagnostic): Diagnostic[] => {
    const { code, severity, address, message, fix } = diagnostic;
    return code === 'not-taken' && !before.has(nameOf(diagnostic))
      ? [{ code, severity, message, ...(address !== null && { address }), ...(fix !== undefined && { fix }) }]
      : [];
  });
}

function conclude(run: Execution, made: Plan, results: readonly StepResult[], after: Settled): Promise<RunReport> {
  const plan = { ...made, outputs: after.plan.outputs };
  const ended = judgeResults(results, run);
  if (ended !== undefined) return concludeRun(run, { plan, results, ...withMore(ended, after.diagnostics) });
  const { left, others } = leftOver(after.plan, run.saved ?? plan, run.saved !== undefined);
  const found = [...after.diagnostics, ...(run.destroy === true ? unmarkedObjects(left) : [])];
  if (isPending(left) || hasPlanErrors(left) || hasErrors(found))
    return concludeRun(run, { plan, results, ...notConverged(left, results, found) });
  const diagnostics = [...after.diagnostics, ...others];
  return concludeRun(run, { plan, results, result: 'done', outcome: 'done', diagnostics }, others.length === 0);
}

/** Objects that belong to the stack by the journal but have no marker: while any exists, destroy is not complete. */
function unmarkedObjects({ diagnostics }: Plan): Diagnostic[] {
  return diagnostics.flatMap(({ code, address, message }) =>
    code === 'broken-marker' && address !== null ? [{ code, severity: 'error' as const, address, message }] : [],
  );
}

function withMore(judged: RunStatus, more: RunStatus['diagnostics']): RunStatus {
  return { ...judged, diagnostics: [...judged.diagnostics, ...more] };
}

/** A step whose new object was deleted again has not done what the plan said. */
function afterCleanUp(result: StepResult, { created, deleted }: RunHistory): StepResult {
  const { live_id: id } = result;
  if (id === null || !created.has(id) || !deleted.has(id)) return result;
  return {
    ...result,
    live_id: null,
    status: 'failed',
    error: `${id} was deleted again: another run had created it, too`,
  };
}

function replan(
  run: Execution,
  { plan, read, onCreated }: AppliedPlan,
  results: readonly StepResult[],
  mustConverge: boolean,
): Promise<Settled> {
  const { runJournal, history, options, platform } = run;
  // No other run deletes this run's duplicates, so that belongs to its steps, even after a signal.
  const mayFinish = run.signal.aborted || history.created.size > 0;
  // Policies judge what is carried out: the first plan was judged before its first write.
  const reading = { ...run, policies: undefined, ...(mayFinish && { signal: run.hardCancel }) };
  const soFar = mustConverge
    ? 'every step was done, but that could not be checked'
    : 'what was created could not be checked';
  run.place?.leave(mustConverge);
  let kept: ReadOptions['kept'] = read && { read, changed: kindsOf(plan.steps) };
  return settle({
    turnToRead: () => run.place?.turnToRead() ?? Promise.resolve(),
    planNow: () => planNow(reading, soFar, kept),
    planInput: (snapshot) => planInputOf(run, snapshot),
    // Other objects may refer to what a clean-up deletes.
    readWhole: () => {
      const wasPartial = kept !== undefined;
      kept = undefined;
      return wasPartial;
    },
    carryOut: async (planned) => {
      await run.place?.enter();
      run.emit({ type: 'cleaning-up', plan: planned.plan });
      const cleaned = await executePlan(run, planned, onCreated ?? (() => Promise.resolve()), true);
      run.place?.leave(mustConverge);
      return cleaned;
    },
    onDeleted: (address, id) => {
      // The file may contain another object's token by now.
      const isOwn = runJournal.filled.get(address) === id;
      const message = isOwn ? discardToken(address, tokenStoreOf(run)) : undefined;
      if (message !== undefined) run.emit({ type: 'warning', message });
    },
    clock: platform.clock,
    capabilities: options.capabilities,
    settleMs: options.settleMs,
    signal: reading.signal,
    history,
    lag: run.service?.lag ?? new ListLag(),
    results,
    mustConverge: () => mustConverge && !run.signal.aborted,
  });
}

type Said = Pick<RunReport, 'plan' | 'results' | 'result' | 'outcome' | 'diagnostics'>;

/** Records the end in the journal; the outcome is the same as in the report and includes everything that was lost. */
export async function concludeRun(run: Execution, said: Said, isWhole = true): Promise<RunReport> {
  const plan = { ...said.plan, outputs: knownOutputs(said.plan) };
  const { runJournal, history } = run;
  const tokens = tokenFilesOf(plan, said.results, tokenStoreOf(run)).filter(
    ({ id }) => runJournal.stored.has(id) && !history.deleted.has(id),
  );
  const diagnostics = explainRefusedKey(plan, said.results, said.diagnostics);
  const own = { diagnostics, plan, tokens, lost: [], run: endedRun(run, plan.fingerprint) };
  const ended = withLostOutput({ ...said, ...own }, (await run.flush?.()) ?? []);
  const lost = await noteEnd(run, ended.outcome, isWhole);
  const noted = withLostOutput(ended, lost);
  const unrecorded = await recordRun(run, noted);
  // They are in one folder: what the journal lost is the greater loss, and has the same reason.
  return lost.length > 0 ? noted : withLostOutput(noted, unrecorded);
}

/** Records the end of the run; returns what could not be recorded. */
async function noteEnd(
  { runJournal, emit }: Execution,
  outcome: RunOutcome,
  isWhole: boolean,
): Promise<readonly Diagnostic[]> {
  const { journal } = runJournal;
  let late = runJournal.late();
  try {
    await runJournal.end(outcome, isWhole);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    late = error;
  }
  const entries = journal.unsaved();
  const failed = entries.length === 0 ? runJournal.unwritten() : late;
  if (failed === undefined) return [];
  const { message, ...why } = fileDiagnostic(failed);
  if (entries.length === 0) return [{ message, ...why }];
  emit({ type: 'journal-lacks', entries });
  const lacks = `the lines missing from it (${entries.length}) are on standard error`;
  const fix = 'free space or choose another path with --journal, then plan and apply again';
  return [{ ...why, message: `${message}; ${lacks}`, fix }];
}

/** Equal for two that say the same of one object. */
function nameOf({ code, address, message }: PlanDiagnostic): string {
  return [code, address, message].join('\0');
}
