// apply and destroy: plan, ask, execute, read again. A refusal or a missing consent ends before the first write.

import type { Clients } from '../api/client.ts';
import { createClients } from '../api/client.ts';
import { applyPlan } from '../apply/apply.ts';
import type { ApplyEvent, StepResult } from '../apply/event.ts';
import type { ApplyInput } from '../apply/run.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { plural } from '../base/text.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { FileError } from '../files/error.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import { isLog, logOf, renderDiagnosticsAs, renderPlanAs, renderReportAs } from '../render/formats.ts';
import { planMarkdown } from '../render/plan-markdown.ts';
import { reportMarkdown } from '../render/report-markdown.ts';
import { renderEvent } from '../render/report.ts';
import { knownValues, load, makePlan, readLive } from './context.ts';
import { secretLookup } from '../plan/secrets.ts';
import { confirm } from './consent.ts';
import type { Converged, Planned } from './converge.ts';
import { planAfter } from './converge.ts';
import { checkEvents, eventSink } from './events.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { Session } from './journal.ts';
import { openSession, unsettled } from './journal.ts';
import type { RawOptions } from './options.ts';
import {
  capabilitiesOf,
  checkUsage,
  concurrencyOf,
  connectionOf,
  formatOf,
  settleOf,
  styleOf,
  usage,
} from './options.ts';
import { hasPlanErrors, isPending } from './plan.ts';
import { NO_TRACES, tracesOf } from './pin.ts';
import type { Traces } from './pin.ts';
import { portsOf } from './ports.ts';
import { checkFresh, checkOrigin, readPlan, standing } from './saved.ts';
import { clientPorts, unlessStopped, withDeadline } from './stop.ts';
import type { Summary } from './summary.ts';
import { tokenSink } from './tokens.ts';
import type { Outcome } from './verdict.ts';
import { judge, leftOver, notConverged, problemsOf, resultOf, stopsBefore } from './verdict.ts';

export interface Mode {
  readonly destroy: boolean;
  /** File with a saved plan, which is carried out instead of a new one. */
  readonly planFile?: string;
  readonly summary: Summary;
}

interface Ground {
  readonly raw: RawOptions;
  readonly host: Host;
  readonly mode: Mode;
  readonly manifest: Manifest;
  readonly service: string;
  readonly session: Session;
  readonly clients: Clients;
  readonly saved: Plan | undefined;
  readonly emit: (event: ApplyEvent) => void;
}

/** Plans and executes; exit code 0 means that the plan is now empty. */
export async function apply(raw: RawOptions, outer: Host, mode: Mode): Promise<ExitCode> {
  checkUsage(raw, outer);
  checkEvents(raw);
  const emit = eventSink(raw, outer);
  // Events have standard output for themselves when they ask for it.
  const host = withDeadline(raw, raw.events === '-' ? { ...outer, stdout: outer.stderr } : outer);
  const saved = mode.planFile === undefined ? undefined : readSaved(mode.planFile, raw, host);
  const { manifest } = load(raw, host);
  const settings = connectionOf(raw, host);
  const service = settings.baseUrl.href;
  if (saved !== undefined) checkOrigin(saved, { manifest, service });
  const session = openSession({ stack: manifest.stack, service, fingerprint: manifest.digest }, raw, host);
  try {
    // What was begun is settled during the grace after a signal, which takes reads.
    const clients = createClients(settings, {
      ...clientPorts(raw, host),
      signal: host.abandon,
      lastWrites: host.signal,
    });
    return await work({ raw, host, mode, manifest, service, session, clients, saved, emit });
  } finally {
    release(session, host);
  }
}

/** A lock that cannot be removed is taken over by the next run, because this process has ended then. */
function release({ journal }: Session, host: Host): void {
  try {
    journal.close();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    host.stderr.write(`warning: ${error.message}; the next run takes the lock over\n`);
  }
}

