// apply and destroy: plan, ask, execute, read again. A refusal or a missing consent ends before the first write.

import { createClients } from '../service/client.ts';
import { emptyHistory } from '../apply/gate/history.ts';
import { plural } from '../core/text.ts';
import { visible } from '../core/visible.ts';
import { topLevelKinds } from '../catalog/lookup.ts';
import { FileError } from '../platform/error.ts';
import type { Plan } from '../plan/plan.ts';
import { isLog, logOf, renderPlanAs } from '../render/formats.ts';
import { confirm } from './shell/consent.ts';
import { planInput, prepare } from './run/context.ts';
import type { Planned } from './run/converge.ts';
import { checkEvents, openEvents } from './shell/events.ts';
import type { ExitCode } from './shell/exit.ts';
import { EXIT } from './shell/exit.ts';
import { Collector, CommandFailure } from './shell/failure.ts';
import { finish, report } from './run/finish.ts';
import type { Ground, Mode } from './run/ground.ts';
import { carryOut, planNow, requestOf } from './run/ground.ts';
import type { Host } from './shell/host.ts';
import type { Session } from './run/journal.ts';
import { openSession, unsettled } from './run/journal.ts';
import type { RawOptions } from './options/options.ts';
import { capabilitiesOf, formatOf, GRACE_MS, settleOf, styleOf, usage } from './options/options.ts';
import { isPending } from './plan.ts';
import { portsOf } from './shell/ports.ts';
import { asOfNow, checkOrigin, readPlan } from './run/saved.ts';
import { checkOutputs } from './shell/same-file.ts';
import { unlessStopped } from './run/early-end.ts';
import { clientPorts } from './run/stop.ts';
import { tokenSink } from './run/tokens.ts';
import { problemsOf, stopsBefore } from './run/verdict.ts';

/** Plans and executes; exit code 0 means that the plan is now empty. */
export async function apply(given: RawOptions, outer: Host, mode: Mode): Promise<ExitCode> {
  // Events have standard output for themselves when they ask for it.
  const aside = given.events === '-' ? { ...outer, stdout: outer.stderr } : outer;
  const { host, manifest, settings, own: saved } = await prepare(given, aside, (early) => ownOf(given, mode, early));
  // What a plan of targets left out is left out of the plans that it is compared with.
  const targets = saved?.made_with?.targets;
  const raw = targets === undefined ? given : { ...given, target: targets };
  const service = settings.baseUrl.href;
  if (saved !== undefined) checkOrigin(saved, { manifest, service });
  const events = openEvents(raw, outer);
  const { stack, digest: fingerprint } = manifest;
  const session = openSession({ stack, service, fingerprint }, raw, host);
  try {
    const grace = { signal: host.abandon, ms: GRACE_MS };
    const clients = createClients(settings, { ...clientPorts(raw, host), grace });
    return await work({
      raw,
      host,
      mode,
      manifest,
      service,
      session,
      clients,
      saved,
      events,
      history: emptyHistory(session.signature),
    });
  } finally {
    await events.end();
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
  const plan = saved === undefined ? now : asOfNow(saved, planInput(requestOf(ground, snapshot), raw, host));
  showPlan(ground, plan);
  const stopped = stopsBefore(plan);
  if (stopped !== undefined) return report(ground, { plan, results: [], ...stopped, diagnostics: problemsOf(plan) });
  if (plan.steps.length === 0) {
    session.noteResolutions();
    return finish(ground, { plan }, []);
  }
  const onCreated = tokenSink(plan, raw, host, session.record);
  await consent(ground, plan);
  session.noteResolutions();
  return finish(ground, { plan, onCreated }, await carryOut(ground, { plan, snapshot }, onCreated));
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

/** The saved plan, if one is given; options that do not go together are refused. */
async function ownOf(raw: RawOptions, { planFile }: Mode, host: Host): Promise<Plan | undefined> {
  const collector = new Collector();
  await collector.take(() => {
    checkEvents(raw);
  });
  // A saved plan was made with its own targets and needs no others.
  if (planFile !== undefined && raw.target !== undefined)
    collector.add(
      usage(
        '--target goes with `plan --out`; a saved plan is carried out as it is',
        'leave --target out, or make the plan anew',
      ),
    );
  if (planFile !== undefined)
    await collector.take(() => {
      checkOutputs(raw, host, [{ name: 'the saved plan', path: planFile }]);
    });
  const saved = planFile === undefined ? undefined : await collector.take(() => readPlan(planFile, host));
  if (collector.hasFailed) throw collector.failure();
  return saved;
}

/** The plan goes beside a document and into a log. */
function showPlan({ raw, host, mode }: Ground, plan: Plan): void {
  const format = formatOf(raw);
  const sink = isLog(format) ? host.stdout : host.stderr;
  const style = styleOf(raw, host, sink);
  const isNothing = mode.destroy && !isPending(plan) && plan.diagnostics.length === 0;
  const text = isNothing ? nothingToDestroy(plan) : renderPlanAs(logOf(format), plan, style);
  sink.write(`${text}\n`);
  mode.summary.add((limit) => renderPlanAs('markdown', plan, style, limit));
}

function nothingToDestroy({ stack, service }: Plan): string {
  return `Nothing to destroy: stack ${visible(stack)} owns no objects at ${visible(service)}.`;
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

function consent({ raw, host, mode }: Ground, plan: Plan): Promise<void> {
  const deletes = mode.destroy ? ` They delete everything that stack ${plan.stack} owns.` : '';
  const question = `Run these ${plural(plan.steps.length, 'step')} against ${plan.service}?${deletes}`;
  return confirm({ question, fix: 'read the plan, then give --auto-approve' }, raw, host);
}
