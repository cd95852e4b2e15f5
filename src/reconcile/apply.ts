// An apply from its lock to its report: plan, get approval, apply, verify. A plan with policy violations or without approval
// ends before the first write. Knows no terminal and no exit code.

import { emptyHistory } from '../apply/gate/run-history.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { Failure } from '../core/failure.ts';
import { lazy } from '../core/lazy.ts';
import type { Plan } from '../plan/plan.ts';
import { FileError } from '../platform/file-error.ts';
import { commitForMarker } from '../resource/marker/marker-codec.ts';
import { createClients } from '../service/client.ts';
import { LIMITS } from '../service/limits.ts';
import { checkOptions } from './check-options.ts';
import { type ApplyRun, executePlan, planNow, planInputOf, type Execution } from './execution/execution.ts';
import { leftTokens, tokenSink, tokenStoreOf } from './execution/token-files.ts';
import { verifyRun, concludeRun } from './execution/verify-run.ts';
import { catchCallerErrors } from './caller-errors.ts';
import { problemsOfPlan, whyNotExecuted, type RunReport } from './run-report.ts';
import { clientPorts } from './run.ts';
import { recheckSavedPlan, checkOrigin } from './saved-plan.ts';
import { openRunJournal, findUnresolved, type RunJournal } from './run-journal.ts';
import type { Planned } from './settle.ts';
import { GRACE_MS, unlessStopped, withDeadline } from './stop.ts';

/**
 * Makes the live state match the manifest, or applies a saved plan. Holds the journal's lock from the first request to the
 * last: after `hardCancel`, requests in flight are aborted, and the journal, which is then closed, has an intent without an
 * outcome, which the next run resolves. Throws a `Failure` if nothing could be done; otherwise everything that was done is in
 * the report, also that `emit`, `flush` or `trace` threw something.
 */
export async function applyManifest(given: ApplyRun): Promise<RunReport> {
  checkOptions(given);
  const input = catchCallerErrors(withDeadline(given, given.options.deadlineMs, given.platform.clock));
  const { saved, manifest, connection } = input;
  if (saved !== undefined) checkOrigin(saved, manifest, connection.baseUrl.href, input.policies);
  const run = withTargetsOf(saved, input);
  const runJournal = openRunJournal(run);
  try {
    const grace = { signal: run.hardCancel, ms: GRACE_MS };
    const clients = run.service?.clients ?? createClients(connection, { ...clientPorts(run), gracePeriod: grace });
    const history = emptyHistory(runJournal.runName, commitForMarker(run.startedBy?.commit ?? undefined));
    return await work({ ...run, runJournal, clients, history });
  } finally {
    await release(runJournal, run);
  }
}

/** The saved plan's targets also apply to the plans it is compared with. */
function withTargetsOf(saved: Plan | undefined, run: ApplyRun): ApplyRun {
  const targets = saved?.made_with?.targets;
  return targets === undefined ? run : { ...run, options: { ...run.options, targets } };
}

/** If the lock cannot be removed, the next run takes it over, because this process will have ended. */
async function release({ journal }: RunJournal, { emit }: ApplyRun): Promise<void> {
  try {
    await journal.close();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    emit({ type: 'warning', message: `${error.message}; the next run will take over the lock` });
  }
}

async function work(run: Execution): Promise<RunReport> {
  const { saved = run.shown, runJournal, emit } = run;
  const { planned, workLeft } = await planInAccount(run, saved);
  const { read, snapshot } = planned;
  const plan = workLeft();
  emit({ type: 'planned', plan });
  const stopped = whyNotExecuted(plan);
  if (stopped !== undefined)
    return concludeRun(run, { plan, results: [], ...stopped, diagnostics: problemsOfPlan(plan) });
  if (plan.steps.length === 0) {
    runJournal.beginAccount(read);
    await runJournal.noteResolutions();
    return verifyRun(run, { plan, read, now: planned.plan }, []);
  }
  const onCreated = tokenSink(plan, tokenStoreOf(run), runJournal.record);
  await run.approve(plan);
  runJournal.beginAccount(read);
  await runJournal.noteResolutions();
  const report = await verifyRun(run, { plan, read, onCreated }, await executePlan(run, { plan, snapshot }, onCreated));
  const left = leftTokens(plan, report.results, tokenStoreOf(run));
  return { ...report, diagnostics: [...report.diagnostics, ...left] };
}

/** What an earlier run left open is waited for in its own account, which only a read shows where the journal has several. */
async function planInAccount(run: Execution, agreed: Plan | undefined): Promise<ReadWork> {
  const isKnown = run.runJournal.hasAccount;
  if (isKnown) await waitForLateCreations(run);
  const work = await planUntilStable(run, agreed);
  return !isKnown && (await waitForLateCreations(run)) ? planUntilStable(run, agreed) : work;
}

/** Waits for objects that an earlier run may have created; kinds that cannot be listed stop the run. */
async function waitForLateCreations(run: Execution): Promise<boolean> {
  const { platform, runJournal, emit } = run;
  const options = { ...run.options, ...run.elsewhere };
  const { waitMs, problems } = findUnresolved(runJournal.journal, options, platform.wallTime);
  if (problems.length > 0) throw new Failure('unknown', problems);
  if (waitMs === 0) return false;
  const seconds = Math.ceil(waitMs / 1000);
  emit({ type: 'waiting', message: `an earlier run was stopped during a creation; reading again in ${seconds} s` });
  await unlessStopped(platform.clock.sleep(waitMs, run.signal), run);
  return true;
}

/** A read of the live state, and the work that it leaves. */
interface ReadWork {
  readonly planned: Planned;
  /** What is left of a plan that was agreed to, else the plan of what was read. Fails for one that is out of date. */
  readonly workLeft: () => Plan;
}

async function readWork(run: Execution, agreed: Plan | undefined): Promise<ReadWork> {
  const planned = await planNow(run, 'nothing was changed');
  const workLeft = lazy(() =>
    agreed === undefined ? planned.plan : recheckSavedPlan(agreed, planInputOf(run, planned.snapshot)),
  );
  return { planned, workLeft };
}

/**
 * A list that changes while its pages are read may skip an object, which would then be created again, or may be in the way. So work
 * with creations that is based on lists of several pages counts only when everything is there twice; what changed in an
 * object is found by the look before its write.
 */
async function planUntilStable(run: Execution, agreed: Plan | undefined): Promise<ReadWork> {
  let work = await readWork(run, agreed);
  const hasPages = work.planned.read.requests > topLevelKinds.length;
  for (let reads = 1; reads < LIMITS.plans; reads++) {
    if (!hasPages || !isDoubtful(work)) return work;
    const again = await readWork(run, agreed);
    if (sameObjects(again.planned, work.planned)) return again;
    work = again;
  }
  const message = 'the live objects keep changing while they are read, so no plan is reliable; nothing was changed';
  throw Failure.of('error', 'lists-moving', message, 'run apply again when nothing else makes changes');
}

/** An object that a list has skipped looks like one to create, or like one that is gone since the plan was agreed to. */
function isDoubtful({ workLeft }: ReadWork): boolean {
  try {
    return workLeft().steps.some((step) => step.live_id === null);
  } catch (error) {
    if (error instanceof Failure && error.outcome === 'stale') return true;
    throw error;
  }
}

function sameObjects({ snapshot: { resources: one } }: Planned, { snapshot: { resources: other } }: Planned): boolean {
  return one.length === other.length && one.every(({ id }, at) => id === other[at]?.id);
}