async function work(ground: Ground): Promise<ExitCode> {
  const { raw, host, saved, session } = ground;
  await waitForLateCreations(ground);
  const { snapshot, plan: now } = await planFirmly(ground);
  const plan = saved === undefined ? now : confirmed(saved, now, snapshot);
  showPlan(ground, plan);
  const stopped = stopsBefore(plan);
  if (stopped !== undefined) return report(ground, { plan, results: [], ...stopped, diagnostics: problemsOf(plan) });
  if (plan.steps.length === 0) return finish(ground, plan, []);
  const onCreated = tokenSink(plan, raw, host, session.record);
  await consent(ground, plan);
  return finish(ground, plan, await carryOut(ground, { plan, snapshot }, onCreated));
}

/** What an earlier run may have created is waited for, until its absence counts; what cannot be listed stops the run. */
async function waitForLateCreations({ raw, host, session }: Ground): Promise<void> {
  const { clock, wallTime } = portsOf(host);
  const context = { settleMs: settleOf(raw), capabilities: capabilitiesOf(host), wallTime };
  const { waitMs, problems } = unsettled(session.journal, raw.resolve ?? [], context);
  if (problems.length > 0) throw new CommandFailure(EXIT.unknown, problems);
  if (waitMs === 0) return;
  host.stderr.write(
    `an earlier run was ended while it created something; looking again in ${Math.ceil(waitMs / 1000)} s\n`,
  );
  await unlessStopped(clock.sleep(waitMs, host.signal), host);
}

function carryOut(
  { raw, host, manifest, session, clients, emit }: Ground,
  { plan, snapshot }: Planned,
  onCreated: NonNullable<ApplyInput['onCreated']>,
): Promise<readonly StepResult[]> {
  return applyPlan({
    plan,
    client: clients.writer,
    secrets: secretLookup(manifest, snapshot),
    known: knownValues(manifest, snapshot),
    existing: new Set(snapshot.resources.map((live) => live.id)),
    capabilities: capabilitiesOf(host),
    clock: portsOf(host).clock,
    settleMs: settleOf(raw),
    concurrency: concurrencyOf(raw),
    record: session.record,
    signal: host.signal,
    abandon: host.abandon,
    onCreated,
    onEvent: (event) => {
      emit(event);
      const line = renderEvent(event, styleOf(raw, host, host.stderr));
      if (line !== undefined) host.stderr.write(`${line}\n`);
    },
  });
}

