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
import type { RunResult } from '../render/json.ts';
import { reportJson } from '../render/json.ts';
import { renderPlan } from '../render/plan-text.ts';
import { renderEvent, renderReport } from '../render/report.ts';
import { knownValues, load, makePlan, readLive, secretLookup } from './context.ts';
import type { ExitCode } from './exit.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';
import type { Host } from './host.ts';
import type { RawOptions } from './options.ts';
import { checkUsage, concurrencyOf, connectionOf, formatOf, styleOf } from './options.ts';
import { hasPlanErrors, isPending } from './plan.ts';
import { tokenSink } from './tokens.ts';

export interface Mode {
  readonly destroy: boolean;
}

interface Ground {
  readonly raw: RawOptions;
  readonly host: Host;
  readonly mode: Mode;
  readonly manifest: Manifest;
  readonly settings: ClientSettings;
}

/** Plans and executes; exit code 0 means that the plan is now empty. */
export async function apply(raw: RawOptions, host: Host, mode: Mode): Promise<ExitCode> {
  checkUsage(raw, host);
  const format = formatOf(raw);
  const { manifest } = load(raw, host);
  const settings = connectionOf(raw, host);
  const ground: Ground = { raw, host, mode, manifest, settings };
  const { snapshot, plan } = await planNow(ground);
  const shown = format === 'json' ? host.stderr : host.stdout;
  shown.write(`${renderPlan(plan, styleOf(raw, host, shown))}\n`);
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
    onCreated,
    onEvent: (event) => {
      const line = renderEvent(event, styleOf(raw, host, host.stderr));
      if (line !== undefined) host.stderr.write(`${line}\n`);
    },
  });
  return finish(ground, plan, results);
}

async function planNow({ raw, host, mode, manifest, settings }: Ground): Promise<{ snapshot: Snapshot; plan: Plan }> {
  const snapshot = await readLive(createReadClient(settings), manifest, host);
  return { snapshot, plan: makePlan({ manifest, snapshot, service: settings.baseUrl.href, ...mode }, raw, host) };
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

/** Exactly `yes` on a terminal, or `--auto-approve`; piped input is never consent. */
async function consent({ raw, host, mode }: Ground, plan: Plan): Promise<void> {
  if (raw.autoApprove === true) return;
  const deletes = mode.destroy ? ` They delete everything that stack ${plan.stack} owns.` : '';
  const answer = await host.ask(
    `\nRun these ${plural(plan.steps.length, 'step')} against ${plan.service}?${deletes} Only "yes" is taken: `,
  );
  if (answer === undefined) {
    throw new CommandFailure(EXIT.refused, [
      {
        code: 'no-consent',
        severity: 'error',
        message: 'nobody can be asked, because standard input is not a terminal; nothing was changed',
        fix: 'read the plan, then give --auto-approve',
      },
    ]);
  }
  if (answer.trim() !== 'yes')
    throw new CommandFailure(EXIT.refused, [
      { code: 'no-consent', severity: 'error', message: 'not confirmed; nothing was changed' },
    ]);
}

interface Outcome {
  readonly plan: Plan;
  readonly results: readonly StepResult[];
  readonly result: RunResult;
  readonly exitCode: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads everything again and plans again, so that "done" is seen and not assumed. */
async function finish(ground: Ground, plan: Plan, results: readonly StepResult[]): Promise<ExitCode> {
  const ended = judge(results, ground.host);
  if (ended !== undefined) return report(ground, { plan, results, ...ended, diagnostics: [] });
  try {
    const after = results.length === 0 ? plan : (await planNow(ground)).plan;
    if (!isPending(after))
      return await report(ground, {
        plan: { ...plan, outputs: after.outputs },
        results,
        result: 'done',
        exitCode: EXIT.done,
        diagnostics: [],
      });
    const left = [
      ...after.steps.map((step) => step.address),
      ...after.blocked.map((one) => `${one.address}.${one.path}`),
    ];
    const message = `every step was done, but the live state still differs in ${[...new Set(left)].join(', ')}`;
    const diagnostic: Diagnostic = {
      code: 'not-converged',
      severity: 'error',
      message,
      fix: 'run plan to see what differs',
    };
    return await report(ground, {
      plan,
      results,
      result: 'partial',
      exitCode: EXIT.partial,
      diagnostics: [diagnostic],
    });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return report(ground, { plan, results, result: 'error', exitCode: EXIT.error, diagnostics: error.diagnostics });
  }
}

function judge(
  results: readonly StepResult[],
  host: Host,
): { readonly result: RunResult; readonly exitCode: ExitCode } | undefined {
  const has = (status: StepResult['status']) => results.some((one) => one.status === status);
  if (host.signal.aborted && results.some((one) => one.status !== 'done')) {
    return { result: 'interrupted', exitCode: host.signalName() === 'SIGTERM' ? EXIT.terminated : EXIT.interrupted };
  }
  if (has('unknown')) return { result: 'unknown', exitCode: EXIT.unknown };
  if (!has('failed') && !has('blocked') && !has('not_attempted')) return undefined;
  return has('done') ? { result: 'partial', exitCode: EXIT.partial } : { result: 'error', exitCode: EXIT.error };
}

function report({ raw, host }: Ground, outcome: Outcome): Promise<ExitCode> {
  const { plan, results, result, exitCode, diagnostics } = outcome;
  if (formatOf(raw) === 'json') {
    const converged = exitCode === EXIT.done;
    host.stdout.write(
      `${reportJson({ result, exitCode, stack: plan.stack, results, converged, outputs: plan.outputs, diagnostics })}\n`,
    );
  } else {
    const refused = result === 'refused' || (result === 'error' && results.length === 0);
    if (refused) host.stderr.write('Nothing was changed.\n');
    else if (results.length > 0)
      host.stdout.write(`\n${renderReport(results, plan, styleOf(raw, host, host.stdout))}\n`);
    for (const { message, fix } of results.length > 0 ? diagnostics : [])
      host.stderr.write(`error: ${message}\n${fix === undefined ? '' : `  fix: ${fix}\n`}`);
  }
  return Promise.resolve(exitCode);
}
