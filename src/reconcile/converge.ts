// After the last step: reads and plans everything again, so that "done" is observed and not assumed, and so that objects
// created by a concurrent run are found before the run claims success.

import { findDuplicates, noteRepeated, type Duplicate } from '../apply/duplicates/duplicates.ts';
import type { StepResult } from '../apply/event.ts';
import type { Clock } from '../platform/clock.ts';
import { isOutOfTime } from '../service/transport.ts';
import type { RunHistory } from '../apply/gate/run-history.ts';
import { createLagMeter, type LagMeter } from '../apply/duplicates/lag-meter.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Capability } from '../catalog/kind.ts';
import { isListable } from '../catalog/lookup.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import type { Plan } from '../plan/plan.ts';
import { resolveDuplicates, type ResolveDuplicatesInput, type RolledBack } from './resolve-duplicates.ts';
import { Failure } from '../core/failure.ts';
import { isPending } from '../plan/count-steps.ts';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
const SECOND_MS = 1_000;

export interface Planned {
  readonly snapshot: Snapshot;
  readonly plan: Plan;
}

interface ConvergeInput extends Omit<ResolveDuplicatesInput, 'snapshot' | 'duplicates'> {
  readonly planNow: () => Promise<Planned>;
  readonly clock: Clock;
  readonly capabilities: ReadonlySet<Capability>;
  /** How long lists may lag behind, in milliseconds. */
  readonly settleMs: number;
  /** Aborted to stop reading. */
  readonly signal: AbortSignal;
  readonly results: readonly StepResult[];
  readonly history: RunHistory;
  /** False once a run has failed or was interrupted: then only its own creations are checked. */
  readonly mustConverge: () => boolean;
}

export interface Converged {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of objects that were rolled back, each with that of this run's object which replaces it, if any. */
  readonly rolledBack: ReadonlyMap<string, string | undefined>;
}

/** The plan of what is left, once the service shows everything this run has done and without duplicates. */
export async function planUntilConverged(input: ConvergeInput): Promise<Converged> {
  const { clock, settleMs, signal, history } = input;
  const meter = createLagMeter(history, settleMs, (kind) => isListable(kind, input.capabilities));
  const until = clock.now() + settleMs;
  const ended = new Map<string, RolledBack>();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    // A slow list is as old as its request.
    const began = clock.now();
    const found = await refreshOrRetry(input, meter, until);
    if (found === undefined) {
      await clock.sleep(wait, signal);
      continue;
    }
    const open = findDuplicates({ ...found, ownershipScope: input.manifest, history });
    if (await rollBackLater(input, found, open, ended)) continue;
    const isLate = signal.aborted || began >= until + graceMs(input, { meter, open, began });
    const isUnique = open.length === 0 && meter.isProven();
    if (isLate || (isUnique && isConverged(input, found.plan)))
      return convergedResult(found.plan, ended, isLate && !signal.aborted ? notProven(input, meter) : []);
    await clock.sleep(meter.isProven() ? wait : meter.waitMs(clock.now()) || wait, signal);
  }
}

/**
 * Time to look beyond `--settle`: until the listed objects have stayed unique and, while objects of this run are to be rolled
 * back, until the lists no longer show what the other run has deleted and what refers to it.
 */
function graceMs(
  { settleMs }: ConvergeInput,
  { meter, open, began }: { meter: LagMeter; open: readonly Duplicate[]; began: number },
): number {
  if (isToGo(open)) return 2 * settleMs + SECOND_MS;
  // Everything of this run is listed, and must only stay unique for the time that took.
  const isAlmostProven = !meter.isProven() && meter.waitMs(began) !== undefined;
  return isAlmostProven ? settleMs + SECOND_MS : 0;
}

/** True while an object of this run is to be rolled back. */
function isToGo(open: readonly Duplicate[]): boolean {
  return open.some((one) => one.rollBack.length > 0);
}

/** Rolls back objects created later than another run's, and retries earlier failures. True when one was deleted. */
async function rollBackLater(
  input: ConvergeInput,
  found: Planned,
  open: readonly Duplicate[],
  ended: Map<string, RolledBack>,
): Promise<boolean> {
  if (!isToGo(open) || input.signal.aborted) return false;
  const tried = await resolveDuplicates({ ...input, ...found, duplicates: open });
  for (const one of tried) ended.set(one.id, one);
  return tried.some((one) => one.isGone);
}

/** True when nothing is left to do, or when the rest is not caused by lagging lists. */
function isConverged({ results, mustConverge }: ConvergeInput, plan: Plan): boolean {
  if (!mustConverge() || !isPending(plan)) return true;
  const done = new Set(results.map((result) => result.address));
  return plan.blocked.length > 0 || plan.steps.some((step) => !done.has(step.address));
}

/**
 * The current state; undefined when it could not be read and should be retried: nobody else rolls back what this run created,
 * so a single failed read must not end the check.
 */
async function refreshOrRetry(input: ConvergeInput, meter: LagMeter, until: number): Promise<Planned | undefined> {
  try {
    return await refreshPlan(input, meter);
  } catch (error) {
    if (!(error instanceof Failure) || input.history.created.size === 0) throw error;
    const isTimeUp = error.diagnostics.some(isOutOfTime);
    if (isTimeUp || input.signal.aborted || input.clock.now() >= until) throw error;
    return undefined;
  }
}

async function refreshPlan({ planNow, clock, manifest, history }: ConvergeInput, meter: LagMeter): Promise<Planned> {
  const began = clock.now();
  const found = await planNow();
  noteRepeated({ ownershipScope: manifest, snapshot: found.snapshot, history }, began);
  const unlisted = new Set(found.snapshot.unlisted);
  const listed = new Set(found.snapshot.resources.flatMap(({ id }) => (unlisted.has(id) ? [] : [id])));
  meter.note(began, clock.now(), listed);
  return found;
}

function convergedResult(plan: Plan, ended: ReadonlyMap<string, RolledBack>, others: readonly Diagnostic[]): Converged {
  const told = [...ended.values()];
  return {
    plan,
    diagnostics: [...told.map((one) => one.diagnostic), ...others],
    rolledBack: new Map(
      told.flatMap(({ id, isGone, survivorId, children }) => (isGone ? [[id, survivorId] as const, ...children] : [])),
    ),
  };
}

/** Creations of this run that are not confirmed, because the lists do not show them. */
function notProven({ history, settleMs }: ConvergeInput, meter: LagMeter): Diagnostic[] {
  return meter.unlisted().map((id): Diagnostic => {
    const address = history.created.get(id)?.address ?? '';
    return {
      code: 'not-listed',
      severity: 'error',
      address,
      message: `${address} was created as ${id}, but does not appear in any list after ${Math.ceil(settleMs / 1000)} s, so another run may have created it as well`,
      fix: 'run plan later; if the lists of this service are that slow, set a longer --settle',
    };
  });
}