/** Notes that the run came to its end, before its report; what could not be noted is shown, so that it is not lost. */
function ended({ session: { journal }, host }: Ground, outcome: Outcome): Outcome {
  try {
    journal.end(String(outcome.exitCode));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  const lost = journal.unsaved();
  if (lost.length === 0) return outcome;
  host.stderr.write(`error: the journal could not be written; what it lacks:\n`);
  for (const entry of lost) host.stderr.write(`  ${JSON.stringify(entry)}\n`);
  const why: Diagnostic = {
    code: 'output-failed',
    severity: 'error',
    message: `the journal lacks ${plural(lost.length, 'line')} that could not be written; standard error has them`,
    fix: 'free space or choose another path with --journal, then run apply again',
  };
  const exitCode = outcome.exitCode === EXIT.done ? EXIT.output : outcome.exitCode;
  return { ...outcome, exitCode, diagnostics: [...outcome.diagnostics, why] };
}

/** A saved plan was made with its own targets and needs no others. */
function readSaved(path: string, raw: RawOptions, host: Host): Plan {
  if (raw.target !== undefined) throw usage('--target goes with `plan --out`; a saved plan is carried out as it is');
  return readPlan(path, host);
}

/** The saved plan, once it is known to be what the live state still asks for. */
function confirmed(saved: Plan, now: Plan, snapshot: Snapshot): Plan {
  checkFresh(saved, now, snapshot);
  return { ...saved, refusals: standing(saved, now) };
}

/** The plan goes beside a document and into a log. */
function showPlan({ raw, host, mode }: Ground, plan: Plan): void {
  const format = formatOf(raw);
  const sink = isLog(format) ? host.stdout : host.stderr;
  const style = styleOf(raw, host, sink);
  sink.write(`${renderPlanAs(logOf(format), plan, style)}\n`);
  mode.summary.add((limit) => planMarkdown(plan, style, limit));
}

/** How often lists of several pages are read until two plans in a row are the same. */
const MOST_READS = 4;

/**
 * A list that others change while its pages are read may skip an object, and what is skipped would be created again. So a
 * plan with creations that rests on lists of several pages has to come out twice.
 */
async function planFirmly(ground: Ground): Promise<Planned> {
  let planned = await planNow(ground, 'nothing was changed');
  const creates = (plan: Plan) => plan.steps.some((step) => step.live_id === null);
  const hasPages = ({ snapshot }: Planned) => snapshot.requests > topLevelKinds.length;
  if (!creates(planned.plan) || !hasPages(planned)) return planned;
  for (let reads = 2; reads <= MOST_READS; reads++) {
    const again = await planNow(ground, 'nothing was changed');
    if (again.plan.fingerprint === planned.plan.fingerprint) return again;
    planned = again;
  }
  throw new CommandFailure(EXIT.error, [
    {
      code: 'lists-moving',
      severity: 'error',
      message: 'the live objects change while they are read, so that no plan can be relied on; nothing was changed',
      fix: 'run apply again when nobody else is at work',
    },
  ]);
}

async function planNow(ground: Ground, soFar: string, { made, removed }: Traces = NO_TRACES): Promise<Planned> {
  const { raw, host, mode, manifest, service, clients, session } = ground;
  const pins = [...session.pins, ...made].filter((pin) => !removed.has(pin.id));
  const snapshot = await readLive({ client: clients.reader, manifest, soFar, pins }, host);
  const { destroy } = mode;
  return { snapshot, plan: makePlan({ manifest, snapshot, service, destroy }, raw, host) };
}

function consent({ raw, host, mode }: Ground, plan: Plan): Promise<void> {
  const deletes = mode.destroy ? ` They delete everything that stack ${plan.stack} owns.` : '';
  const question = `Run these ${plural(plan.steps.length, 'step')} against ${plan.service}?${deletes}`;
  return confirm({ question, fix: 'read the plan, then give --auto-approve' }, raw, host);
}

/** Reads everything again and plans again, so that "done" is seen and not assumed. */
async function finish(ground: Ground, plan: Plan, results: readonly StepResult[]): Promise<ExitCode> {
  const { mode, host, raw, clients, session } = ground;
  const ended = judge(results, host);
  if (ended !== undefined) return report(ground, { plan, results, ...ended });
  let after: Converged = { plan, diagnostics: [] };
  try {
    if (results.length > 0) {
      after = await planAfter({
        planNow: () => planNow(ground, 'every step was done, but that could not be checked', tracesOf(plan, results)),
        client: clients.writer,
        record: session.record,
        clock: portsOf(host).clock,
        settleMs: settleOf(raw),
        signal: host.signal,
        results,
      });
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { exitCode, diagnostics } = error;
    return report(ground, { plan, results, result: resultOf(exitCode), exitCode, diagnostics });
  }
  const { left, others } = leftOver(after.plan, plan, mode.planFile !== undefined);
  if (isPending(left) || hasPlanErrors(left) || after.diagnostics.length > 0) {
    const verdict = notConverged(left, results);
    return report(ground, { plan, results, ...verdict, diagnostics: [...after.diagnostics, ...verdict.diagnostics] });
  }
  const outputs = { ...plan, outputs: after.plan.outputs };
  return report(ground, { plan: outputs, results, result: 'done', exitCode: EXIT.done, diagnostics: others });
}

function report(ground: Ground, given: Outcome): Promise<ExitCode> {
  const { raw, host, mode } = ground;
  const outcome = ended(ground, given);
  const { results, result, exitCode, diagnostics } = outcome;
  const format = formatOf(raw);
  if (results.length > 0) mode.summary.add((limit) => reportMarkdown(outcome, limit));
  const text = () => renderReportAs(format, outcome, styleOf(raw, host, host.stdout));
  if (!isLog(format)) {
    host.stdout.write(`${text()}\n`);
    return Promise.resolve(exitCode);
  }
  const refused = result === 'refused' || (result === 'error' && results.length === 0);
  if (refused) host.stderr.write('Nothing was changed.\n');
  if (results.length === 0) return Promise.resolve(exitCode);
  host.stdout.write(`\n${text()}\n`);
  const found = { diagnostics, sources: new Map<string, string>() };
  if (diagnostics.length > 0)
    host.stderr.write(`${renderDiagnosticsAs(format, found, styleOf(raw, host, host.stderr))}\n`);
  return Promise.resolve(exitCode);
}
