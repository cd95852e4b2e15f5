// After the last step: everything is read and planned again, so that "done" is seen and not assumed, and what another run
// created at the same time is found before anything is claimed.

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
  /** Milliseconds for which lists may lag behind. */
  readonly settleMs: number;
  /** Aborted: nothing is looked at any more. */
  readonly signal: AbortSignal;
  readonly results: readonly StepResult[];
  readonly history: RunHistory;
  /** False once a run has failed or was interrupted: then only what it created is looked at. */
  readonly mustConverge: () => boolean;
}

export interface Converged {
  readonly plan: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Ids of objects that were rolled back, with that of the object of this run that stays in its place, if one does. */
  readonly rolledBack: ReadonlyMap<string, string | undefined>;
}

/** The plan of what is left, once the service shows what this run has done and nothing of it is there twice. */
export async function planUntilConverged(input: ConvergeInput): Promise<Converged> {
  const { clock, settleMs, signal, history } = input;
  const meter = createLagMeter(history, settleMs, (kind) => isListable(kind, input.capabilities));
  const until = clock.now() + settleMs;
  const ended = new Map<string, RolledBack>();
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(LONGEST_WAIT_MS, wait * 2)) {
    // What a slow list shows is as old as its request.
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
 * How much longer than `--settle` it is worth looking: until what is listed stays the only one, and, while something of this
 * run is to go, until the lists do not show any more what the other run has deleted meanwhile and what refers to it.
 */
function graceMs(
  { settleMs }: ConvergeInput,
  { meter, open, began }: { meter: LagMeter; open: readonly Duplicate[]; began: number },
): number {
  if (isToGo(open)) return 2 * settleMs + SECOND_MS;
  // Everything of this run is listed, and has only to stay the only one for as long as that took.
  const isAlmostProven = !meter.isProven() && meter.waitMs(began) !== undefined;
  return isAlmostProven ? settleMs + SECOND_MS : 0;
}

/** True while something of this run is to go. */
function isToGo(open: readonly Duplicate[]): boolean {
  return open.some((one) => one.rollBack.length > 0);
}

/** Rolls back what is later than another run's; what was tried in vain is tried again. True when something went. */
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

/** True when nothing is left to be done, or when what is left is no matter of lists that lag behind. */
function isConverged({ results, mustConverge }: ConvergeInput, plan: Plan): boolean {
  if (!mustConverge() || !isPending(plan)) return true;
  const done = new Set(results.map((result) => result.address));
  return plan.blocked.length > 0 || plan.steps.some((step) => !done.has(step.address));
}

/**
 * What is there now; undefined when that could not be read and is worth another try: nobody else rolls back what this run
 * created, so one refused read must not end the looking.
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

/** What cannot be said of the run's creations, because the lists do not show them. */
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
