// An apply from its lock to its report: plan, get approval, apply, verify. A plan with policy violations or without approval
// ends before the first write. Knows no terminal and no exit code.

import { whenAborted } from '../apply/abort.ts';
import { emptyHistory } from '../apply/gate/run-history.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { Plan } from '../plan/plan.ts';
import { FileError } from '../platform/file-error.ts';
import { createClients } from '../service/client.ts';
import { LIMITS } from '../service/policy.ts';
import { checkOptions } from './check-options.ts';
import { type ApplyRun, executePlan, planNow, planInputOf, type Execution } from './execution/execution.ts';
import { tokenSink, tokenStoreOf } from './execution/token-files.ts';
import { verifyRun, concludeRun } from './execution/verify-run.ts';
import { problemsOfPlan, whyNotExecuted, type RunReport } from './run-report.ts';
import { clientPorts } from './run.ts';
import { recheckSavedPlan, checkOrigin } from './saved-plan.ts';
import { openJournalSession, findUnresolved, type JournalSession } from './session.ts';
import type { Planned } from './settle.ts';
import { GRACE_MS, unlessStopped, withDeadline } from './stop.ts';

/**
 * Makes the live state match the manifest, or applies a saved plan. Holds the journal's lock from the first request to the
 * last: after `hardCancel`, requests in flight are aborted, and the journal, which is then closed, has an intent without an
 * outcome, which the next run resolves. Throws a `Failure` if nothing could be done; otherwise everything that was done is in
 * the report, including what `emit`, `flush` or `trace` threw after the approval.
 */
export async function applyManifest(given: ApplyRun): Promise<RunReport> {
  checkOptions(given);
  const input = guardCaller(withDeadline(given, given.options.deadlineMs, given.platform.clock));
  const { saved, manifest, connection } = input;
  if (saved !== undefined) checkOrigin(saved, manifest, connection.baseUrl.href, input.policies);
  const run = withTargetsOf(saved, input);
  const session = openJournalSession(run);
  try {
    const grace = { signal: run.hardCancel, ms: GRACE_MS };
    const clients = run.service?.clients ?? createClients(connection, { ...clientPorts(run), gracePeriod: grace });
    return await work({ ...run, session, clients, history: emptyHistory(session.runName) });
  } finally {
    await release(session, run);
  }
}

/** The saved plan's targets also apply to the plans it is compared with. */
function withTargetsOf(saved: Plan | undefined, run: ApplyRun): ApplyRun {
  const targets = saved?.made_with?.targets;
  return targets === undefined ? run : { ...run, options: { ...run.options, targets } };
}

/** If the lock cannot be removed, the next run takes it over, because this process will have ended. */
async function release({ journal }: JournalSession, { emit }: ApplyRun): Promise<void> {
  try {
    await journal.close();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    emit({ type: 'warning', message: `${error.message}; the next run will take over the lock` });
  }
}

async function work(run: Execution): Promise<RunReport> {
  const { saved = run.shown, session, emit } = run;
  await waitForLateCreations(run);
  const { snapshot, plan: now } = await planUntilStable(run);
  const plan = saved === undefined ? now : recheckSavedPlan(saved, planInputOf(run, snapshot));
  emit({ type: 'planned', plan });
  const stopped = whyNotExecuted(plan);
  if (stopped !== undefined)
    return concludeRun(run, { plan, results: [], ...stopped, diagnostics: problemsOfPlan(plan) });
  if (plan.steps.length === 0) {
    await session.noteResolutions();
    return verifyRun(run, { plan, now }, []);
  }
  const onCreated = tokenSink(plan, tokenStoreOf(run), session.record);
  await run.approve(plan);
  await session.noteResolutions();
  return verifyRun(run, { plan, onCreated }, await executePlan(run, { plan, snapshot }, onCreated));
}

/** Waits for objects that an earlier run may have created; kinds that cannot be listed stop the run. */
async function waitForLateCreations(run: Execution): Promise<void> {
  const { options, platform, session, emit } = run;
  const { waitMs, problems } = findUnresolved(session.journal, options, platform.wallTime);
  if (problems.length > 0) throw new Failure('unknown', problems);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  emit({ type: 'waiting', message: `an earlier run was stopped during a creation; reading again in ${seconds} s` });
  await unlessStopped(platform.clock.sleep(waitMs, run.signal), run);
}

/**
 * A list that changes while its pages are read may skip an object, which would then be created again. So a plan with creations
 * that is based on lists of several pages must be the same twice.
 */
async function planUntilStable(run: Execution): Promise<Planned> {
  let planned = await planNow(run, 'nothing was changed');
  const creates = (plan: Plan) => plan.steps.some((step) => step.live_id === null);
  const hasPages = ({ snapshot }: Planned) => snapshot.requests > topLevelKinds.length;
  if (!creates(planned.plan) || !hasPages(planned)) return planned;
  for (let reads = 2; reads <= LIMITS.plans; reads++) {
    const again = await planNow(run, 'nothing was changed');
    if (again.plan.fingerprint === planned.plan.fingerprint) return again;
    planned = again;
  }
  const message = 'the live objects keep changing while they are read, so no plan is reliable; nothing was changed';
  throw Failure.of('error', 'lists-moving', message, 'run apply again when nobody else is making changes');
}

/**
 * The run with an `emit`, a `trace` and a `flush` that never throw or reject. An exception before the approval ends the run at
 * that point, before any write; later ones are reported as lost output, and the run continues. At the end, pending callbacks
 * are waited for until a hard cancel.
 */
function guardCaller(run: ApplyRun): ApplyRun {
  const thrown: unknown[] = [];
  const keep = (error: unknown) => void thrown.push(error);
  let told = Promise.resolve();
  const guarded =
    <T>(tell: (given: T) => unknown) =>
    (given: T): void => {
      try {
        const before = told;
        told = Promise.resolve(tell(given))
          .catch(keep)
          .then(() => before);
      } catch (error) {
        keep(error);
      }
    };
  const { trace } = run.connection;
  const endIfThrown = () => {
    if (thrown.length > 0) throw thrown[0];
  };
  return {
    ...run,
    ...(trace && { connection: { ...run.connection, trace: guarded(trace) } }),
    emit: guarded(run.emit),
    approve: async (plan) => {
      endIfThrown();
      await run.approve(plan);
      endIfThrown();
    },
    flush: async () => {
      const lost = await Promise.resolve()
        .then(() => run.flush?.())
        .catch(keep);
      const over = new AbortController();
      await Promise.race([told, whenAborted(run.hardCancel, over.signal)]);
      over.abort();
      return [...(lost ?? []), ...thrown.slice(0, 1).map(lostOutput)];
    },
  };
}

function lostOutput(error: unknown): Diagnostic {
  const why = error instanceof Error ? error.message : String(error);
  const message = `the output of the run could not be shown: ${why}`;
  const fix = 'correct `emit`, `flush` or `trace` in the program that embeds edgeform';
  return { code: 'output-failed', severity: 'error', message, fix };
}
