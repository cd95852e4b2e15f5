// apply and destroy: plan, ask, execute, read again. A refusal or a missing consent ends before the first write.

import { createReadClient, createWriteClient } from '../api/client.ts';
import type { ClientSettings } from '../api/settings.ts';
import { applyPlan } from '../apply/apply.ts';
import type { StepResult } from '../apply/event.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { plural } from '../base/text.ts';
import type { Snapshot } from '../live/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Plan } from '../plan/plan.ts';
import { isLog, logOf, renderDiagnosticsAs, renderPlanAs, renderReportAs } from '../render/formats.ts';
import type { Ending, RunResult } from '../render/json.ts';
import { planMarkdown } from '../render/plan-markdown.ts';
import { reportMarkdown } from '../render/report-markdown.ts';
import { renderEvent } from '../render/report.ts';
import { knownValues, load, makePlan, readLive, secretLookup } from './context.ts';
import { confirm } from './consent.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { checkUsage, concurrencyOf, connectionOf, formatOf, styleOf, usage } from './options.ts';
import { hasPlanErrors, isPending } from './plan.ts';
import { checkFresh, checkOrigin, readPlan, standing } from './saved.ts';
import { earlyEnd, withDeadline } from './stop.ts';
import type { Summary } from './summary.ts';
import { tokenSink } from './tokens.ts';

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
  readonly settings: ClientSettings;
}

/** Plans and executes; exit code 0 means that the plan is now empty. */
export async function apply(raw: RawOptions, outer: Host, mode: Mode): Promise<ExitCode> {
  checkUsage(raw, outer);
  const host = withDeadline(raw, outer);
  const saved = mode.planFile === undefined ? undefined : readSaved(mode.planFile, raw, host);
  const { manifest } = load(raw, host);
  const settings = connectionOf(raw, host);
  if (saved !== undefined) checkOrigin(saved, { manifest, service: settings.baseUrl.href });
  const ground: Ground = { raw, host, mode, manifest, settings };
  const { snapshot, plan: now } = await planNow(ground, 'nothing was changed');
  const plan = saved === undefined ? now : confirmed(saved, now, snapshot);
  showPlan(ground, plan);
  const stopped = stopsBefore(plan);
  if (stopped !== undefined) return report(ground, { plan, results: [], ...stopped, diagnostics: problemsOf(plan) });
  if (plan.steps.length === 0) return finish(ground, plan, []);
  const onCreated = tokenSink(plan, raw, host);
  await consent(ground, plan);
  const results = await applyPlan({
    plan,
    client: createWriteClient(settings),
    secrets: secretLookup(manifest, snapshot),
    known: knownValues(manifest, snapshot),
    concurrency: concurrencyOf(raw),
    signal: host.signal,
    abandon: host.abandon,
    onCreated,
    onEvent: (event) => {
      const line = renderEvent(event, styleOf(raw, host, host.stderr));
      if (line !== undefined) host.stderr.write(`${line}\n`);
    },
  });
  return finish(ground, plan, results);
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

async function planNow(ground: Ground, soFar: string): Promise<{ snapshot: Snapshot; plan: Plan }> {
  const { raw, host, mode, manifest, settings } = ground;
  const snapshot = await readLive({ client: createReadClient(settings), manifest, soFar }, host);
  const { destroy } = mode;
  return { snapshot, plan: makePlan({ manifest, snapshot, service: settings.baseUrl.href, destroy }, raw, host) };
}

/** Why a plan is not executed at all. */
function stopsBefore(plan: Plan): { readonly result: RunResult; readonly exitCode: ExitCode } | undefined {
  if (hasPlanErrors(plan)) return { result: 'error', exitCode: EXIT.error };
  if (plan.refusals.length > 0) return { result: 'refused', exitCode: EXIT.refused };
  return undefined;
}

function problemsOf(plan: Plan): Diagnostic[] {
  const refusals = plan.refusals.map(({ rule, message, flag }): Diagnostic => {
    const fix = flag === null ? {} : { fix: `allow it with ${flag}` };
    return { code: rule, severity: 'error', message, ...fix };
  });
  const found = plan.diagnostics.map(({ code, severity, message, address }): Diagnostic => ({
    code,
    severity,
    message,
    ...(address !== null && { address }),
  }));
  return [...found, ...refusals];
}

function consent({ raw, host, mode }: Ground, plan: Plan): Promise<void> {
  const deletes = mode.destroy ? ` They delete everything that stack ${plan.stack} owns.` : '';
  const question = `Run these ${plural(plan.steps.length, 'step')} against ${plan.service}?${deletes}`;
  return confirm({ question, fix: 'read the plan, then give --auto-approve' }, raw, host);
}

interface Outcome extends Ending {
  readonly exitCode: ExitCode;
}

/** Reads everything again and plans again, so that "done" is seen and not assumed. */
async function finish(ground: Ground, plan: Plan, results: readonly StepResult[]): Promise<ExitCode> {
  const ended = judge(results, ground.host);
  if (ended !== undefined) return report(ground, { plan, results, ...ended });
  let after = plan;
  try {
    if (results.length > 0) after = (await planNow(ground, 'every step was done, but that could not be checked')).plan;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    const { exitCode, diagnostics } = error;
    return report(ground, { plan, results, result: resultOf(exitCode), exitCode, diagnostics });
  }
  const { left, others } = leftOver(after, plan, ground.mode);
  if (isPending(left)) return report(ground, { plan, results, ...notConverged(left, results) });
  const outputs = { ...plan, outputs: after.outputs };
  return report(ground, { plan: outputs, results, result: 'done', exitCode: EXIT.done, diagnostics: others });
}

/** A saved plan answers for what it touches; that other objects have moved meanwhile is only told. */
function leftOver(after: Plan, done: Plan, mode: Mode): { readonly left: Plan; readonly others: Diagnostic[] } {
  if (mode.planFile === undefined) return { left: after, others: [] };
  const touched = new Set(done.steps.map((step) => step.address));
  const steps = after.steps.filter((step) => touched.has(step.address));
  const others = new Set(after.steps.flatMap((step) => (touched.has(step.address) ? [] : [step.address])));
  const left = { ...after, steps, blocked: after.blocked.filter((one) => touched.has(one.address)), refusals: [] };
  if (others.size === 0) return { left, others: [] };
  const message = `outside the saved plan something is pending: ${[...others].sort().join(', ')}`;
  return {
    left,
    others: [{ code: 'not-converged', severity: 'warning', message, fix: 'run plan to see what differs' }],
  };
}

type Verdict = Pick<Outcome, 'result' | 'exitCode' | 'diagnostics'>;

function resultOf(exitCode: ExitCode): RunResult {
  return exitCode === EXIT.interrupted || exitCode === EXIT.terminated ? 'interrupted' : 'error';
}

function notConverged(after: Plan, results: readonly StepResult[]): Verdict {
  const left = [
    ...after.steps.map((step) => step.address),
    ...after.blocked.map((one) => `${one.address}.${one.path}`),
  ];
  const names = [...new Set(left)].join(', ');
  const start = results.length === 0 ? 'the service has no way to change' : 'every step was done, but still different:';
  const why: Diagnostic = {
    code: 'not-converged',
    severity: 'error',
    message: `${start} ${names}`,
    fix: 'run plan to see what differs',
  };
  return results.length === 0
    ? { result: 'error', exitCode: EXIT.error, diagnostics: [why] }
    : { result: 'partial', exitCode: EXIT.partial, diagnostics: [why] };
}

/** The verdict on steps that did not all end as done, or undefined when they did. */
function judge(results: readonly StepResult[], host: Host): Verdict | undefined {
  const has = (status: StepResult['status']) => results.some((one) => one.status === status);
  if (results.every((one) => one.status === 'done')) return undefined;
  const changed = results.some((one) => one.status === 'done' || one.requests_done > 0);
  const late = has('unknown') ? EXIT.unknown : changed ? EXIT.partial : EXIT.error;
  const result = has('unknown') ? 'unknown' : changed ? 'partial' : 'error';
  if (!host.signal.aborted) return { result, exitCode: late, diagnostics: [] };
  const { exitCode, why } = earlyEnd(host, late);
  return { result: host.signalName() === undefined ? result : 'interrupted', exitCode, diagnostics: [why] };
}

function report({ raw, host, mode }: Ground, outcome: Outcome): Promise<ExitCode> {
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
